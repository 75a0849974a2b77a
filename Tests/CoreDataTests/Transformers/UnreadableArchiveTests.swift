import CoreData
import Foundation
import PropertyLists
import Testing

@testable import CoreData
@testable import ModelFormats

final class TaggedThing: NSManagedObject {
  var tags: [String]? {
    get { managedValue("tags") }
    set { setManagedValue(newValue, "tags") }
  }
  var required: [String] {
    get { managedValue("tags") }
    set { setManagedValue(newValue, "tags") }
  }
}

@Suite("Archives of attributes that cannot be read")
struct UnreadableArchiveTests {
  static let model: NSManagedObjectModel = {
    let entity = NSEntityDescription()
    entity.name = "TaggedThing"
    entity.managedObjectClassName = NSStringFromClass(TaggedThing.self)
    let (name, tags) = (NSAttributeDescription(), NSAttributeDescription())
    (name.name, name.attributeType, name.isOptional) = ("name", .stringAttributeType, true)
    (tags.name, tags.attributeType, tags.isOptional) = ("tags", .transformableAttributeType, true)
    entity.properties = [name, tags]
    let model = NSManagedObjectModel()
    model.entities = [entity]
    return model
  }()

  /// A damaged archive: a string without its text, which crashes Foundation on Linux.
  private static func damaged() throws -> Data {
    var writer = KeyedArchiveWriter()
    let root = writer.object(.string, fields: [])
    return writer.data(root: root)
  }

  /// The archive of an object whose class belongs to another application.
  private static func foreign() -> Data {
    var writer = KeyedArchiveWriter()
    let root = writer.object(.truePredicate, fields: [("name", .uid(writer.string("red")))])
    return writer.data(root: root)
  }

  private static var attribute: NSAttributeDescription {
    model.entitiesByName["TaggedThing"]?.attributesByName["tags"] ?? NSAttributeDescription()
  }

