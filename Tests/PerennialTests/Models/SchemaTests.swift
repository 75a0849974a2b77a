import CoreData
import Foundation
import Seeding
import Testing

@testable import PerennialCommands

@Suite("Schemas of seeds", .enabled(if: SchemaValidator.isThere, "Python has no module jsonschema"))
struct SchemaTests {
  private static func notes() throws -> NSManagedObjectModel {
    try ModelFile(Program.notes.appendingPathComponent("Notes.xcdatamodeld").path).currentModel()
  }

  /// The schema's error for each seed; nil for a valid seed.
  private func problems(_ seeds: [String], _ model: NSManagedObjectModel) throws -> [String?] {
    try SchemaValidator.problems(of: seeds, by: SeedSchema(model, title: "Seeds").text())
  }

  @Test("all seeds of the example and the guides that load are valid")
  func examples() throws {
    let project = Program.notes.deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let documentation = project.appendingPathComponent("Documentation")
    let folder = documentation.appendingPathComponent("Seeding")
    let pages =
      try [documentation.appendingPathComponent("Seeding.md")]
      + FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
    let guide = try pages.map { try String(contentsOf: $0, encoding: .utf8) }.joined(separator: "\n")
    var seeds = [
      try String(contentsOf: Program.notes.appendingPathComponent("seed.json"), encoding: .utf8)
    ]
    let blocks = guide.components(separatedBy: "```json ").dropFirst().map { block in
      block.split(separator: "\n", maxSplits: 1, omittingEmptySubsequences: false)
    }
    for block in blocks where !["slip.json", "mixed.json"].contains(block[0]) {
      seeds.append(block[1].components(separatedBy: "```")[0])
    }
    #expect(seeds.count > 20)
    #expect(try problems(seeds, Self.notes()).compactMap(\.self) == [])
  }

  @Test("seeds with alternative spellings, headers, labels and nested records are valid")
  func spellings() throws {
    let seeds = [
      #"{"$schema": "notes.schema.json", "$dates": "dd.MM.yyyy", "Notes": [{"TITLE": "A", "created-at": "17.03.2024"}]}"#,
      #"{"NOTE": [{"title": "A", "tags": null, "category": null}], "categorys": [], "Category": []}"#,
      #"{"$keys": {"notes": ["title", "category"], "Tag": [], "categories": "name"}, "notes": [{"title": "A", "category": "B"}]}"#,
      #"{"tags": [{"name": "A", "notes": [{"title": "B", "category": "C"}, "D", {"$ref": "x"}, {"$ref": 5}]}]}"#,
      #"{"notes": [{"$id": "x", "$entity": "notes", "tags_ids": "A", "categoryId": {"$id": 4, "name": "B"}}]}"#,
      #"{"notes": [{"created_at": 1710633600}, {"created_at": "1710633600"}, {"created_at": null}]}"#,
    ]
    #expect(try problems(seeds, Self.notes()).compactMap(\.self) == [])
  }

  @Test("values from elsewhere, and changes of relationships, are valid")
  func computed() throws {
    let seeds = [
      #"{"notes": [{"title": {"$file": "a.txt"}, "created_at": {"$now": "-3d"}}]}"#,
      #"{"notes": [{"title": {"$expression": "contents"}, "category": {"$expression": "title"}}]}"#,
      #"{"notes": [{"title": "A", "tags": {"$add": ["B", {"name": "C"}], "$remove": "D"}}]}"#,
    ]
    #expect(try problems(seeds, Self.notes()).compactMap(\.self) == [])
    let wrong = [
      #"{"notes": [{"title": {"$file": 5}}]}"#, #"{"notes": [{"created_at": {"$now": "-3d", "a": 1}}]}"#,
      #"{"notes": [{"title": {"$now": "-3d"}}]}"#, #"{"notes": [{"category": {"$add": ["B"]}}]}"#,
    ]
    #expect(try problems(wrong, Self.notes()).allSatisfy { $0 != nil })
  }

