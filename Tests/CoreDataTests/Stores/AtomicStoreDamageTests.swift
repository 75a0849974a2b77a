import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("Files of XML and binary stores that are damaged")
struct AtomicStoreDamageTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// The bytes of a small store with objects of several entities and relationships.
  private func sample(_ kind: StoreKind) throws -> Data {
    let stack = try Stack(kind)
    let note = stack.note("a < ü & \"b\"", rating: 5, stack.category("c"), tags: [stack.tag("t")])
    note.setValue(Data([1, 2, 3]), forKey: "body")
    note.setValue(NSDecimalNumber(string: "1.5"), forKey: "price")
    note.createdAt = Date(timeIntervalSinceReferenceDate: 1)
    stack.note("second")
    try stack.save()
    return try Data(contentsOf: stack.folder.appendingPathComponent("store"))
  }

  /// Opens a file, reads all of it, and returns the number of notes.
  @discardableResult
  private func open(_ data: Data, _ kind: StoreKind) throws -> Int {
    let file = folder.file("damaged")
    try data.write(to: file)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.shared)
    try coordinator.addPersistentStore(ofType: kind.storeType, configurationName: nil, at: file)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    var count = 0
    for entity in TestModel.shared.entities where !entity.isAbstract {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
      request.includesSubentities = false
      for object in try context.fetch(request) {
        if entity.name == "Note" { count += 1 }
        for name in entity.propertiesByName.keys { _ = object.value(forKey: name) }
      }
    }
    return count
  }

  private func failure(_ text: String) throws -> String {
    let error = #expect(throws: NSError.self) { try open(Data(text.utf8), .xml) }
    #expect(error?.userInfo[NSFilePathErrorKey] as? String == folder.file("damaged").path)
    return error?.localizedDescription ?? ""
  }

  @Test("truncated XML and binary stores fail to open at any length", arguments: [StoreKind.xml, .binary])
  func prefixes(kind: StoreKind) throws {
    let data = try sample(kind)
    #expect(try open(data, kind) == 2)
    // Only the last line feed may be missing.
    let end = data.last == UInt8(ascii: "\n") ? data.count - 1 : data.count
    for length in Soak.sample(1..<end) {
      let part = data.prefix(length)
      #expect(throws: NSError.self, "\(length) of \(data.count) bytes") { try open(part, kind) }
    }
  }

  @Test(
    "a store with any byte changed opens, or fails with an error that names the file",
    arguments: [StoreKind.xml, .binary]
  )
  func bytes(kind: StoreKind) throws {
    let data = try sample(kind)
    var mutants = 0
    var failures = 0
    for index in Soak.sample(data.indices) {
      for change in [0x01, 0xFF] as [UInt8] {
        mutants += 1
        var mutant = data
        mutant[index] ^= change
        do {
          try open(mutant, kind)
        } catch {
          failures += 1
          #expect("\(error)".contains(folder.file("damaged").path), "byte \(index)")
        }
      }
    }
    #expect(failures > mutants / 4)
  }

  @Test("an error in an XML store names its line")
  func lines() throws {
    let text = String(decoding: try sample(.xml), as: UTF8.self)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let note = try #require(lines.firstIndex { $0.contains("type=\"NOTE\"") })
    let id = try #require(lines[note].split(separator: "\"").dropLast().last)
    let cases: [(wrong: String, words: String)] = [
      (
        text.replacingOccurrences(of: "idrefs=\"", with: "idrefs=\"z999 "),
        "the object 999, which is not in the file"
      ),
      (text.replacingOccurrences(of: "type=\"TAG\" id=\"z", with: "type=\"TAG\" id=\"q"), "such as z102"),
      (text.replacingOccurrences(of: "name=\"title\"", with: "name=\"heading\""), "no attribute \"heading\""),
      (text.replacingOccurrences(of: "name=\"tags\"", with: "name=\"labels\""), "no relationship \"labels\""),
      (text.replacingOccurrences(of: "&lt;", with: "&nothing;"), "no entity &nothing;"),
      (
        text.replacingOccurrences(of: ">5</attribute>", with: ">five</attribute>"),
        "\"five\", which is not a value of Note.rating"
      ),
      (
        text.replacingOccurrences(of: ">1.5</attribute>", with: ">1.5 or so</attribute>"),
        "not a value of Note.price"
      ),
      (text.replacingOccurrences(of: "</database>", with: "</databases>"), "broken"),
      (
        text.replacingOccurrences(of: "CoreData.dtd\">", with: "CoreData.dtd\" [<!ENTITY a \"b\">]>"),
        "declares entities"
      ),
      (
        text.replacingOccurrences(of: "standalone=\"yes\"", with: "encoding=\"UTF-16\" standalone=\"yes\""),
        "encoding is not UTF-8"
      ),
    ]
    for (wrong, words) in cases {
      #expect(wrong != text)
      let message = try failure(wrong)
      #expect(message.contains(words), "\(message)")
      #expect(message.contains("line "), "\(message)")
    }
    // An object that has the ID of another one.
    let tag = try #require(lines.firstIndex { $0.contains("type=\"TAG\"") })
    var twice = lines
    twice[tag] = "    <object type=\"TAG\" id=\"\(id)\">"
    let message = try failure(twice.joined(separator: "\n"))
    #expect(message.contains("another object has its ID"), "\(message)")
    // An object of another entity than the relationship's destination.
    var wrongDestination = lines
    let relationship = try #require(
      lines.firstIndex { $0.contains("name=\"tags\"") && $0.contains("idrefs") }
    )
    let parts = lines[relationship].components(separatedBy: "idrefs=\"")
    wrongDestination[relationship] = parts[0] + "idrefs=\"\(id)\"></relationship>"
    #expect(try failure(wrongDestination.joined(separator: "\n")).contains("which is of the entity Note"))
  }

  @Test("XML stores with invalid UTF-8 are an error, also in the metadata")
  func encoding() throws {
    let data = try sample(.xml)
    for place in ["<key>NSStoreModelVersionHashesVersion</key>", "<UUID>", "name=\"title\" type=\"string\">"] {
      let range = try #require(data.range(of: Data(place.utf8)))
      var wrong = data
      wrong.insert(contentsOf: [0xC3, 0x28, 0xFF], at: range.upperBound)
      let error = #expect(throws: NSError.self) { try open(wrong, .xml) }
      #expect(error?.localizedDescription.contains("not UTF-8") == true)
      let url = folder.file("damaged")
      #expect(throws: NSError.self) {
        try NSPersistentStoreCoordinator.metadataForPersistentStore(ofType: NSXMLStoreType, at: url)
      }
    }
  }

  @Test("XML stores with endlessly nested elements are an error")
  func depth() throws {
    let deep = String(repeating: "<a>", count: 100_000)
    #expect(try failure("<database><databaseInfo>\(deep)").contains("deep"))
  }

  @Test("XML stores with a wrong last ID never assign an ID twice")
  func keys() throws {
    let text = String(decoding: try sample(.xml), as: UTF8.self)
    let first = try #require(text.range(of: "<nextObjectID>"))
    let last = try #require(text.range(of: "</nextObjectID>"))
    let number = first.upperBound..<last.lowerBound
    #expect(try open(Data(text.replacingCharacters(in: number, with: "0").utf8), .xml) == 2)
    for wrong in ["-5", "9223372036854775807", "99999999999999999999", "x", ""] {
      #expect(try failure(text.replacingCharacters(in: number, with: wrong)).contains("nextObjectID"))
    }
    #expect(
      try failure(text.replacingOccurrences(of: "\"z1\"", with: "\"z9223372036854775807\"")).contains("z102")
    )
  }

  @Test("XML stores keep more than ten million bytes of text data, also when only metadata change")
  func large() throws {
    let stack = try Stack(.xml)
    let note = stack.note("large")
    note.setValue(Data(repeating: 7, count: 8_000_000), forKey: "body")
    try stack.save()
    let file = stack.folder.appendingPathComponent("store")
    let before = try Data(contentsOf: file)
    try NSPersistentStoreCoordinator.setMetadata(
      ["own": "a </databaseInfo> b"],
      forPersistentStoreOfType: NSXMLStoreType,
      at: file
    )
    let after = try Data(contentsOf: file)
    let object = Data("    <object".utf8)
    let (old, new) = (try #require(before.range(of: object)), try #require(after.range(of: object)))
    #expect(before[old.lowerBound...] == after[new.lowerBound...])
    #expect(try open(after, .xml) == 1)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSXMLStoreType,
      at: file
    )
    #expect(metadata["own"] as? String == "a </databaseInfo> b")
  }

  @Test("XML stores are not written with names that differ only in case")
  func ambiguousNames() throws {
    let entity = NSEntityDescription()
    entity.name = "Thing"
    entity.properties = ["size", "Size"].map { name in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = (name, .stringAttributeType, true)
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [entity]
    let stack = try Stack(.xml, model: model)
    _ = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: stack.context)
    let error = #expect(throws: NSError.self) { try stack.save() }
    #expect(error?.localizedDescription.contains("case of their letters") == true)
  }

  @Test(
    "binary stores without objects, or with wrong or shared parts, are an error and not an empty store"
  )
  func lists() throws {
    let data = try sample(.binary)
    let list = try #require(
      try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: Any]
    )
    func open(_ change: (inout [String: Any]) -> Void) throws {
      var changed = list
      change(&changed)
      let data = try PropertyListSerialization.data(fromPropertyList: changed, format: .binary, options: 0)
      try self.open(data, .binary)
    }
    try open { _ in }
    let objects = try #require(list["objects"] as? [[String: Any]])
    for key in list.keys { #expect(throws: NSError.self, "\(key)") { try open { $0[key] = nil } } }
    #expect(throws: NSError.self) { try open { $0["lastKey"] = Int64.max } }
    #expect(throws: NSError.self) { try open { $0["objects"] = [1, 2] } }
    #expect(throws: NSError.self) { try open { $0["objects"] = objects + [objects[0]] } }
    for (key, value) in [
      ("key", 1.5 as Any), ("key", -1), ("key", Int64.max), ("entity", "Nothing"), ("values", [1]),
      ("values", ["nothing": 1]), ("values", ["title": 5]), ("values", ["rating": 1.5]),
      ("values", ["rating": Data([1])]), ("destinations", ["nothing": [1]]),
      ("destinations", ["tags": [999]]),
    ] {
      #expect(throws: NSError.self, "\(key) \(value)") {
        try open { list in
          var changed = objects
          let index = changed.firstIndex { $0["entity"] as? String == "Note" } ?? 0
          changed[index][key] = value
          list["objects"] = changed
        }
      }
    }
  }
}
