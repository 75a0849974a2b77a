import CoreData
import Foundation
import Testing

@testable import CoreData

/// The objects that predicates find when values are missing: by the rule of memory and by that of databases, as
/// Documentation/Predicates.md states them.
@Suite("Predicates on missing values")
struct NullTests {
  /// A predicate, and the titles of the notes that it finds.
  private struct Case: Sendable {
    let format: String
    let inMemory: String
    let inSQL: String

    init(_ format: String, _ inMemory: String, inSQL: String? = nil) {
      self.format = format
      self.inMemory = inMemory
      self.inSQL = inSQL ?? inMemory
    }
  }

  /// Four notes, named by title. `a` and `b` have all values, `m` has neither a rating nor a category, and `n` has only a
  /// category without a name. The page of `a` has the number 1, one page of `b` has the number 2, and its other page has
  /// none. The page of `m` has no number, and `n` has no pages.
  private func library(_ kind: StoreKind, isSaved: Bool) throws -> Stack {
    let stack = try Stack(kind)
    let categories = [stack.category("x"), stack.category("y"), Category(context: stack.context)]
    func add(_ title: String, _ category: Category?, pages: [Int?], _ values: [String: Any]) {
      let note = stack.note(title, category)
      note.setValue(nil, forKey: "rating")
      for (key, value) in values { note.setValue(value, forKey: key) }
      for number in pages {
        let page = Page(context: stack.context)
        page.setValue(number, forKey: "number")
        page.note = note
      }
    }
    add("a", categories[0], pages: [1], ["rating": 1, "small": 1, "isPinned": true])
    add("b", categories[1], pages: [2, nil], ["rating": 2, "small": 1, "isPinned": false])
    add("m", nil, pages: [nil], ["small": 1])
    add("n", categories[2], pages: [], [:])
    if isSaved { try stack.save() }
    return stack
  }

  /// `==` and `!=`.
  private static let equality = [
    Case("rating == 1", "a"),
    Case("rating != 1", "bmn", inSQL: "b"),
    Case("NOT rating == 1", "bmn", inSQL: "b"),
    Case("NOT rating != 1", "a"),
    Case("NOT (NOT rating == 1)", "a"),
    Case("1 != rating", "bmn", inSQL: "b"),
    Case("rating != 1 OR rating == nil", "bmn"),
    Case("rating != 1 AND rating != nil", "b"),
    Case("rating != 'x'", "abmn", inSQL: "ab"),
    Case("rating + 1 != 2", "bmn", inSQL: "b"),
    Case("rating == small", "an"),
    Case("rating != small", "bm", inSQL: "b"),
    Case("NOT rating == small", "bm", inSQL: "b"),
    Case("isPinned == YES", "a"),
    Case("isPinned == NO", "b"),
    Case("isPinned != YES", "bmn", inSQL: "b"),
    Case("NOT isPinned == NO", "amn", inSQL: "a"),
    Case("category.name == 'x'", "a"),
    Case("category.name != 'x'", "bmn", inSQL: "b"),
    Case("NOT category.name == 'x'", "bmn", inSQL: "b"),
    Case("category.name !=[cd] 'X'", "bmn", inSQL: "b"),
  ]

  /// Tests for nil have two values in every store.
  private static let nilTests = [
    Case("rating == nil", "mn"), Case("rating != nil", "ab"), Case("NOT rating == nil", "ab"),
    Case("NOT rating != nil", "mn"), Case("nil == rating", "mn"), Case("nil != rating", "ab"),
    Case("category == nil", "m"), Case("category != nil", "abn"), Case("category.name == nil", "mn"),
    Case("NOT category.name == nil", "ab"), Case("NOT nil == nil", ""), Case("'x' != nil", "abmn"),
  ]

