import CoreData
import Foundation
import Testing

@testable import CoreData

#if PostgreSQL
  @testable import CoreDataPostgreSQL
#endif

@Suite("Statements of fetches of one shape")
struct FetchTextsTests {
  /// A cached translation, whose statements are compared with new translations.
  private struct Texts {
    let schema: SQLSchema
    let dialect: any SQLDialect
    let texts: SQLFetchTexts

    init(_ schema: SQLSchema, _ dialect: any SQLDialect) {
      self.schema = schema
      self.dialect = dialect
      texts = SQLFetchTexts(dialect: dialect)
    }

    static func all() -> [Texts] {
      var all = [Texts(TranslatedFetch.schema, SQLiteDialect())]
      #if PostgreSQL
        all.append(Texts(PostgreSQLText.schema, PostgreSQLText.dialect))
      #endif
      return all
    }

    /// The statement, and whether the query was translated for it.
    func statement(
      of query: FetchQuery,
      _ answer: SQLFetchShape.Answer = .keys
    ) throws -> (statement: SQLStatement, isTranslated: Bool) {
      var isTranslated = false
      let statement = try texts.statement(of: query, answer: answer, store: 0) {
        isTranslated = true
        let fetch = try SQLFetch(query, schema: schema, store: 0, dialect: dialect)
        return (fetch.scope, try answer == .count ? fetch.count() : fetch.rows(fetch.keyColumns))
      }
      return (statement, isTranslated)
    }

    func translated(_ query: FetchQuery) throws -> SQLStatement {
      let fetch = try SQLFetch(query, schema: schema, store: 0, dialect: dialect)
      return try fetch.rows(fetch.keyColumns)
    }
  }