  @Test(
    "mistakes in seeds are found at their position",
    arguments: [
      (#"{"notes": [{"titel": "A"}]}"#, "titel"), (#"{"note s": {"title": "A"}}"#, "array"),
      (#"{"nodes": []}"#, "nodes"), (#"{"notes": [{"title": 5}]}"#, "5"),
      (#"{"notes": [{"created_at": true}]}"#, "True"),
      (#"{"notes": [{"created_at": "yesterday"}]}"#, "yesterday"),
      (#"{"notes": [{"category": ["A"]}]}"#, "A"), (#"{"notes": [{"category": {"nme": "A"}}]}"#, "nme"),
      (#"{"notes": [{"tags": [null]}]}"#, "None"),
      (#"{"notes": [{"tags": [{"$ref": "x", "name": "A"}]}]}"#, "name"),
      (#"{"notes": [{"$label": "A"}]}"#, "$label"), (#"{"$key": {}}"#, "$key"),
      (#"{"$plain": "yes"}"#, "yes"),
      (#"{"notes": ["A"]}"#, "A"), (#"[]"#, "[]"),
    ]
  )
  func slips(seed: String, word: String) throws {
    let problem = try #require(try problems([seed], Self.notes())[0])
    #expect(problem.contains(word), "\(problem)")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Self.notes())
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType,
      configurationName: nil,
      at: nil,
      options: nil
    )
    #expect(throws: SeedError.self) {
      try Seeder(.data(Data(seed.utf8), name: "seed.json")).runAndWait(in: coordinator)
    }
  }

  @Test("dumps of all Apple-made stores are valid", arguments: FixtureStore.all)
  func fixtures(fixture: FixtureStore) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let store = try fixture.copy(to: folder)
    let (model, path) = try FixtureStore.model(of: store)
    let dump = try OpenedStore.reading(StoreLocation(path: store.path), model: path) {
      var dump = try StoreDump($0.coordinator).seed()
      // Only the first 200 records of each entity are checked, because the validator is slow.
      for index in dump.entities.indices {
        dump.entities[index].records = Array(dump.entities[index].records.prefix(200))
      }
      return try DumpRoundTrip.json(dump)
    }
    #expect(try problems([dump], model) == [nil])
  }

  @Test("generated data and dumps of random models are valid by the schema")
  func random() throws {
    for number in 1...UInt64(20) {
      let made = try MadeStore(number)
      defer { made.remove() }
      let generated = try String(contentsOf: made.folder.appendingPathComponent("made.json"), encoding: .utf8)
      try RandomDumpsTests.change(made)
      let dump = try DumpRoundTrip.json(try StoreDump(made.coordinator).seed())
      #expect(try problems([generated, dump], made.model) == [nil, nil], "\(number)")
    }
  }

  @Test("annotations, validation rules, subentities and descriptions are in the schema")
  func annotated() throws {
    let model = Self.annotatedModel()
    let valid = [
      #"{"shapes": [{"$entity": "circle", "radius": 5, "label": "a"}, {"$entity": "Squares", "label": "b"}]}"#,
      #"{"circles": [{"r": 5}, {"radius": 0}, {"publisher": {"name": "x", "other": 1}, "state": "other"}]}"#,
      #"{"$plain": true, "Circle": [{"radius": 5, "publisherName": "x", "state": "open"}]}"#,
      #"{"holders": [{"shape": {"$entity": "circle", "r": 1}}, {"shape": "a"}, {"shape": {"label": "a"}}]}"#,
    ]
    #expect(try problems(valid, model).compactMap(\.self) == [])
    let wrong = [
      #"{"shapes": [{"label": "a"}]}"#, #"{"circles": [{"radius": 101}]}"#, #"{"circles": [{"radius": -1}]}"#,
      #"{"shapes": [{"$entity": "Square", "radius": 5}]}"#, #"{"$plain": true, "Circle": [{"r": 5}]}"#,
      #"{"shapes": [{"$entity": "Holder"}]}"#, #"{"circles": [{"label": "longer than ten"}]}"#,
      #"{"circles": [{"born": "2024"}]}"#, #"{"$plain": true, "circles": [{"publisher": {}}]}"#,
    ]
    let found = try problems(wrong, model)
    #expect(found.allSatisfy { $0 != nil }, "\(found)")
    let text = try SeedSchema(model, title: "Seeds").text()
    for part in ["How far it is", "natural key: label", "\"open\"", "draft-07"] {
      #expect(text.contains(part), "\(part)")
    }
  }

  /// A model with the abstract entity `Shape`, its subentities `Circle` and `Square`, and a `Holder` of a shape.
  private static func annotatedModel() -> NSManagedObjectModel {
    func attribute(_ name: String, _ type: NSAttributeType, _ userInfo: [String: Any] = [:])
      -> NSAttributeDescription
    {
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
      attribute.userInfo = userInfo
      return attribute
    }
    func entity(_ name: String, _ properties: [NSPropertyDescription]) -> NSEntityDescription {
      let entity = NSEntityDescription()
      (entity.name, entity.properties, entity.managedObjectClassName) = (name, properties, "NSManagedObject")
      return entity
    }
    let label = attribute("label", .stringAttributeType)
    label.setValidationPredicates([NSPredicate(format: "length <= 10")], withValidationWarnings: [""])
    let radius = attribute(
      "radius",
      .integer32AttributeType,
      ["JSONKeyPath": "r", "documentation": "How far it is to the edge."]
    )
    radius.setValidationPredicates(
      [NSPredicate(format: "SELF >= 0"), NSPredicate(format: "SELF <= 100")],
      withValidationWarnings: ["", ""]
    )
    let shape = entity("Shape", [label])
    shape.isAbstract = true
    shape.uniquenessConstraints = [["label"]]
    let circle = entity(
      "Circle",
      [
        radius, attribute("publisherName", .stringAttributeType, ["JSONKeyPath": "publisher.name"]),
        attribute("state", .stringAttributeType, ["generate.values": "open, closed"]),
        attribute("born", .dateAttributeType, ["seed.dates": "secondsSince1970"]),
      ]
    )
    let square = entity("Square", [])
    shape.subentities = [circle, square]
    let (one, other) = (NSRelationshipDescription(), NSRelationshipDescription())
    let holder = entity("Holder", [one])
    (one.name, one.destinationEntity, one.maxCount, one.inverseRelationship) = ("shape", shape, 1, other)
    (other.name, other.destinationEntity, other.maxCount, other.inverseRelationship) = (
      "holders", holder, 0, one
    )
    (one.isOptional, other.isOptional) = (true, true)
    shape.properties.append(other)
    let model = NSManagedObjectModel()
    model.entities = [shape, circle, square, holder]
    return model
  }

  @Test("the command prints or writes the schema, and reports an error in one line")
  func command() throws {
    let program = try Program()
    let printed = try program.run("schema", "Notes.xcdatamodeld")
    #expect(printed.status == 0 && printed.output.hasPrefix("{\n"), "\(printed.errors)")
    #expect(try program.run("schema", "Notes.xcdatamodeld", "-o", "notes.schema.json").output.isEmpty)
    let file = program.folder.appendingPathComponent("notes.schema.json")
    #expect(try String(contentsOf: file, encoding: .utf8) == printed.output)
    for arguments in [["schema", "Nothing.momd"], ["schema", "Notes.xcdatamodeld", "-o", "no/such/file"]] {
      let outcome = try program.run(arguments)
      #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(outcome.errors)")
    }
  }
}
