import CoreData
import Foundation
import Seeding
import Testing

@testable import PerennialCommands

@Suite("Values of a dump")
struct DumpedValuesTests {
  private static func model(_ className: String? = nil) -> NSManagedObjectModel {
    let thing = NSEntityDescription()
    thing.name = "Thing"
    let types: [(String, NSAttributeType)] = [
      ("name", .stringAttributeType), ("plain", .transformableAttributeType), ("date", .dateAttributeType),
      ("double", .doubleAttributeType), ("float", .floatAttributeType), ("decimal", .decimalAttributeType),
    ]
    thing.properties = types.map { name, type in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = type
      attribute.isOptional = true
      if name == "plain" { attribute.attributeValueClassName = className }
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [thing]
    return model
  }

  /// Calls a closure with a coordinator that has a new SQLite store of things, and returns the result.
  private func inStore<Result>(
    _ className: String? = nil,
    _ body: (NSPersistentStoreCoordinator) throws -> Result
  ) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model(className))
    let store = try coordinator.addPersistentStore(
      type: .sqlite,
      at: folder.appendingPathComponent("Things.sqlite")
    )
    defer { try? coordinator.remove(store) }
    return try body(coordinator)
  }

  private func dump(of seed: String, _ className: String? = nil) throws -> String {
    try inStore(className) { coordinator in
      try Seeder(.data(Data(seed.utf8), name: "seed.json")).runAndWait(in: coordinator)
      let dump = try StoreDump(coordinator).seed()
      #expect(dump.omissions == [])
      return String(decoding: try JSONSeedText().data(of: dump, namedAfter: nil), as: UTF8.self)
    }
  }

  @Test(
    "a transformable value of fractions, booleans and dictionaries is dumped, loaded and dumped as the same text",
    arguments: [
      "[0.1,1.5,-2.25,1e-07,1e+300,1e+20]", "[1,true,0,false]", "[true,1,1.5,1]", "0.1", "true", "-0",
      "[9007199254740993,-9223372036854775808,9223372036854775807]",
      #"{"a":0.5,"b":{"c":[true,2,null,"x"],"d":-0.001},"e":[],"f":{}}"#,
      #"{"$date":"2024-03-17T13:45:39.5Z"}"#,
      #"[{"$date":"0001-01-01T00:00:00Z"},{"$data":"SGk="}]"#, #"{"$object":{"$date":"2024-03-17"}}"#,
      #"[{"$object":{"$data":"x"}},{"$object":{"$object":{"y":1}}},{"$date":"2024-03-17T00:00:00Z"}]"#,
    ]
  )
  func plain(value: String) throws {
    let first = try dump(of: "{\"things\": [{\"name\": \"A\", \"plain\": \(value)}]}")
    #expect(first.contains("\"plain\":\(value)}"), "\(first)")
    #expect(try dump(of: first) == first)
  }

  private static let uuid = "E621E1F8-C36C-495A-93FC-0C247A3E6E5F"

  /// Values as a program sets them, with the class that the attribute declares.
  private static let objects: [(className: String?, object: @Sendable () -> Any, text: String)] = [
    ("[String]", { ["b", "a"] as NSArray }, #"["b","a"]"#),
    ("[Int64]", { [NSNumber(value: Int64.max), NSNumber(value: 1)] as NSArray }, "[9223372036854775807,1]"),
    ("[String: String]", { ["k": "v"] as NSDictionary }, #"{"k":"v"}"#),
    ("Set<String>", { NSSet(array: ["b", "a"]) }, #"{"$set":["a","b"]}"#),
    ("[Set<Int>]", { [NSSet(array: [NSNumber(value: 2)])] as NSArray }, #"[{"$set":[2]}]"#),
    (
      "NSURL", { (NSURL(string: "https://example.com/a?b=c") as NSObject?) ?? NSNull() },
      #"{"$url":"https://example.com/a?b=c"}"#
    ),
    ("UUID", { (NSUUID(uuidString: uuid) as NSObject?) ?? NSNull() }, "{\"$uuid\":\"\(uuid)\"}"),
    (
      "NSDate", { NSDate(timeIntervalSinceReferenceDate: 0.5) }, #"{"$date":"2001-01-01T00:00:00.5Z"}"#
    ),
    ("[Data]", { [NSData(data: Data([72, 105]))] as NSArray }, #"[{"$data":"SGk="}]"#),
    (nil, { NSSet(array: [NSNumber(value: true)]) }, #"{"$set":[true]}"#),
    (nil, { ["$set": ["x"] as NSArray] as NSDictionary }, #"{"$object":{"$set":["x"]}}"#),
  ]

  @Test("objects of each class are dumped, loaded and dumped as the same text", arguments: objects.indices)
  func classes(index: Int) throws {
    let (className, object, text) = Self.objects[index]
    let first = try inStore(className) { coordinator in
      try Self.insert(object, in: coordinator)
      let dump = try StoreDump(coordinator).seed()
      #expect(dump.omissions == [])
      return String(decoding: try JSONSeedText().data(of: dump, namedAfter: nil), as: UTF8.self)
    }
    #expect(first.contains("\"plain\":\(text)}"), "\(first)")
    let again = try dump(of: first, className)
    #expect(again == first)
  }

  @Test(
    "an object that the attribute's class does not take is named, since it would not load",
    arguments: ["[String]", "Color", "NSDate"]
  )
  func otherClasses(className: String) throws {
    try inStore(className) { coordinator in
      try Self.insert({ [NSNumber(value: 1)] as NSArray }, in: coordinator)
      let omissions = try StoreDump(coordinator).seed().omissions
      #expect(omissions.count == 1 && omissions[0].hasPrefix("Thing.plain with values of the class"))
    }
  }

  private static func insert(
    _ plain: @escaping @Sendable () -> Any,
    in coordinator: NSPersistentStoreCoordinator
  )
    throws
  {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait {
      let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
      thing.setValue(plain(), forKey: "plain")
      try context.save()
    }
  }

  @Test("sets, URLs and UUIDs need no type mark if the attribute's class implies it")
  func unmarked() throws {
    for (className, written, text) in [
      ("Set<String>", #"["b","a","b"]"#, #"{"$set":["a","b"]}"#),
      ("URL", #""https://example.com""#, #"{"$url":"https://example.com"}"#),
      ("[UUID]", "[\"\(Self.uuid)\"]", "[{\"$uuid\":\"\(Self.uuid)\"}]"),
    ] {
      let dumped = try dump(of: "{\"things\": [{\"plain\": \(written)}]}", className)
      #expect(dumped.contains("{\"plain\":\(text)}"), "\(dumped)")
    }
  }

  @Test("numbers, and dates before the Gregorian calendar, are dumped, loaded and dumped as the same text")
  func attributes() throws {
    let values =
      #"{"date":"0999-02-28T01:02:03.5Z","decimal":"-12345.678","double":-0.5,"float":0.1,"name":"A"}"#
    let first = try dump(
      of: "{\"Thing\": [\(values), {\"name\": \"B\", \"double\": \"-inf\", \"float\": \"inf\"}]}"
    )
    #expect(first.contains(values), "\(first)")
    #expect(try dump(of: first) == first)
  }

  @Test("a date that no seed has is named with its attribute")
  func dates() throws {
    for seconds in [1e308, 1e12, -.infinity] {
      try inStore { coordinator in
        let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
        context.persistentStoreCoordinator = coordinator
        try context.performAndWait {
          let thing = NSEntityDescription.insertNewObject(forEntityName: "Thing", into: context)
          thing.setValue(Date(timeIntervalSinceReferenceDate: seconds), forKey: "date")
          try context.save()
        }
        let dump = try StoreDump(coordinator).seed()
        #expect(dump.omissions == ["Thing.date with the date \(seconds) s after 2001-01-01"])
      }
    }
  }
}
