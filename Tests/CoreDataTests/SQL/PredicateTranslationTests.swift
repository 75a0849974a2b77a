import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Predicates in SQL")
struct PredicateTranslationTests {
  struct Case: CustomTestStringConvertible, @unchecked Sendable {
    let format: String
    let arguments: [Any?]
    let sql: String
    let bindings: [SQLValue]

    init(_ format: String, _ arguments: [Any?], _ sql: String, _ bindings: SQLValue...) {
      self.format = format
      self.arguments = arguments
      self.sql = sql
      self.bindings = bindings
    }

    init(_ format: String, _ sql: String, _ bindings: SQLValue...) {
      self.format = format
      arguments = []
      self.sql = sql
      self.bindings = bindings
    }

    var testDescription: String { format }
  }

  static let identifier = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  static var comparisons: [Case] {
    [
      Case("rating == 3", "t0.ZRATING = ?", .integer(3)),
      Case("3 == rating", "t0.ZRATING = ?", .integer(3)),
      Case("rating != 3", "t0.ZRATING <> ?", .integer(3)),
      Case("3 != rating", "t0.ZRATING <> ?", .integer(3)),
      Case("NOT rating == 3", "t0.ZRATING <> ?", .integer(3)),
      Case("NOT rating != 3", "t0.ZRATING = ?", .integer(3)),
      Case("rating == nil", "t0.ZRATING IS NULL"),
      Case("rating != nil", "t0.ZRATING IS NOT NULL"),
      Case("NOT nil != rating", "t0.ZRATING IS NULL"),
      Case("rating < 3", "t0.ZRATING < ?", .integer(3)),
      Case("3 < rating", "t0.ZRATING > ?", .integer(3)),
      Case("NOT rating < 3", "NOT (t0.ZRATING < ?)", .integer(3)),
      Case("rating < nil", "0"),
      Case("NOT rating < nil", "0"),
      Case("rating == 2.5", "t0.ZRATING = ?", .real(2.5)),
      Case("rating == 'x'", "0"),
      Case("rating != 'x'", "t0.ZRATING IS NOT NULL"),
      Case("NOT rating < %@", [Double.nan], "t0.ZRATING IS NOT NULL"),
      Case("rating BETWEEN {1, 5}", "t0.ZRATING >= ? AND t0.ZRATING <= ?", .integer(1), .integer(5)),
      Case(
        "NOT rating BETWEEN {1, 5}",
        "NOT (t0.ZRATING >= ?) OR NOT (t0.ZRATING <= ?)",
        .integer(1),
        .integer(5)
      ),
      Case("rating == small", "t0.ZRATING IS t0.ZSMALL"),
      Case("rating != small", "t0.ZRATING <> t0.ZSMALL"),
      Case("rating > ratio", "t0.ZRATING > t0.ZRATIO"),
      Case("rating == title", "t0.ZRATING IS NULL AND t0.ZTITLE IS NULL"),
      Case("rating != title", "t0.ZRATING IS NOT NULL AND t0.ZTITLE IS NOT NULL"),
      Case("isPinned == YES", "t0.ZISPINNED = ?", .integer(1)),
      Case("price > %@", [Decimal(string: "10.5")], "t0.ZPRICE > ?", .real(10.5)),
      Case("price == %@", [Decimal(7)], "t0.ZPRICE = ?", .integer(7)),
      Case("createdAt > %@", [Date(timeIntervalSinceReferenceDate: 9)], "t0.ZCREATEDAT > ?", .real(9)),
      Case(
        "identifier == %@",
        [identifier],
        "t0.ZIDENTIFIER = ?",
        .blob(Data(1...16))
      ),
      Case("link == %@", [URL(string: "https://a.b/c")], "t0.ZLINK = ?", .text("https://a.b/c")),
      Case("body == %@", [Data([1, 2])], "t0.ZBODY = ?", .blob(Data([1, 2]))),
      Case("rating + small > 5", "(t0.ZRATING + t0.ZSMALL) > ?", .integer(5)),
      Case("rating / 2 == 1", "(t0.ZRATING / ?) = ?", .integer(2), .integer(1)),
      Case("ratio / 2 == 1", "(t0.ZRATIO * 1.0 / ?) = ?", .integer(2), .integer(1)),
      Case("rating == 2.0", "t0.ZRATING = ?", .integer(2)),
      Case("price == 0.3", "t0.ZPRICE = ?", .real(0.3)),
      Case("abs(small) == 1", "ABS(t0.ZSMALL) = ?", .integer(1)),
      Case("abs(rating) == 1", "perennial_abs(t0.ZRATING) = ?", .integer(1)),
      Case("modulus:by:(rating, 2) == 1", "(t0.ZRATING % ?) = ?", .integer(2), .integer(1)),
      Case(
        "modulus:by:(rating + 1, 2) == 1",
        "perennial_modulus_by((t0.ZRATING + ?), ?) = ?",
        .integer(1),
        .integer(2),
        .integer(1)
      ),
      Case("title.length > 3", "perennial_length(t0.ZTITLE) > ?", .integer(3)),
      Case("title.uppercaseString == 'A'", "perennial_uppercase(t0.ZTITLE) = ?", .text("A")),
      Case("createdAt.timeIntervalSinceReferenceDate < 3", "t0.ZCREATEDAT < ?", .integer(3)),
      Case("link.absoluteString BEGINSWITH ''", "t0.ZLINK IS NOT NULL"),
      Case("2 > 1", ""),
      Case("2 < 1", "0"),
      Case("'x' != nil", ""),
      Case("NOT 2 < nil", "0"),
    ]
  }

