import CoreData
import Foundation
import TestSupport
import Testing

@Suite("Groups of a fetch of dictionaries")
struct GroupFetchTests {
  private func fetch(_ stack: Stack, _ request: AggregateRequest, _ entity: String = "Note") throws
    -> [NSDictionary]
  {
    try stack.context.fetch(request.request(entity))
  }

  /// Saves the objects that are grouped, or leaves them unsaved.
  private func finish(_ stack: Stack, _ isSaved: Bool) throws {
    if isSaved { try stack.save() }
  }

  @Test("groups compare texts by code point, like predicates", arguments: StoreKind.allCases, [true, false])
  func texts(_ kind: StoreKind, _ isSaved: Bool) throws {
    let stack = try Stack(kind)
    for title in ["\u{E9}", "e\u{301}", "\u{E9}", "E", "e"] { stack.note(title) }
    try finish(stack, isSaved)
    let count = AggregateRequest.column("count", "count:(SELF)")
    let groups = try fetch(
      stack,
      AggregateRequest(properties: ["title", count], groupBy: ["title"], sort: [.byTitle])
    )
    let titles = groups.map { Array(($0["title"] as? String ?? "").unicodeScalars.map(\.value)) }
    #expect(titles == [[0x45], [0x65], [0x65, 0x301], [0xE9]])
    #expect(groups.map { $0["count"] as? Int } == [1, 1, 1, 2])
    #expect(try fetch(stack, AggregateRequest(properties: ["title"], isDistinct: true)).count == 4)
  }

  @Test("objects without a value form one group", arguments: StoreKind.allCases, [true, false])
  func nulls(_ kind: StoreKind, _ isSaved: Bool) throws {
    let stack = try Stack(kind)
    for number in 0..<20 { stack.note("\(number % 2)") }
    try finish(stack, isSaved)
    let count = AggregateRequest.column("count", "count:(SELF)")
    let groups = try fetch(
      stack,
      AggregateRequest(properties: ["small", "category.name", count], groupBy: ["small", "category.name"])
    )
    #expect(groups == [["count": 20]])
    #expect(try fetch(stack, AggregateRequest(properties: ["small"], isDistinct: true)) == [[:]])
  }

  @Test("groups can be sorted by columns with dotted names", arguments: StoreKind.allCases, [true, false])
  func dots(_ kind: StoreKind, _ isSaved: Bool) throws {
    let stack = try Stack(kind)
    for name in ["b", "c", "a"] { stack.note("n", stack.category(name)) }
    stack.note("none")
    try finish(stack, isSaved)
    for isAscending in [true, false] {
      let groups = try fetch(
        stack,
        AggregateRequest(
          properties: ["category.name"],
          groupBy: ["category.name"],
          sort: [NSSortDescriptor(key: "category.name", ascending: isAscending)]
        )
      )
      let names = groups.map { $0["category.name"] as? String }
      #expect(names == (isAscending ? [nil, "a", "b", "c"] : ["c", "b", "a", nil]))
    }
  }

  @Test(
    "groups add integers exactly, in any order",
    arguments: StoreKind.allCases,
    [true, false]
  )
  func sums(_ kind: StoreKind, _ isSaved: Bool) throws {
    let stack = try Stack(kind)
    for number in [Int64.max, 2, .min, -1] { stack.note("fits", rating: number) }
    for _ in 0..<3 { stack.note("too large", rating: .max) }
    stack.note("none").setValue(nil, forKey: "rating")
    try finish(stack, isSaved)
    let groups = try fetch(
      stack,
      AggregateRequest(
        properties: [
          "title", AggregateRequest.column("sum", "sum:(rating)"),
          AggregateRequest.column("mean", "average:(rating)"),
          AggregateRequest.column("ratio", "sum:(ratio)"),
        ],
        groupBy: ["title"],
        sort: [.byTitle]
      )
    )
    #expect(groups.map { $0["sum"] as? NSNumber } == [0, 0, NSNumber(value: 3 * Double(Int64.max))])
    #expect(groups.map { $0["mean"] as? Double } == [0, nil, Double(Int64.max)])
    #expect(groups.allSatisfy { $0["ratio"] as? Int == 0 })
  }

