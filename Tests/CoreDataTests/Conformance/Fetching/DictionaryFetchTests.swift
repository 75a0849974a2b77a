import CoreData
import Foundation
import Testing

@Suite("A fetch of dictionaries")
struct DictionaryFetchTests {
  /// Notes 0 to 9 in three categories. The last two notes are not saved.
  private func stack(_ kind: StoreKind) throws -> Stack {
    let stack = try Stack(kind)
    let categories = ["a", "b", "c"].map(stack.category)
    for number in 0..<10 {
      if number == 8 { try stack.save() }
      stack.note("\(number % 4)", rating: Int64(number), categories[number % 3])
    }
    return stack
  }

  private func column(_ name: String, _ format: String, _ type: NSAttributeType) -> NSExpressionDescription {
    let column = NSExpressionDescription()
    column.name = name
    column.expression = NSExpression(format: format)
    column.expressionResultType = type
    return column
  }

  private func fetch(_ stack: Stack, _ configure: (NSFetchRequest<NSDictionary>) -> Void) throws
    -> [NSDictionary]
  {
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    configure(request)
    return try stack.context.fetch(request)
  }

  @Test(
    "a dictionary fetch computes expressions for each object, and follows to-one relationships",
    arguments: StoreKind.allCases
  )
  func expressions(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let found = try fetch(stack) { request in
      request.propertiesToFetch = [
        "title", "category.name", "category", self.column("double", "rating * 2", .integer64AttributeType),
        self.column("id", "SELF", .objectIDAttributeType),
      ]
      request.predicate = NSPredicate(format: "rating >= 7")
      request.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: false)]
    }
    #expect(found.map { $0["double"] as? Int } == [18, 16, 14])
    #expect(found.map { $0["category.name"] as? String } == ["a", "c", "b"])
    #expect(found.allSatisfy { $0["category"] is NSManagedObjectID && $0["id"] is NSManagedObjectID })
  }

  @Test("a dictionary fetch has one row for functions over all objects", arguments: StoreKind.allCases)
  func aggregates(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let found = try fetch(stack) { request in
      request.propertiesToFetch = [
        self.column("least", "min:(rating)", .integer64AttributeType),
        self.column("most", "max:(rating)", .integer64AttributeType),
        self.column("sum", "sum:(rating)", .integer64AttributeType),
        self.column("mean", "average:(rating)", .doubleAttributeType),
        self.column("dated", "count:(createdAt)", .integer64AttributeType),
        self.column("count", "count:(SELF)", .integer64AttributeType),
        self.column("span", "max:(rating) - min:(rating)", .integer64AttributeType),
      ]
    }
    let result: NSDictionary = [
      "least": 0, "most": 9, "sum": 45, "mean": 4.5, "dated": 0, "count": 10, "span": 9,
    ]
    #expect(found == [result])
    let none = try fetch(stack) { request in
      request.predicate = NSPredicate(value: false)
      request.propertiesToFetch = [self.column("count", "count:(SELF)", .integer64AttributeType)]
    }
    #expect(none == [["count": 0]])
  }

  @Test(
    "a dictionary fetch groups objects, sorts groups and omits those that do not match the predicate",
    arguments: StoreKind.allCases
  )
  func groups(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    func find(_ having: String?, limit: Int = 0, offset: Int = 0) throws -> [String] {
      let found = try fetch(stack) { request in
        request.propertiesToGroupBy = ["category.name"]
        request.propertiesToFetch = [
          "category.name", self.column("total", "sum:(rating)", .integer64AttributeType),
        ]
        request.sortDescriptors = [NSSortDescriptor(key: "total", ascending: false)]
        request.havingPredicate = having.map { NSPredicate(format: $0) }
        request.fetchLimit = limit
        request.fetchOffset = offset
      }
      return found.map { "\($0["category.name"] ?? "")\($0["total"] ?? "")" }
    }
    #expect(try find(nil) == ["a18", "c15", "b12"])
    #expect(try find(nil, limit: 1, offset: 1) == ["c15"])
    #expect(try find("total < 16") == ["c15", "b12"])
    #expect(try find("$total < 16") == ["c15", "b12"])
    #expect(try find("count:(rating) > 3 OR NOT max:(rating) < 8") == ["a18", "c15"])
  }

  @Test(
    "a dictionary fetch sums texts by their leading numbers, and finds the minimum and maximum of data by bytes",
    arguments: StoreKind.allCases
  )
  func otherValues(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let values: [(String, [UInt8])] = [
      ("12 kilos", [3, 1]), ("a", [3]), ("0.5", [2, 200]), ("", [3]), ("日", [3]), ("e\u{301}", [3]),
      ("-", [3]),
      (" \t-1.5e1x", [3]), ("+15.e0", [3]), ("0x10", [3]), ("inf", [3]), ("1e", [3]), ("-1e+", [3]),
    ]
    for (title, bytes) in values {
      let note = stack.note(title)
      note.setValue(Data(bytes), forKey: "body")
      note.createdAt = Date(timeIntervalSinceReferenceDate: 60)
    }
    let found = try fetch(stack) { request in
      request.propertiesToFetch = [
        self.column("sum", "sum:(title)", .doubleAttributeType),
        self.column("mean", "average:(createdAt)", .doubleAttributeType),
        self.column("none", "sum:(body)", .doubleAttributeType),
        self.column("first", "min:(body)", .binaryDataAttributeType),
        self.column("last", "max:(body)", .binaryDataAttributeType),
      ]
    }
    #expect(found.first?["sum"] as? Double == 12.5)
    #expect(found.first?["mean"] as? Double == 60)
    #expect(found.first?["none"] as? Double == 0)
    #expect(found.first?["first"] as? Data == Data([2, 200]))
    #expect(found.first?["last"] as? Data == Data([3, 1]))
  }

  @Test("a request with an entity resolves property names to descriptions")
  func descriptions() throws {
    let stack = try stack(.inMemory)
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.propertiesToGroupBy = ["title"]
    #expect(request.propertiesToGroupBy as? [String] == ["title"])
    let entity = stack.note("a").entity
    request.entity = entity
    request.propertiesToGroupBy = ["title", "category", "category.name"]
    #expect(request.propertiesToGroupBy?[0] as? NSPropertyDescription === entity.propertiesByName["title"])
    #expect(request.propertiesToGroupBy?[1] as? NSPropertyDescription === entity.propertiesByName["category"])
    #expect(request.propertiesToGroupBy?[2] as? String == "category.name")
    request.propertiesToFetch = ["title"]
    #expect(request.propertiesToFetch?[0] as? NSPropertyDescription === entity.propertiesByName["title"])
    request.propertiesToGroupBy = ["title"]
    request.resultType = .dictionaryResultType
    #expect(try stack.context.fetch(request).count == 5)
  }

  @Test(
    "a dictionary fetch throws invalid expressions and predicates as NSError",
    arguments: StoreKind.allCases
  )
  func errors(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    #expect(throws: NSError.self) {
      _ = try fetch(stack) { request in
        request.propertiesToFetch = [self.column("x", "median:(title)", .doubleAttributeType)]
      }
    }
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "title > 5")
    request.sortDescriptors = [.byTitle]
    #expect(throws: NSError.self) { try stack.context.fetch(request) }
    #expect(throws: NSError.self) { try stack.context.count(for: request) }
    let controller = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: stack.context,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    #expect(throws: NSError.self) { try controller.performFetch() }
  }

  @Test("a distinct dictionary fetch returns each row once", arguments: StoreKind.allCases)
  func distinct(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let found = try fetch(stack) { request in
      request.propertiesToFetch = ["title"]
      request.returnsDistinctResults = true
      request.sortDescriptors = [.byTitle]
      request.fetchLimit = 3
    }
    #expect(found == [["title": "0"], ["title": "1"], ["title": "2"]])
  }

  @Test("a dictionary fetch names unknown properties", arguments: StoreKind.storesAndChildren)
  func unknown(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    for name in ["nothing", "tags", "category.nothing", "title.length"] {
      let error = try #require(throws: (any Error).self) {
        try fetch(stack) { $0.propertiesToFetch = [name] }
      }
      #expect((error as NSError).localizedDescription.contains(name))
    }
    #expect(throws: (any Error).self) { try fetch(stack) { $0.havingPredicate = NSPredicate(value: true) } }
    #expect(throws: (any Error).self) {
      try fetch(stack) { request in
        request.propertiesToGroupBy = ["title"]
        request.propertiesToFetch = ["title", "rating"]
      }
    }
  }
}