  static var texts: [Case] {
    [
      Case("title == 'a'", "t0.ZTITLE = ?", .text("a")),
      Case("title ==[c] 'A'", "perennial_equal(t0.ZTITLE, ?, 1)", .text("A")),
      Case("title !=[cd] 'A'", "NOT (perennial_equal(t0.ZTITLE, ?, 3))", .text("A")),
      Case("title BEGINSWITH 'ab'", "(t0.ZTITLE >= ? AND t0.ZTITLE < ?)", .text("ab"), .text("ac")),
      Case("title BEGINSWITH ''", "t0.ZTITLE IS NOT NULL"),
      Case("NOT title BEGINSWITH ''", "0"),
      Case("title BEGINSWITH nil", "0"),
      Case("NOT title BEGINSWITH nil", "0"),
      Case("title BEGINSWITH[c] 'a'", "perennial_beginswith(t0.ZTITLE, ?, 1)", .text("a")),
      Case("title ENDSWITH 'ab'", "perennial_hassuffix(t0.ZTITLE, ?)", .text("ab")),
      Case("title ENDSWITH ''", "t0.ZTITLE IS NOT NULL"),
      Case("title CONTAINS 'ab'", "INSTR(t0.ZTITLE, ?) > 0", .text("ab")),
      Case("NOT title CONTAINS 'ab'", "NOT (INSTR(t0.ZTITLE, ?) > 0)", .text("ab")),
      Case("title CONTAINS[d] 'ab'", "perennial_contains(t0.ZTITLE, ?, 2)", .text("ab")),
      Case("title LIKE 'a*'", "perennial_like(t0.ZTITLE, ?, 0)", .text("a*")),
      Case("title MATCHES '[ab]+'", "perennial_matches(t0.ZTITLE, ?, 0)", .text("[ab]+")),
      Case("title <[c] 'B'", "t0.ZTITLE < ? COLLATE NSCollateNoCase", .text("B")),
      Case(
        "title CONTAINS category.name",
        " LEFT JOIN ZCATEGORY t1 ON t1.Z_PK = t0.ZCATEGORYperennial_contains(t0.ZTITLE, t1.ZNAME, 0)"
      ),
      Case("'abc' CONTAINS title", "perennial_contains(?, t0.ZTITLE, 0)", .text("abc")),
      Case("title IN 'abc'", "perennial_contains(?, t0.ZTITLE, 0)", .text("abc")),
      Case("lowercase:(title) == 'a'", "perennial_lowercase(t0.ZTITLE) = ?", .text("a")),
      Case("title == \"x' OR '1'='1\"", "t0.ZTITLE = ?", .text("x' OR '1'='1")),
    ]
  }