  private static let order = [
    Case("rating < 2", "a"), Case("NOT rating < 2", "bmn", inSQL: "b"),
    Case("NOT 2 > rating", "bmn", inSQL: "b"),
    Case("rating <= 1", "a"), Case("NOT rating <= 1", "bmn", inSQL: "b"),
    Case("rating > 1", "b"), Case("NOT rating > 1", "amn", inSQL: "a"),
    Case("rating >= 2", "b"), Case("NOT rating >= 2", "amn", inSQL: "a"),
    Case("rating < nil", ""), Case("NOT rating < nil", "abmn", inSQL: ""),
    Case("NOT 2 < nil", "abmn", inSQL: ""),
    Case("rating <= small", "a"), Case("NOT rating <= small", "bmn", inSQL: "b"),
    Case("NOT category.name < 'y'", "bmn", inSQL: "b"),
    Case("rating BETWEEN {1, 1}", "a"), Case("NOT rating BETWEEN {1, 1}", "bmn", inSQL: "b"),
    Case("rating BETWEEN {nil, 1}", ""), Case("NOT rating BETWEEN {nil, 1}", "abmn", inSQL: "b"),
    Case("NOT rating BETWEEN nil", "abmn", inSQL: ""),
  ]

  private static let lists = [
    Case("rating IN {1, 3}", "a"), Case("NOT rating IN {1, 3}", "bmn", inSQL: "b"),
    Case("rating IN {1, nil}", "amn"), Case("NOT rating IN {1, nil}", "b"),
    Case("NOT rating IN {'x'}", "abmn", inSQL: "ab"),
    Case("rating IN {}", ""), Case("NOT rating IN {}", "abmn"),
    Case("rating IN nil", ""), Case("NOT rating IN nil", "abmn"),
    Case("rating IN {small, nil}", "amn"), Case("NOT rating IN {small, 7}", "bm", inSQL: "b"),
    Case("NOT category.name IN {'x'}", "bmn", inSQL: "b"),
  ]

  private static let texts = [
    Case("category.name BEGINSWITH 'x'", "a"),
    Case("NOT category.name BEGINSWITH 'x'", "bmn", inSQL: "b"),
    Case("NOT category.name ENDSWITH[c] 'X'", "bmn", inSQL: "b"),
    Case("NOT category.name CONTAINS 'x'", "bmn", inSQL: "b"),
    Case("NOT category.name LIKE 'x*'", "bmn", inSQL: "b"),
    Case("NOT category.name MATCHES 'x+'", "bmn", inSQL: "b"),
    Case("category.name BEGINSWITH ''", "ab"), Case("NOT category.name BEGINSWITH ''", "mn", inSQL: ""),
    Case("category.name BEGINSWITH nil", ""), Case("NOT category.name BEGINSWITH nil", "abmn", inSQL: ""),
    Case("'xyz' CONTAINS category.name", "ab"), Case("NOT 'xyz' CONTAINS category.name", "mn", inSQL: ""),
    Case("NOT category.name IN 'xyz'", "mn", inSQL: ""),
    Case("category.name.length != 1", "mn", inSQL: ""),
  ]

  /// AND, OR and NOT have the three values of SQL: false AND unknown is false.
  private static let compounds = [
    Case("NOT (rating == 1 AND small == 1)", "bmn", inSQL: "b"),
    Case("NOT (rating == 1 AND small == 2)", "abmn", inSQL: "abm"),
    Case("NOT (rating == 1 OR small == 2)", "bmn", inSQL: "b"),
    Case("NOT (rating != 1 OR small == 2)", "a"),
    Case("TERNARY(rating != 1, 1, 2) == 1", "bmn", inSQL: "b"),
    Case("TERNARY(rating != 1, 1, 2) == 2", "a", inSQL: "amn"),
    Case("NOT TRUEPREDICATE", ""), Case("NOT FALSEPREDICATE", "abmn"),
  ]

