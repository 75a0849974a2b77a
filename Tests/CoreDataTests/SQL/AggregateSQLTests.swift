import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Groups in SQL")
struct AggregateSQLTests {
  private let stack: Stack

  /// Four saved notes, two of which are in a category.
  init() throws {
    stack = try Stack(.sqlite, recording: [.bindings])
    let category = stack.category("c")
    for (number, title) in ["a", "b", "a", "c"].enumerated() {
      stack.note(title, rating: Int64(number), number < 2 ? category : nil)
    }
    try stack.save()
  }

  /// The statements that a request executes, and its results.
  private func fetch(
    _ request: AggregateRequest,
    _ entity: String = "Note",
    in context: NSManagedObjectContext? = nil
  ) throws -> (sql: [SQLStatement], found: [NSDictionary]) {
    var found: [NSDictionary] = []
    let sql = try stack.executed { found = try (context ?? stack.context).fetch(request.request(entity)) }
    return (sql, found)
  }

  private static let total = AggregateRequest.column("total", "sum:(rating)", .integer64AttributeType)

  @Test("groups are formed, filtered, sorted and limited by one statement, without creating objects")
  func groups() throws {
    stack.context.reset()
    let (sql, found) = try fetch(
      AggregateRequest(
        properties: ["title", Self.total, AggregateRequest.column("count", "count:(SELF)")],
        groupBy: ["title"],
        having: "total > 0 AND count:(rating) < 5",
        predicate: "rating < 9",
        sort: [NSSortDescriptor(key: "total", ascending: false), .byTitle],
        limit: 2,
        offset: 1
      )
    )
    #expect(
      sql == [
        SQLStatement(
          sql: "SELECT t0.ZTITLE, COALESCE(SUM(t0.ZRATING), 0), COUNT(*) FROM ZNOTE t0 WHERE t0.ZRATING < ? "
            + "GROUP BY t0.ZTITLE HAVING COALESCE(SUM(t0.ZRATING), 0) > ? AND COUNT(t0.ZRATING) < ? "
            + "ORDER BY 2 DESC, t0.ZTITLE LIMIT ? OFFSET ?",
          bindings: [.integer(9), .integer(0), .integer(5), .integer(2), .integer(1)]
        )
      ]
    )
    #expect(found == [["title": "a", "total": 2, "count": 2], ["title": "b", "total": 1, "count": 1]])
    #expect(stack.context.registeredObjects.isEmpty)
  }

  @Test("without a grouping key there is one group, and functions are SQL's")
  func functions() throws {
    let (sql, found) = try fetch(
      AggregateRequest(
        properties: [
          AggregateRequest.column("mean", "average:(rating)"),
          AggregateRequest.column("ratio", "sum:(ratio)"),
          AggregateRequest.column("ratioMean", "average:(ratio)"),
          AggregateRequest.column("span", "max:(rating) - min:(rating)"),
          AggregateRequest.column("named", "count:(category.name)"),
        ]
      )
    )
    #expect(
      sql.map(\.sql) == [
        "SELECT (SUM(t0.ZRATING) * 1.0 / COUNT(t0.ZRATING)), CASE WHEN COUNT(t0.ZRATIO) = 0 THEN 0 ELSE "
          + "SUM(t0.ZRATIO) END, AVG(t0.ZRATIO), (MAX(t0.ZRATING) - MIN(t0.ZRATING)), COUNT(t1.ZNAME) "
          + "FROM ZNOTE t0 LEFT JOIN ZCATEGORY t1 ON t1.Z_PK = t0.ZCATEGORY"
      ]
    )
    #expect(found == [["mean": 1.5, "ratio": 0, "span": 3, "named": 2]])
  }

  @Test("collection operators of key paths are functions of SQL, also in conditions")
  func operators() throws {
    let columns = ["@sum.rating", "@count", "@avg.ratio", "@min.title", "@max.category.name"].map { keyPath in
      let column = NSExpressionDescription()
      (column.name, column.expression) = (keyPath, NSExpression(forKeyPath: keyPath))
      return column
    }
    let (sql, found) = try fetch(
      AggregateRequest(properties: columns, groupBy: ["title"], having: "@sum.rating > 2", sort: [.byTitle])
    )
    #expect(
      sql == [
        SQLStatement(
          sql: "SELECT COALESCE(SUM(t0.ZRATING), 0), COUNT(*), AVG(t0.ZRATIO), MIN(t0.ZTITLE), MAX(t1.ZNAME) "
            + "FROM ZNOTE t0 LEFT JOIN ZCATEGORY t1 ON t1.Z_PK = t0.ZCATEGORY GROUP BY t0.ZTITLE "
            + "HAVING COALESCE(SUM(t0.ZRATING), 0) > ? ORDER BY t0.ZTITLE",
          bindings: [.integer(2)]
        )
      ]
    )
    #expect(found == [["@sum.rating": 3, "@count": 1, "@min.title": "c"]])
  }

  @Test("sums and means of decimal numbers are decimal numbers")
  func decimals() throws {
    for (note, price) in zip(try stack.fetch(Note.self, sort: [.byTitle]), ["0.1", "0.2", "10.11"]) {
      note.setValue(NSDecimalNumber(string: price), forKey: "price")
    }
    try stack.save()
    let request = AggregateRequest(
      properties: [
        "title", AggregateRequest.column("total", "sum:(price)", .decimalAttributeType),
        AggregateRequest.column("mean", "average:(price)"),
      ],
      groupBy: ["title"],
      sort: [.byTitle]
    )
    let (sql, found) = try fetch(request)
    #expect(
      sql.map(\.sql) == [
        "SELECT t0.ZTITLE, perennial_sum(t0.ZPRICE), perennial_average(t0.ZPRICE) FROM ZNOTE t0 "
          + "GROUP BY t0.ZTITLE ORDER BY t0.ZTITLE"
      ]
    )
    let (tenths, mean, eleven) = (Decimal(3) / 10, Decimal(15) / 100, Decimal(1011) / 100)
    #expect(
      found == [
        ["title": "a", "total": tenths as NSDecimalNumber, "mean": mean as NSDecimalNumber],
        ["title": "b", "total": eleven as NSDecimalNumber, "mean": eleven as NSDecimalNumber],
        ["title": "c", "total": 0],
      ]
    )
  }

  @Test("a sum of decimals that is sorted or compared is computed from objects")
  func orderOfDecimals() throws {
    let total = AggregateRequest.column("total", "sum:(price)", .decimalAttributeType)
    let sorted = AggregateRequest(
      properties: ["title", total],
      groupBy: ["title"],
      sort: [NSSortDescriptor(key: "total", ascending: false), .byTitle]
    )
    let compared = AggregateRequest(properties: ["title", total], groupBy: ["title"], having: "total > 1")
    for request in [sorted, compared] {
      #expect(try fetch(request).sql.allSatisfy { !$0.sql.contains("perennial_sum") })
    }
  }

  @Test("invalid decimal numbers in a column are left to the objects, whose error names them")
  func noDecimals() throws {
    try TemporaryFolder().execute(
      "UPDATE ZNOTE SET ZPRICE = x'00' WHERE ZTITLE = 'b'",
      at: stack.folder.appendingPathComponent("store.sqlite")
    )
    let request = AggregateRequest(properties: [AggregateRequest.column("total", "sum:(price)")])
    let error = #expect(throws: NSError.self) { try stack.newContext().fetch(request.request()) }
    #expect(error?.localizedDescription.contains("price") == true)
  }

  @Test("distinct results are groups in SQL, and relationships are their keys")
  func distinct() throws {
    let (sql, found) = try fetch(
      AggregateRequest(properties: ["title", "category"], sort: [.byTitle], limit: 1, isDistinct: true)
    )
    #expect(
      sql.map(\.sql) == [
        "SELECT t0.ZTITLE, t0.ZCATEGORY FROM ZNOTE t0 GROUP BY t0.ZTITLE, t0.ZCATEGORY ORDER BY t0.ZTITLE LIMIT ?"
      ]
    )
    #expect(found.first?["title"] as? String == "a")
  }

  @Test("groups by a calculated key name its column, and bind its values once")
  func calculatedKeys() throws {
    let half = AggregateRequest.column("half", "modulus:by:(rating, 2)")
    let (sql, found) = try fetch(
      AggregateRequest(
        properties: [half, Self.total],
        groupBy: [half],
        sort: [NSSortDescriptor(key: "half", ascending: true)]
      )
    )
    #expect(
      sql == [
        SQLStatement(
          sql: "SELECT (t0.ZRATING % ?), COALESCE(SUM(t0.ZRATING), 0) FROM ZNOTE t0 GROUP BY 1 ORDER BY 1",
          bindings: [.integer(2)]
        )
      ]
    )
    #expect(found == [["half": 0, "total": 2], ["half": 1, "total": 4]])
  }

  @Test("distinct results can have calculated values and values along relationships")
  func eachObject() throws {
    let (sql, found) = try fetch(
      AggregateRequest(
        properties: ["category.name", AggregateRequest.column("double", "rating * 2")],
        sort: [NSSortDescriptor(key: "rating", ascending: false)],
        limit: 3
      )
    )
    #expect(
      sql.map(\.sql) == [
        "SELECT t1.ZNAME, (t0.ZRATING * ?) FROM ZNOTE t0 LEFT JOIN ZCATEGORY t1 ON t1.Z_PK = t0.ZCATEGORY "
          + "ORDER BY t0.ZRATING DESC LIMIT ?"
      ]
    )
    #expect(found == [["double": 6], ["double": 4], ["double": 2, "category.name": "c"]])
  }

  @Test("groups in SQL contain objects of the requested entity and its subentities")
  func subentities() throws {
    let count = AggregateRequest(properties: [AggregateRequest.column("count", "count:(name)")])
    let number = try #require(stack.coordinator.managedObjectModel.entitiesByName["Employee"]?.number)
    #expect(try fetch(count, "Person").sql.map(\.sql) == ["SELECT COUNT(t0.ZNAME) FROM ZPERSON t0"])
    #expect(
      try fetch(count, "Employee").sql.map(\.sql)
        == ["SELECT COUNT(t0.ZNAME) FROM ZPERSON t0 WHERE t0.Z_ENT = \(number)"]
    )
    let request = count.request("Person")
    request.includesSubentities = false
    let sql = try stack.executed { _ = try stack.context.fetch(request) }
    #expect(sql.first?.sql.contains("WHERE t0.Z_ENT = ") == true)
  }

  @Test(
    "groups are formed of objects if SQL has other results, or none",
    arguments: [
      "sum:(price) * 2", "sum:(title)", "average:(createdAt)", "median:(rating)", "max:(body)", "sum:(draft)",
      "count:(tags)", "sqrt:(sum:(rating))", "(sum:(ratio) + 1) / 2",
    ]
  )
  func unsaid(_ format: String) throws {
    let request = AggregateRequest(properties: [AggregateRequest.column("x", format)])
    // Some of these are not expressions over a group, but the fetch is the same.
    let sql = try stack.executed { _ = try? stack.context.fetch(request.request()) }
    #expect(sql.first?.sql.hasPrefix("SELECT t0.Z_PK, t0.Z_OPT") == true)
  }

  @Test("groups are formed of objects if these are sorted by values outside of a group")
  func unsaidOrder() throws {
    for key in ["rating", "category.name"] {
      let request = AggregateRequest(
        properties: ["title"],
        groupBy: ["title"],
        sort: [NSSortDescriptor(key: key, ascending: false)]
      )
      let (sql, found) = try fetch(request)
      #expect(sql.allSatisfy { !$0.sql.contains("GROUP BY") })
      #expect(found.count == 3)
    }
  }

  @Test("a sum that overflows, and a value that cannot be read, are left to the objects")
  func differentValues() throws {
    stack.note("huge", rating: .max)
    stack.note("huge", rating: .max)
    try stack.save()
    let request = AggregateRequest(properties: [AggregateRequest.column("sum", "sum:(rating)")])
    let (sql, found) = try fetch(request)
    #expect(sql.last?.sql.hasPrefix("SELECT t0.Z_PK, t0.Z_OPT") == true)
    #expect(found == [["sum": 2 * Double(Int64.max) + 6]])
    try TemporaryFolder().execute(
      "UPDATE ZNOTE SET ZRATING = 'text' WHERE ZTITLE = 'b'",
      at: stack.folder.appendingPathComponent("store.sqlite")
    )
    let byRating = AggregateRequest(properties: ["rating"], groupBy: ["rating"])
    #expect(throws: NSError.self) { try stack.newContext().fetch(byRating.request()) }
  }

  @Test("IDs are fetched without the values of their objects, unless something is done with these")
  func objectIDs() throws {
    let request = NSFetchRequest<NSManagedObjectID>(entityName: "Tag")
    request.resultType = .managedObjectIDResultType
    let sql = try stack.executed { _ = try stack.context.fetch(request) }
    #expect(sql.map(\.sql) == ["SELECT t0.Z_PK, t0.Z_ENT FROM ZTAG t0"])
    request.returnsObjectsAsFaults = false
    let withValues = try stack.executed { _ = try stack.context.fetch(request) }
    #expect(withValues.map(\.sql) == ["SELECT t0.Z_PK, t0.Z_OPT, t0.Z_ENT, t0.ZNAME FROM ZTAG t0"])
  }
}