  static var lists: [Case] {
    [
      Case("rating IN {1, 2}", "t0.ZRATING IN (?, ?)", .integer(1), .integer(2)),
      Case("rating IN {}", "0"),
      Case("NOT rating IN {}", ""),
      Case("NOT rating IN {1}", "t0.ZRATING NOT IN (?)", .integer(1)),
      Case("NOT rating IN {'x'}", "t0.ZRATING IS NOT NULL"),
      Case(
        "NOT rating IN {1, 2.5}",
        "t0.ZRATING NOT IN (?) AND t0.ZRATING NOT IN (?)",
        .integer(1),
        .real(2.5)
      ),
      Case("rating IN %@", [[1, NSNull()] as [Any]], "t0.ZRATING IN (?) OR t0.ZRATING IS NULL", .integer(1)),
      Case(
        "NOT rating IN %@",
        [[1, NSNull()] as [Any]],
        "t0.ZRATING IS NOT NULL AND t0.ZRATING NOT IN (?)",
        .integer(1)
      ),
      Case("rating IN {1, 'x'}", "t0.ZRATING IN (?)", .integer(1)),
      Case("rating IN {1, 2.5}", "t0.ZRATING IN (?) OR t0.ZRATING IN (?)", .integer(1), .real(2.5)),
      Case("title IN[c] {'A'}", "perennial_fold(t0.ZTITLE, 1) IN (?)", .text("a")),
      Case(
        "rating IN %@",
        [Array(1...501)],
        "t0.ZRATING IN (SELECT value FROM json_each(?))",
        .text("[\((1...501).map(String.init).joined(separator: ","))]")
      ),
      Case("1 IN {1, 2}", ""),
      Case(
        "title IN {category.name, 'x'}",
        " LEFT JOIN ZCATEGORY t1 ON t1.Z_PK = t0.ZCATEGORYt0.ZTITLE IS t1.ZNAME OR t0.ZTITLE = ?",
        .text("x")
      ),
    ]
  }