  /// Quantifiers have two values. An element without a value matches no comparison except the test for nil.
  private static let collections = [
    Case("ANY pages.number == 1", "a"), Case("ANY pages.number != 1", "bm", inSQL: "b"),
    Case("NONE pages.number == 1", "bmn"), Case("NOT ANY pages.number == 1", "bmn"),
    Case("NONE pages.number != 1", "an", inSQL: "amn"),
    Case("ALL pages.number == 1", "an"), Case("ALL pages.number != 1", "bmn", inSQL: "n"),
    Case("NOT ALL pages.number != 1", "a", inSQL: "abm"),
    Case("ANY pages.number == nil", "bm"), Case("ALL pages.number == nil", "mn"),
    Case("1 IN pages.number", "a"), Case("NOT 1 IN pages.number", "bmn"),
    Case("NOT pages.number CONTAINS 1", "bmn"),
    Case("'a' IN category.notes.title", "a"), Case("NOT 'a' IN category.notes.title", "bmn"),
    Case("pages.@count != 1", "bn"), Case("NOT pages.@sum.number > 1", "amn"),
    Case("pages.@max.number != 1", "bmn", inSQL: "b"),
    Case("SUBQUERY(pages, $p, $p.number != 1).@count == 0", "an", inSQL: "amn"),
    Case("NOT SUBQUERY(pages, $p, $p.number == 1).@count == 0", "a"),
  ]

  private static let cases: [Case] = [equality, nilTests, order, lists, texts, compounds, collections]
    .flatMap(\.self)

  private func titles(_ format: String, _ stack: Stack) throws -> String {
    let predicate = try NSPredicate(parsing: format, arguments: [])
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = predicate
    return try stack.context.fetch(request).compactMap(\.title).sorted().joined()
  }

  @Test("predicates with missing values follow the store's rule", arguments: StoreKind.allCases)
  func saved(_ kind: StoreKind) throws {
    let stack = try library(kind, isSaved: true)
    for example in Self.cases {
      let found = try titles(example.format, stack)
      #expect(found == (kind.isInSQL ? example.inSQL : example.inMemory), "\(example.format)")
    }
  }

  @Test("predicates on unsaved values follow the rule of memory", arguments: StoreKind.allCases)
  func unsaved(_ kind: StoreKind) throws {
    let stack = try library(kind, isSaved: false)
    for example in Self.cases {
      let found = try titles(example.format, stack)
      #expect(found == example.inMemory, "\(example.format)")
    }
  }

  @Test(
    "predicates are evaluated by either rule, and by the rule of memory by default",
    arguments: StoreKind.storesAndChildren
  )
  func evaluated(_ kind: StoreKind) throws {
    let stack = try library(kind, isSaved: true)
    let notes = try stack.fetch(Note.self, sort: [.byTitle])
    for example in Self.cases {
      let predicate = try NSPredicate(parsing: example.format, arguments: [])
      func titles(_ matches: (Note) throws -> Bool) throws -> String {
        try notes.filter(matches).compactMap(\.title).joined()
      }
      let (byDefault, inSQL) = (
        try PredicateEvaluator(predicate), try PredicateEvaluator(predicate, nulls: .asInSQL)
      )
      let found = (
        try titles { predicate.evaluate(with: $0) }, try titles { try byDefault($0) },
        try titles { try inSQL($0) }
      )
      #expect(found.0 == example.inMemory, "\(example.format)")
      #expect(found.1 == example.inMemory, "\(example.format)")
      #expect(found.2 == example.inSQL, "\(example.format)")
    }
  }

  @Test("both rules for missing values differ only under a negation")
  func dependence() throws {
    for example in Self.cases where example.inMemory != example.inSQL {
      let predicate = try NSPredicate(parsing: example.format, arguments: [])
      #expect(predicate.dependsOnNullRule, "\(example.format)")
    }
    for format in [
      "rating == 1", "rating != nil", "ALL pages.number > 1", "rating IN {1, nil} OR small < 2",
    ] {
      let predicate = try NSPredicate(parsing: format, arguments: [])
      #expect(!predicate.dependsOnNullRule, "\(format)")
    }
  }

