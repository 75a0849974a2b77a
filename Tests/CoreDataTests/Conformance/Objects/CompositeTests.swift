import Foundation
import Testing

@testable import CoreData

@Suite("Composite attributes")
struct CompositeTests {
  private func place(_ stack: Stack, _ position: [String: Any]? = ["latitude": 48.2, "label": "here"])
    -> NSManagedObject
  {
    let place = NSEntityDescription.insertNewObject(forEntityName: "Place", into: stack.context)
    place.setValue(position, forKey: "position")
    return place
  }

  private func kept(_ stack: Stack, _ format: String? = nil) throws -> [NSManagedObject] {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Place")
    request.predicate = try format.map { try NSPredicate(parsing: $0, arguments: []) }
    request.sortDescriptors = [NSSortDescriptor(key: "position.latitude", ascending: true)]
    return try stack.newContext().fetch(request)
  }

  @Test("the value is a dictionary with the names of the elements", arguments: StoreKind.allCases)
  func dictionary(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    _ = place(stack)
    try stack.save()
    let value = try #require(try kept(stack).first?.value(forKey: "position") as? [String: Any])
    #expect(value.keys.sorted() == ["label", "latitude"])
    #expect(value["latitude"] as? Double == 48.2)
    #expect(value["label"] as? String == "here")
  }

  @Test("a new object has the defaults of a composite's elements", arguments: StoreKind.allCases)
  func defaults(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let place = NSEntityDescription.insertNewObject(forEntityName: "Place", into: stack.context)
    #expect((place.value(forKey: "position") as? [String: Any])?["latitude"] as? Double == 1)
  }

  @Test("a key path leads to an element, and into a composite inside", arguments: StoreKind.allCases)
  func keyPath(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let place = place(stack, ["latitude": 2.5, "accuracy": ["horizontal": 10]])
    #expect(place.value(forKeyPath: "position.latitude") as? Double == 2.5)
    #expect(place.value(forKeyPath: "position.accuracy.horizontal") as? Int == 10)
    #expect(place.value(forKeyPath: "position.label") == nil)
    try stack.save()
    #expect(try kept(stack).first?.value(forKeyPath: "position.accuracy.horizontal") as? Int == 10)
  }

  @Test("an element can be set by key path, and the others stay", arguments: StoreKind.allCases)
  func settingElements(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let place = place(stack)
    try stack.save()
    place.setValue(50.0, forKeyPath: "position.latitude")
    place.setValue(7, forKeyPath: "position.accuracy.horizontal")
    #expect(place.changedValues().keys.sorted() == ["position"])
    try stack.save()
    let kept = try #require(try kept(stack).first)
    #expect(kept.value(forKeyPath: "position.latitude") as? Double == 50)
    #expect(kept.value(forKeyPath: "position.label") as? String == "here")
    #expect(kept.value(forKeyPath: "position.accuracy.horizontal") as? Int == 7)
  }

  @Test("elements can be fetched by and sorted by", arguments: StoreKind.allCases)
  func fetched(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    for latitude in [3.0, 1, 2] {
      _ = place(stack, ["latitude": latitude, "accuracy": ["horizontal": Int(latitude)]])
    }
    try stack.save()
    let latitudes = { (format: String?) in
      try kept(stack, format).map { $0.value(forKeyPath: "position.latitude") as? Double }
    }
    #expect(try latitudes(nil) == [1, 2, 3])
    #expect(try latitudes("position.latitude > 1.5") == [2, 3])
    #expect(try latitudes("position.accuracy.horizontal == 3") == [3])
    #expect(try latitudes("position.label == nil").count == 3)
  }

  @Test("a composite without values is nil", arguments: StoreKind.allCases)
  func empty(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    _ = [place(stack, nil), place(stack, [:])]
    try stack.save()
    #expect(try kept(stack).map { $0.value(forKey: "position") == nil } == [true, true])
  }

  @Test("a composite that was set back is not a change", arguments: StoreKind.allCases)
  func setBack(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let place = place(stack)
    try stack.save()
    place.setValue(["latitude": 1.0], forKey: "position")
    place.setValue(["label": "here", "latitude": 48.2], forKey: "position")
    #expect(place.changedValues().isEmpty)
  }

  @Test("elements are validated, and named by their paths", arguments: StoreKind.allCases)
  func validation(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let place = place(stack, ["latitude": 91.0])
    let error = #expect(throws: NSError.self) { try stack.context.save() }
    #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "position.latitude")
    place.setValue(90.0, forKeyPath: "position.latitude")
    try stack.save()
  }

  @Test("an unknown element of a composite stops the program")
  func unknownElement() async {
    await #expect(processExitsWith: .failure) {
      let stack = try Stack.graph(.inMemory)
      let place = NSEntityDescription.insertNewObject(forEntityName: "Place", into: stack.context)
      place.setValue(["altitude": 1], forKey: "position")
    }
  }

  @Test("a SQLite store has a column for each element")
  func columns() throws {
    let schema = try SQLSchemaBuilder.build(
      model: GraphModel.shared,
      entities: [try #require(GraphModel.shared.entitiesByName["Place"])]
    )
    let sql = try schema.creationStatements(SQLiteDialect()).first { $0.contains("CREATE TABLE ZPLACE ") }
    #expect(
      sql == """
        CREATE TABLE ZPLACE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZHORIZONTAL INTEGER, \
        ZLATITUDE FLOAT, ZLABEL VARCHAR, ZLABEL1 VARCHAR )
        """
    )
  }
}