  @Test("unreadable archives are distinguished from those of other classes, and both are written unchanged")
  func decoding() throws {
    let damaged = try #require(
      AttributeCoding.decode(try Self.damaged(), attribute: Self.attribute) as? UnreadableArchive
    )
    #expect(damaged.isDamaged)
    #expect(try AttributeCoding.encode(damaged, attribute: Self.attribute) == Self.damaged())
    let foreign = try #require(
      AttributeCoding.decode(Self.foreign(), attribute: Self.attribute) as? UnreadableArchive
    )
    #expect(!foreign.isDamaged)
    #expect(foreign.problem.contains("no class NSTruePredicate"))
    #expect(try AttributeCoding.encode(foreign, attribute: Self.attribute) == foreign.data)
  }

  /// A store in XML with one object, whose archive is replaced.
  private func stack(_ archive: Data) throws -> Stack {
    let stack = try Stack(.xml, model: Self.model)
    let thing = TaggedThing(context: stack.context)
    thing.setValue("a", forKey: "name")
    thing.tags = ["x"]
    try stack.save()
    let file = stack.folder.appendingPathComponent("store")
    let whole = try Data(contentsOf: file)
    let own = try AttributeCoding.encode(["x"], attribute: Self.attribute).base64EncodedData()
    let range = try #require(whole.range(of: own))
    var changed = whole
    changed.replaceSubrange(range, with: archive.base64EncodedData())
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    try changed.write(to: file)
    try stack.coordinator.addPersistentStore(ofType: NSXMLStoreType, configurationName: nil, at: file)
    return stack
  }

  private func archive(in stack: Stack) throws -> Data? {
    let text = try String(contentsOf: stack.folder.appendingPathComponent("store"), encoding: .utf8)
    let parts = text.components(separatedBy: "name=\"tags\" type=\"binary\">")
    return parts.last?.components(separatedBy: "</").first.flatMap { Data(base64Encoded: $0) }
  }

  @Test(
    "unreadable archives read as nil, and the context gets object and attribute; other values and the bytes stay"
  )
  func damagedValue() throws {
    let stack = try stack(try Self.damaged())
    let context = stack.newContext()
    let thing = try #require(try stack.fetch(TaggedThing.self, in: context).first)
    #expect(thing.value(forKey: "name") as? String == "a")
    #expect(thing.tags == nil)
    #expect(thing.required == [])
    #expect(thing.value(forKey: "tags") == nil)
    thing.setValue("b", forKey: "name")
    let error = #expect(throws: NSError.self) { try context.save() }
    let message = error?.localizedDescription ?? ""
    #expect(message.contains("TaggedThing.tags of TaggedThing x-coredata://"), "\(message)")
    #expect(message.contains("a string has no text"), "\(message)")
    try context.save()
    #expect(try archive(in: stack) == Self.damaged())
    thing.tags = ["new"]
    try context.save()
    #expect(try stack.fetch(TaggedThing.self, in: stack.newContext()).first?.tags == ["new"])
  }

  @Test(
    "archives of an unknown class are data for key-value coding, and nil for a property of another type"
  )
  func foreignValue() throws {
    let stack = try stack(Self.foreign())
    let context = stack.newContext()
    let thing = try #require(try stack.fetch(TaggedThing.self, in: context).first)
    #expect(thing.value(forKey: "tags") as? Data == Self.foreign())
    try context.save()
    #expect(thing.tags == nil)
    #expect(throws: NSError.self) { try context.save() }
    thing.setValue("b", forKey: "name")
    try context.save()
    #expect(try archive(in: stack) == Self.foreign())
  }

  @Test("a plain object of a wrong class reads as nil, and the context is notified")
  func otherClass() throws {
    let stack = try stack(try AttributeCoding.encode("text", attribute: Self.attribute))
    let context = stack.newContext()
    let thing = try #require(try stack.fetch(TaggedThing.self, in: context).first)
    #expect(thing.value(forKey: "tags") as? String == "text")
    #expect(thing.tags == nil)
    #expect(thing.required == [])
    let error = #expect(throws: NSError.self) { try context.save() }
    #expect(error?.localizedDescription.contains("TaggedThing.tags") == true)
    #expect(error?.localizedDescription.contains("wants") == true)
  }

  @Test("the check of a SQLite store finds unreadable archives, and names attribute and row")
  func check() throws {
    let stack = try Stack(.sqlite, model: Self.model)
    let thing = TaggedThing(context: stack.context)
    thing.tags = ["x"]
    try stack.save()
    let file = stack.folder.appendingPathComponent("store.sqlite")
    for store in stack.coordinator.persistentStores { try stack.coordinator.remove(store) }
    let hexadecimal = try Self.damaged().map { String(format: "%02x", $0) }.joined()
    try TemporaryFolder().execute("UPDATE ZTAGGEDTHING SET ZTAGS = x'\(hexadecimal)'", at: file)
    let findings = try SQLiteStoreCheck(store: file, model: Self.model).findings().map(\.problem)
    #expect(
      findings.contains { $0.contains("ZTAGGEDTHING.ZTAGS of the row 1") && $0.contains("TaggedThing.tags") },
      "\(findings)"
    )
  }

  @Test("fractions and decimal numbers are archived exactly", arguments: StoreKind.allCases)
  func decimals(kind: StoreKind) throws {
    let stack = try Stack(kind, model: Self.model)
    let thing = TaggedThing(context: stack.context)
    let value: NSDictionary = [
      "price": NSDecimalNumber(string: "10.11"), "list": [NSDecimalNumber(string: "-0.1"), 1.5],
    ]
    thing.setValue(value, forKey: "tags")
    try stack.save()
    let context = stack.newContext()
    let saved = try #require(
      try stack.fetch(TaggedThing.self, in: context).first?.value(forKey: "tags") as? NSDictionary
    )
    #expect(saved.isEqual(value))
    #expect((saved["price"] as? NSNumber)?.decimalValue == Decimal(string: "10.11"))
  }
}