  static var keyPaths: [Case] {
    [
      Case("category == nil", "t0.ZCATEGORY IS NULL"),
      Case(
        "category.name == 'a'",
        " LEFT JOIN ZCATEGORY t1 ON t1.Z_PK = t0.ZCATEGORYt1.ZNAME = ?",
        .text("a")
      ),
      Case(
        "category.name == 'a' OR category.name == 'b'",
        " LEFT JOIN ZCATEGORY t1 ON t1.Z_PK = t0.ZCATEGORYt1.ZNAME = ? OR t1.ZNAME = ?",
        .text("a"),
        .text("b")
      ),
      Case(
        "category.badge == nil",
        " LEFT JOIN ZCATEGORY t1 ON t1.Z_PK = t0.ZCATEGORYt1.ZBADGE IS NULL"
      ),
      Case(
        "ANY tags.name == 'a'",
        "EXISTS (SELECT 1 FROM Z_3TAGS t2 JOIN ZTAG t1 ON t1.Z_PK = t2.Z_7TAGS WHERE t2.Z_3NOTES = t0.Z_PK AND t1.ZNAME = ?)",
        .text("a")
      ),
      Case(
        "NONE pages.number == 1",
        "NOT EXISTS (SELECT 1 FROM ZPAGE t1 WHERE t1.ZNOTE = t0.Z_PK AND t1.ZNUMBER = ?)",
        .integer(1)
      ),
      Case(
        "ALL pages.number > 1",
        "NOT EXISTS (SELECT 1 FROM ZPAGE t1 WHERE t1.ZNOTE = t0.Z_PK AND (t1.ZNUMBER > ?) IS NOT TRUE)",
        .integer(1)
      ),
      Case(
        "ALL pages.number != 1",
        "NOT EXISTS (SELECT 1 FROM ZPAGE t1 WHERE t1.ZNOTE = t0.Z_PK AND (t1.ZNUMBER <> ?) IS NOT TRUE)",
        .integer(1)
      ),
      Case(
        "NOT ALL pages.number > 1",
        "EXISTS (SELECT 1 FROM ZPAGE t1 WHERE t1.ZNOTE = t0.Z_PK AND (t1.ZNUMBER > ?) IS NOT TRUE)",
        .integer(1)
      ),
      Case(
        "NOT 1 IN pages.number",
        "NOT EXISTS (SELECT 1 FROM ZPAGE t1 WHERE t1.ZNOTE = t0.Z_PK AND t1.ZNUMBER = ?)",
        .integer(1)
      ),
      Case(
        "category.name != 'a'",
        " LEFT JOIN ZCATEGORY t1 ON t1.Z_PK = t0.ZCATEGORYt1.ZNAME <> ?",
        .text("a")
      ),
      Case(
        "pages.@count > 2",
        "(SELECT COUNT(*) FROM ZPAGE t1 WHERE t1.ZNOTE = t0.Z_PK) > ?",
        .integer(2)
      ),
      Case(
        "pages.@max.number == 2",
        "(SELECT MAX(t1.ZNUMBER) FROM ZPAGE t1 WHERE t1.ZNOTE = t0.Z_PK) = ?",
        .integer(2)
      ),
      Case(
        "pages.@sum.number > 2",
        "COALESCE((SELECT SUM(t1.ZNUMBER) FROM ZPAGE t1 WHERE t1.ZNOTE = t0.Z_PK), 0) > ?",
        .integer(2)
      ),
      Case(
        "category.notes.@sum.rating > 2",
        " LEFT JOIN ZCATEGORY t1 ON t1.Z_PK = t0.ZCATEGORY(SELECT perennial_wholesum(t2.ZRATING) FROM ZNOTE t2 WHERE t2.ZCATEGORY = t1.Z_PK) > ?",
        .integer(2)
      ),
      Case(
        "category.notes.@avg.rating > 2",
        " LEFT JOIN ZCATEGORY t1 ON t1.Z_PK = t0.ZCATEGORY(SELECT (perennial_wholesum(t2.ZRATING) * 1.0 / COUNT(t2.ZRATING)) FROM ZNOTE t2 WHERE t2.ZCATEGORY = t1.Z_PK) > ?",
        .integer(2)
      ),
      Case(
        "SUBQUERY(pages, $p, $p.number > 1 AND $p.note.rating == rating).@count == 1",
        "(SELECT COUNT(*) FROM ZPAGE t1 LEFT JOIN ZNOTE t2 ON t2.Z_PK = t1.ZNOTE WHERE t1.ZNOTE = t0.Z_PK AND (t1.ZNUMBER > ? AND t2.ZRATING IS t0.ZRATING)) = ?",
        .integer(1),
        .integer(1)
      ),
      Case(
        "ANY category.notes.title == 'a'",
        " LEFT JOIN ZCATEGORY t1 ON t1.Z_PK = t0.ZCATEGORYEXISTS (SELECT 1 FROM ZNOTE t2 WHERE t2.ZCATEGORY = t1.Z_PK AND t2.ZTITLE = ?)",
        .text("a")
      ),
      Case(
        "rating == 1 OR rating == 2 AND title == 'x'",
        "t0.ZRATING = ? OR (t0.ZRATING = ? AND t0.ZTITLE = ?)",
        .integer(1),
        .integer(2),
        .text("x")
      ),
      Case(
        "NOT (rating == 1 AND title == 'x')",
        "t0.ZRATING <> ? OR t0.ZTITLE <> ?",
        .integer(1),
        .text("x")
      ),
    ]
  }

  @Test("comparisons bind their constants", arguments: comparisons)
  func comparison(_ example: Case) throws { try check(example) }

  @Test("text tests use plain operators if every difference matters", arguments: texts)
  func text(_ example: Case) throws { try check(example) }

  @Test("lists are bound element by element, and as JSON when they are long", arguments: lists)
  func list(_ example: Case) throws { try check(example) }

  @Test("key paths join to-one destinations and ask to-many ones by a query inside", arguments: keyPaths)
  func keyPath(_ example: Case) throws { try check(example) }