  @Test(
    "counts and batch requests follow the store's rule for missing values",
    arguments: StoreKind.takingBatches
  )
  func batches(_ kind: StoreKind) throws {
    let stack = try library(kind, isSaved: true)
    for name in ["x", "y", nil] { Tag(context: stack.context).name = name }
    try stack.save()
    let context = stack.newContext()
    let count = kind.isInSQL ? 1 : 3
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "rating != 1")
    #expect(try context.count(for: request) == count)
    let update = NSBatchUpdateRequest(entityName: "Note")
    update.predicate = request.predicate
    update.propertiesToUpdate = ["medium": 5]
    update.resultType = .updatedObjectsCountResultType
    let updated = try #require(try context.execute(update) as? NSBatchUpdateResult)
    #expect(updated.result as? Int == count)
    let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Tag")
    fetch.predicate = NSPredicate(format: "NOT name BEGINSWITH 'x'")
    let deletion = NSBatchDeleteRequest(fetchRequest: fetch)
    deletion.resultType = .resultTypeCount
    let deleted = try #require(try context.execute(deletion) as? NSBatchDeleteResult)
    #expect(deleted.result as? Int == (kind.isInSQL ? 1 : 2))
  }

  @Test(
    "groups follow the store's rule for missing values, also when memory computes them",
    arguments: StoreKind.allCases,
    [true, false]
  )
  func groups(_ kind: StoreKind, _ hasChanges: Bool) throws {
    let stack = try library(kind, isSaved: true)
    // Only the evaluation in memory knows the values of unsaved objects.
    if hasChanges { stack.category("unused").notes.insert(stack.note("z")) }
    for (having, inMemory, inSQL) in [
      ("max:(rating) != 1", "bmn", "b"), ("NOT max:(rating) > 1", "amn", "a"), ("top != 1", "bmn", "b"),
      ("NOT (top == 1 OR top == nil)", "b", "b"), ("top == nil", "mn", "mn"),
      ("NOT top IN {1, 7}", "bmn", "b"), ("NOT top < nil", "abmn", ""),
    ] {
      let request = AggregateRequest(
        properties: ["title", AggregateRequest.column("top", "max:(rating)", .integer64AttributeType)],
        groupBy: ["title"],
        having: having,
        predicate: "title != 'z'",
        sort: [.byTitle]
      )
      let found = try stack.context.fetch(request.request()).compactMap { $0["title"] as? String }.joined()
      #expect(found == (kind.isInSQL ? inSQL : inMemory), "\(having)")
    }
  }

  @Test(
    "column values follow the store's rule for missing values",
    arguments: StoreKind.allCases,
    [true, false]
  )
  func columns(_ kind: StoreKind, _ hasChanges: Bool) throws {
    let stack = try library(kind, isSaved: true)
    if hasChanges { stack.note("z") }
    let request = AggregateRequest(
      properties: [
        "title", AggregateRequest.column("choice", "TERNARY(rating != 1, 1, 2)", .integer64AttributeType),
      ],
      predicate: "title != 'z'",
      sort: [.byTitle]
    )
    let found = try stack.context.fetch(request.request()).compactMap { $0["choice"] as? Int }
    #expect(found == (kind.isInSQL ? [2, 1, 2, 2] : [2, 1, 1, 1]))
  }

  /// SQLite itself defines the rule.
  @Test("predicates find in SQLite the same as its own operators")
  func operators() throws {
    let stack = try library(.sqlite, isSaved: true)
    let folder = try TemporaryFolder()
    let file = stack.folder.appendingPathComponent("store.sqlite")
    for (format, sql) in [
      ("rating != 1", "ZRATING <> 1"), ("NOT rating < 2", "NOT ZRATING < 2"),
      ("NOT rating BETWEEN {1, 1}", "NOT ZRATING BETWEEN 1 AND 1"),
      ("NOT rating BETWEEN {nil, 1}", "NOT ZRATING BETWEEN NULL AND 1"),
      ("NOT rating IN {1, 3}", "NOT ZRATING IN (1, 3)"), ("NOT rating IN {}", "NOT ZRATING IN ()"),
      ("NOT rating < nil", "NOT ZRATING < NULL"), ("rating != small", "ZRATING <> ZSMALL"),
      ("NOT rating <= small", "NOT ZRATING <= ZSMALL"), ("NOT rating == nil", "NOT ZRATING IS NULL"),
      ("NOT (rating == 1 AND small == 1)", "NOT (ZRATING = 1 AND ZSMALL = 1)"),
      ("NOT (rating == 1 AND small == 2)", "NOT (ZRATING = 1 AND ZSMALL = 2)"),
      ("NOT (rating == 1 OR small == 2)", "NOT (ZRATING = 1 OR ZSMALL = 2)"),
      ("rating + 1 != 2", "ZRATING + 1 <> 2"),
      ("TERNARY(rating != 1, 1, 2) == 2", "CASE WHEN ZRATING <> 1 THEN 1 ELSE 2 END = 2"),
    ] {
      let expected: [String] = try folder.query(
        "SELECT ZTITLE FROM ZNOTE WHERE \(sql) ORDER BY ZTITLE",
        at: file
      )
      let found = try titles(format, stack)
      #expect(found == expected.joined(), "\(format)")
    }
  }

  @Test("a comparison distinguishes an object from nil", arguments: StoreKind.allCases)
  func objects(_ kind: StoreKind) throws {
    let stack = try library(kind, isSaved: true)
    let category = try #require(try stack.fetch(Category.self, "name == 'x'").first)
    let missing = try #require(try stack.fetch(Note.self, "title == 'n'").first)
    func titles(_ predicate: NSPredicate) throws -> String {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = predicate
      return try stack.context.fetch(request).compactMap(\.title).sorted().joined()
    }
    let found = (
      try titles(NSPredicate(format: "category != %@", category)),
      try titles(NSPredicate(format: "NOT category IN %@", [category])),
      // For a missing value of an object, the comparison is with a missing value. A variable that is nil tests for nil.
      try titles(NSPredicate(format: "rating != $n.rating").withSubstitutionVariables(["n": missing])),
      try titles(NSPredicate(format: "rating != $n").withSubstitutionVariables(["n": NSNull()]))
    )
    #expect(found.0 == (kind.isInSQL ? "bn" : "bmn"))
    #expect(found.1 == (kind.isInSQL ? "bn" : "bmn"))
    #expect(found.2 == (kind.isInSQL ? "" : "ab"))
    #expect(found.3 == "ab")
  }

  @Test(
    "fetched results equal those of a new fetch when objects with missing values are saved",
    arguments: StoreKind.allCases.filter { !$0.isChild }
  )
  func fetchedResults(_ kind: StoreKind) throws {
    let stack = try library(kind, isSaved: true)
    let saved = kind.isInSQL ? ["b"] : ["b", "m", "n"]
    let controller = try stack.controller("rating != 1")
    let recorder = ChangeRecorder(controller)
    try controller.performFetch()
    recorder.start(controller)
    #expect(controller.titles == saved)
    let note = stack.note("z")
    note.setValue(nil, forKey: "rating")
    stack.context.processPendingChanges()
    #expect(controller.titles == saved + ["z"])
    try stack.save()
    let afterSave = kind.isInSQL ? saved : saved + ["z"]
    #expect(controller.titles == afterSave)
    #expect(try stack.context.fetch(controller.fetchRequest).compactMap(\.title) == afterSave)
    // An unsaved change is evaluated in memory. After a rollback, the previous result applies again.
    note.setValue(Date(timeIntervalSinceReferenceDate: 1), forKey: "createdAt")
    stack.context.processPendingChanges()
    #expect(controller.titles == saved + ["z"])
    stack.context.rollback()
    stack.context.processPendingChanges()
    #expect(controller.titles == afterSave)
    // A save does not report objects that stay in the results.
    note.rating = 4
    stack.context.processPendingChanges()
    #expect(controller.titles == saved + ["z"])
    recorder.start(controller)
    try stack.save()
    #expect(controller.titles == saved + ["z"])
    #expect(recorder.told.isEmpty && recorder.isCopyOf(controller))
  }
}

extension StoreKind {
  /// True if the store evaluates predicates by the rule of SQL, also for a child context.
  fileprivate var isInSQL: Bool { isSQLite || isPostgreSQL }
}