  @Test("no objects form no groups, except the total of all objects", arguments: StoreKind.allCases)
  func nothing(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let columns = [
      AggregateRequest.column("count", "count:(SELF)"), AggregateRequest.column("sum", "sum:(rating)"),
      AggregateRequest.column("mean", "average:(rating)"), AggregateRequest.column("first", "min:(title)"),
    ]
    #expect(try fetch(stack, AggregateRequest(properties: columns)) == [["count": 0, "sum": 0]])
    #expect(try fetch(stack, AggregateRequest(properties: columns, groupBy: ["title"])).isEmpty)
  }

  @Test("groups return values of each type as objects have them", arguments: StoreKind.allCases)
  func types(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    let note = stack.note("t", rating: 7, category)
    let values: [String: Any] = [
      "createdAt": Date(timeIntervalSinceReferenceDate: 60), "isPinned": true, "ratio": 2.0,
      "share": Float(0.5),
      "price": NSDecimalNumber(string: "10.11"), "identifier": UUID(), "small": 3, "body": Data([1]),
    ]
    for (key, value) in values { note.setValue(value, forKey: key) }
    try stack.save()
    let keys = Array(values.keys) + ["title", "rating", "category"]
    let group = try #require(try fetch(stack, AggregateRequest(properties: keys, groupBy: keys)).first)
    #expect(group["ratio"] as? Double == 2 && group["share"] as? Double == 0.5 && group["small"] as? Int == 3)
    #expect(group["createdAt"] as? Date == values["createdAt"] as? Date)
    #expect(group["identifier"] as? UUID == values["identifier"] as? UUID)
    #expect(group["body"] as? Data == Data([1]))
    #expect(group["isPinned"] as? Bool == true)
    #expect(group["price"] as? NSDecimalNumber == NSDecimalNumber(string: "10.11"))
    #expect(group["title"] as? String == "t" && group["rating"] as? Int == 7)
    #expect(group["category"] as? NSManagedObjectID == category.objectID)
    #expect((group as? [String: Any])?.count == keys.count)
  }

  @Test("groups contain objects of the entity and its subentities", arguments: StoreKind.allCases)
  func subentities(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let boss = Person(context: stack.context)
    boss.name = "a"
    for (name, salary) in [("a", 1.5), ("b", 2)] {
      let employee = Employee(context: stack.context)
      (employee.name, employee.salary, employee.manager) = (name, salary, boss)
    }
    try stack.save()
    let request = AggregateRequest(
      properties: ["name", AggregateRequest.column("count", "count:(SELF)")],
      groupBy: ["name"],
      sort: [.byName]
    )
    #expect(try fetch(stack, request, "Person").map { $0["count"] as? Int } == [2, 1])
    #expect(try fetch(stack, request, "Employee").map { $0["count"] as? Int } == [1, 1])
    let managers = try fetch(stack, AggregateRequest(properties: ["manager"], isDistinct: true), "Employee")
    #expect(managers.map { $0["manager"] as? NSManagedObjectID } == [boss.objectID])
  }

  @Test(
    "groups can be filtered by a condition of many parts that were joined in pairs",
    arguments: StoreKind.allCases
  )
  func chain(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    for title in ["a", "a", "b"] { stack.note(title) }
    try stack.save()
    let request = AggregateRequest(properties: ["title"], groupBy: ["title"]).request()
    let chain = (0..<2_000).reduce(NSPredicate(format: "count:(SELF) > 1")) { chain, number in
      NSCompoundPredicate(andPredicateWithSubpredicates: [
        chain, NSPredicate(format: "count:(SELF) != %d", number + 10),
      ])
    }
    request.havingPredicate = chain
    #expect(try stack.context.fetch(request) == [["title": "a"]])
  }

  @Test("a too deeply nested group condition is an error", arguments: [StoreKind.sqlite, .inMemory])
  func deep(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let request = AggregateRequest(properties: ["title"], groupBy: ["title"]).request()
    var having = NSPredicate(format: "count:(SELF) > 1")
    for _ in 0..<1000 { having = NSCompoundPredicate(notPredicateWithSubpredicate: having) }
    request.havingPredicate = having
    #expect(throws: NSError.self) { try stack.context.fetch(request) }
    var expression = NSExpression(forKeyPath: "rating")
    for _ in 0..<1000 { expression = NSExpression(forFunction: "abs:", arguments: [expression]) }
    let column = NSExpressionDescription()
    (column.name, column.expression) = ("deep", expression)
    request.havingPredicate = nil
    request.propertiesToGroupBy = nil
    request.propertiesToFetch = [column]
    #expect(throws: NSError.self) { try stack.context.fetch(request) }
  }
}