  static let decimals = [
    "price + 1 == 2", "2 * price < 2", "price / rating != 2", "NOT price - 0.1 IN {0.2, 3}",
    "TERNARY(rating > 1, price, 1) - 1 == 2", "floor:(price) + 0.5 > 1",
    "CAST(ratio, 'NSDecimalNumber') + 1 == 2",
    "category.notes.@sum.price == 0.6", "category.notes.@avg.price == 0.2",
    "rating == 1 OR SUBQUERY(pages, $p, $p.note.price * 2 == 0.2).@count == 1",
  ]

  @Test("calculations with decimal numbers are left to memory before anything runs", arguments: decimals)
  func decimal(_ format: String) throws {
    let predicate = try NSPredicate(parsing: format, arguments: [])
    #expect(throws: SQLUntranslatable.self) { try TranslatedFetch.statement("Note", predicate) }
  }

  /// The statements that SQLite executes for a fetch of object IDs.
  private func executed(
    _ entity: String,
    _ configure: (NSFetchRequest<NSManagedObjectID>) throws -> Void = { _ in }
  ) throws -> SQLStatement {
    let stack = try Stack(.sqlite, recording: .bindings)
    let request = NSFetchRequest<NSManagedObjectID>(entityName: entity)
    request.resultType = .managedObjectIDResultType
    request.includesPropertyValues = false
    try configure(request)
    let statements = try stack.executed { _ = try stack.context.fetch(request) }
    #expect(statements.count == 1)
    return try #require(statements.first)
  }

  private func check(_ example: Case) throws {
    let statement = try executed("Note") { request in
      request.predicate = try NSPredicate(parsing: example.format, arguments: example.arguments)
    }
    let table = "SELECT t0.Z_PK, t0.Z_ENT FROM ZNOTE t0"
    #expect(statement.sql.hasPrefix(table))
    let condition = statement.sql.dropFirst(table.count).replacing(" WHERE ", with: "", maxReplacements: 1)
    #expect(condition == example.sql)
    #expect(statement.bindings == example.bindings)
  }

  @Test("a fetch of a superentity asks for no entity, one of a subentity does")
  func entities() throws {
    #expect(try executed("Person").sql == "SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON t0")
    #expect(try executed("Employee").sql == "SELECT t0.Z_PK, t0.Z_ENT FROM ZPERSON t0 WHERE t0.Z_ENT = 6")
    let stack = try Stack(.sqlite, recording: .bindings)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
    request.includesSubentities = false
    let counted = try stack.executed { _ = try stack.context.count(for: request) }
    #expect(counted.map(\.sql) == ["SELECT COUNT(*) FROM ZPERSON t0 WHERE t0.Z_ENT = 5"])
  }

  @Test("sort descriptors become terms with collations, and limits are bound")
  func sorting() throws {
    let sort = [
      NSSortDescriptor(key: "category.name", ascending: false),
      NSSortDescriptor(key: "title", ascending: true, selector: "localizedStandardCompare:"),
      NSSortDescriptor(key: "title", ascending: true, selector: "caseInsensitiveCompare:"),
    ]
    let statement = try executed("Note") { request in
      request.sortDescriptors = sort
      (request.fetchLimit, request.fetchOffset) = (5, 10)
    }
    #expect(
      statement.sql
        == "SELECT t0.Z_PK, t0.Z_ENT FROM ZNOTE t0 LEFT JOIN ZCATEGORY t1 ON t1.Z_PK = t0.ZCATEGORY ORDER BY t1.ZNAME DESC, "
        + "t0.ZTITLE COLLATE NSCollateFinderlike, t0.ZTITLE COLLATE NSCollateNoCase LIMIT ? OFFSET ?"
    )
    #expect(statement.bindings == [.integer(5), .integer(10)])
  }

  @Test(
    "an order by objects is one by their keys",
    arguments: ["objectID", "self", "SELF", nil] as [String?]
  )
  func sortingByID(_ key: String?) throws {
    let statement = try executed("Note") { request in
      request.sortDescriptors = [
        NSSortDescriptor(key: "category.objectID", ascending: true),
        NSSortDescriptor(key: key, ascending: false),
      ]
    }
    #expect(statement.sql == "SELECT t0.Z_PK, t0.Z_ENT FROM ZNOTE t0 ORDER BY t0.ZCATEGORY, t0.Z_PK DESC")
  }
}