  private static func query(_ entity: String, _ format: String? = nil, _ arguments: [Any?] = []) throws
    -> FetchQuery
  {
    // Creating a schema puts the model in use, so that it has its properties.
    _ = TranslatedFetch.schema
    var query = FetchQuery(entity: try #require(TestModel.shared.entitiesByName[entity]))
    query.predicate = try format.map { try NSPredicate(parsing: $0, arguments: arguments) }
    return query
  }

  private static var constants: [Any?] {
    [
      1, -7, Int64.max, UInt64.max, 0.5, 3.0, -0.0, Double.infinity, Double.nan, Decimal(string: "2.25"),
      Decimal(4), Decimal.nan, true, "", "a", "caf\u{E9}", "%_", Date(timeIntervalSinceReferenceDate: 12.5),
      nil,
      NSNull(), UUID(uuidString: "3F2504E0-4F89-11D3-9A0C-0305E82C3301"),
      URL(string: "https://example.org/a"),
      Data([1, 2]), Data(), [1, 2],
    ]
  }

  @Test(
    "cached statements of fetches equal new translations, whatever was compared before",
    arguments: [
      "title", "rating", "createdAt", "isPinned", "small", "ratio", "share", "price", "body", "identifier",
      "link", "category", "category.name", "category.badge.color", "tags.@count", "SELF", "draft", "nothing",
    ]
  )
  func values(_ key: String) throws {
    for texts in Texts.all() {
      for sign in ["==", "!=", "<", ">="] {
        // A value of each database type, and null.
        for before in [1, 0.5, Decimal(4), "a", Date(timeIntervalSinceReferenceDate: 1), Data([1]), nil]
          as [Any?]
        {
          let texts = Texts(texts.schema, texts.dialect)
          _ = try? texts.statement(of: Self.query("Note", "\(key) \(sign) %@", [before]))
          for constant in Self.constants {
            let query = try Self.query("Note", "\(key) \(sign) %@", [constant])
            let expected = Result { try texts.translated(query) }
            switch (expected, Result { try texts.statement(of: query).statement }) {
            case (.success(let expected), .success(let found)):
              #expect(found == expected, "\(key) \(sign) \(constant ?? "nil"), after \(before ?? "nil")")
            case (.failure(let expected), .failure(let found)):
              #expect("\(found)" == "\(expected)")
            default: Issue.record("\(key) \(sign) \(constant ?? "nil"), after \(before ?? "nil")")
            }
          }
        }
      }
    }
  }

  @Test("fetches of one shape are translated once, with their constants in place")
  func once() throws {
    for texts in Texts.all() {
      var translations = 0
      for number in 0..<20 {
        var query = try Self.query(
          "Note",
          "rating > %d AND title == %@ AND category.name != %@ AND ratio <= %f",
          [number, "title \(number)", "name \(number)", Double(number) / 2]
        )
        query.sortDescriptors = [
          NSSortDescriptor(key: "title", ascending: false, selector: "localizedStandardCompare:"),
          NSSortDescriptor(key: "category.name", ascending: true),
        ]
        query.limit = 5
        let (statement, isTranslated) = try texts.statement(of: query)
        #expect(try statement == texts.translated(query))
        if isTranslated { translations += 1 }
      }
      #expect(translations == 1)
    }
  }

  @Test("statements of fetches differ by everything else that their text depends on")
  func shapes() throws {
    let changes: [(inout FetchQuery) -> Void] = [
      { _ in },
      { $0.limit = 1 },
      { $0.limit = 2 },
      { $0.includesSubentities = false },
      { $0.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)] },
      { $0.sortDescriptors = [NSSortDescriptor(key: "name", ascending: false)] },
      {
        $0.sortDescriptors = [
          NSSortDescriptor(key: "name", ascending: false, selector: "caseInsensitiveCompare:")
        ]
      },
      { $0.offset = 2 },
      { $0.keys = [1, 2] },
      { $0.after = 3 },
      { $0.span = KeySpan(isAscending: false) },
      { $0.slice = 1...7 },
      { $0.predicate = nil },
      { $0.predicate = NSPredicate(format: "name ==[c] %@", "a") },
      { $0.predicate = NSPredicate(format: "name == %@ OR name == %@", "a", "b") },
      { $0.predicate = NSPredicate(format: "NOT name == %@", "a") },
      { $0.predicate = NSPredicate(format: "%@ == name", "a") },
    ]
    for texts in Texts.all() {
      for _ in 0..<2 {
        for change in changes {
          var query = try Self.query("Person", "name == %@", ["a"])
          change(&query)
          #expect(try texts.statement(of: query).statement == texts.translated(query))
        }
      }
      let query = try Self.query("Person", "name == %@", ["a"])
      #expect(try texts.statement(of: query, .count).isTranslated)
      #expect(try !texts.statement(of: query, .count).isTranslated)
      #expect(try !texts.statement(of: query, .keys).isTranslated)
    }
  }

  @Test("bind an object that is compared for the store that is asked")
  func objects() throws {
    let stack = try Stack(.sqlite)
    let categories = (0..<3).map { _ in Category(context: stack.context) }
    for (index, category) in categories.enumerated() { category.name = "name \(index)" }
    let note = Note(context: stack.context)
    note.title = "a"
    note.category = categories[1]
    try stack.save()
    let request = NSFetchRequest<Note>(entityName: "Note")
    for _ in 0..<2 {
      let counts = try categories.map { category in
        request.predicate = NSPredicate(format: "category == %@", category)
        return try stack.newContext().count(for: request)
      }
      #expect(counts == [0, 1, 0])
      request.predicate = NSPredicate(format: "category == %@", note)
      #expect(try stack.newContext().fetch(request).isEmpty)
    }
  }

  @Test("statements of a program with ever-changing predicates are not cached forever")
  func limit() throws {
    let texts = try #require(Texts.all().first)
    let first = try Self.query("Note", "rating == %d", [1])
    #expect(try texts.statement(of: first).isTranslated)
    for limit in 1...600 {
      var query = first
      query.limit = limit
      _ = try texts.statement(of: query)
    }
    #expect(try texts.statement(of: first).isTranslated)
  }

  @Test("cached statements retain no compared values, nor a predicate that was made for a list")
  func contents() throws {
    let texts = try #require(Texts.all().first)
    final class Count { var number = 0 }
    let freed = Count()
    try {
      let bytes = UnsafeMutableRawPointer.allocate(byteCount: 1 << 20, alignment: 1)
      bytes.initializeMemory(as: UInt8.self, repeating: 7, count: 1 << 20)
      let data = Data(
        bytesNoCopy: bytes,
        count: 1 << 20,
        deallocator: .custom { pointer, _ in
          pointer.deallocate()
          freed.number += 1
        }
      )
      _ = try texts.statement(of: Self.query("Tag", "name == %@ AND name != %@", ["a", "b"]))
      _ = try texts.statement(of: Self.query("Note", "body == %@", [data]))
    }()
    #expect(freed.number == 1)
    let long = try Self.query("Note", (0..<21).map { "rating != \($0)" }.joined(separator: " AND "))
    #expect(try texts.statement(of: long).isTranslated)
    #expect(try texts.statement(of: long).isTranslated)
  }

  @Test("fetches of another model's entity are refused, whatever was fetched before")
  func otherModel() throws {
    let stack = try Stack(.sqlite)
    stack.note("a")
    try stack.save()
    let store = try #require(stack.coordinator.persistentStores.first as? SQLiteStore)
    let other = TestModel.make()
    other.freeze()
    for _ in 0..<2 {
      #expect(try store.count(Self.query("Note")) == 1)
      let query = FetchQuery(entity: try #require(other.entitiesByName["Note"]))
      #expect(throws: NSError.self) { try store.count(query) }
      #expect(throws: NSError.self) { try store.fetch(query) }
    }
  }
}
