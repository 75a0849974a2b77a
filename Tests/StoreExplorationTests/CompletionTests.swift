import Foundation
import StoreExploration
import Testing

@testable import CoreData

@Suite struct CompletionTests {
  /// A text with `|` at the cursor, and completions that must be among the first, in this order.
  static let cases: [(String, [String])] = [
    ("|", ["body", "title", "category"]),
    ("ti|", ["title"]),
    ("TI|", ["title"]),
    ("category.|", ["name", "notes"]),
    ("category.na|", ["name"]),
    ("category.notes.|", ["title", "@count", "@max"]),
    ("tags.@|", ["@count", "@min"]),
    ("in|", ["#in"]),
    ("#i|", ["#in"]),
    ("title |", ["CONTAINS[cd]", "BEGINSWITH[cd]", "==", "IN"]),
    ("title CON|", ["CONTAINS[cd]", "CONTAINS"]),
    ("rating |", ["==", ">=", "BETWEEN"]),
    ("isPinned == |", ["YES", "NO", "NULL"]),
    ("createdAt > |", ["now()"]),
    ("title ==[|", ["c", "d", "cd"]),
    ("title == \"a\" |", ["AND", "OR"]),
    ("(title == \"a\" |", ["AND", ")"]),
    ("ANY tags.|", ["name"]),
    ("AN|", ["ANY comments.", "ANY tags."]),
    ("ANY tags |", ["==", "IN"]),
    ("tags |", ["CONTAINS", ".@count"]),
    ("SUBQUERY(tags, |", ["$tag"]),
    ("SUBQUERY(tags, $t, $t.|", ["name", "notes"]),
    ("SUBQUERY(tags, $t, |", ["$t"]),
    ("rating BETWEEN |", ["{"]),
    ("category == |", ["NULL"]),
    ("NOT |", ["title"]),
    ("title == \"x\" AND cat|", ["category"]),
    ("category.name IN {\"Work\", |", ["\"Home\"", "\"Work\""]),
    ("category.name == |", ["\"Home\"", "\"Work\"", "NULL"]),
    ("category.name == \"Ho|", ["\"Home\""]),
    ("category.order == |", ["1", "2", "NULL"]), ("category.order == '|", []),
    ("category.name == \"|\" AND rating > 1", ["\"Home\""]),
    ("$Category_p1.|", ["name"]),
    ("place.|", ["city", "zip"]), ("place.city == |", ["NULL"]), ("place.zip == |", ["NULL"]),
    ("floo|", ["floor("]),
    ("sum(tags.@count) + |", ["title"]),
    ("comments[|", ["FIRST", "SIZE"]),
  ]

  private static func store() throws -> GardenStore {
    let store = try GardenStore()
    try store.write { context in
      for name in ["Work", "Home", "Œuvres \"1\""] {
        context.add("Category", ["name": name, "order": name == "Work" ? 2 : 1])
      }
      for number in 0..<100 { context.add("Note", ["title": "Note \(number)"]) }
    }
    return store
  }

  @Test(arguments: cases)
  func `What can stand at the cursor is completed`(text: String, expected: [String]) async throws {
    let store = try Self.store()
    let assistant = try PredicateAssistant(
      entity: "Note",
      in: store.coordinator,
      timeForValues: .seconds(3600)
    )
    let found = try await Self.completions(text, assistant)
    let texts = found.map(\.text)
    for text in expected { #expect(texts.contains(text), "\(texts)") }
    #expect(
      texts.filter(expected.contains).prefix(expected.count) == expected[...],
      "in this order: \(texts)"
    )
    #expect(found.allSatisfy { !$0.detail.isEmpty })
  }

  private static func completions(_ text: String, _ assistant: PredicateAssistant) async throws
    -> [PredicateCompletion]
  {
    let (whole, cursor) = try split(text)
    return await assistant.completions(of: whole, at: cursor)
  }

  private static func split(_ text: String) throws -> (String, Int) {
    let mark = try #require(text.firstIndex(of: "|"))
    let front = String(text[..<mark])
    return (front + text[text.index(after: mark)...], front.utf16.count)
  }

  @Test func `A completion replaces the word that the cursor is in, counted in units of UTF-16`() async throws {
    let store = try Self.store()
    let assistant = try PredicateAssistant(entity: "Note", in: store.coordinator)
    let found = try await Self.completions("title == \"😀\" AND cate|gor", assistant)
    let category = try #require(found.first { $0.text == "category" })
    #expect(category.range == 18..<25)
    let inText = try await Self.completions("category.name == 'Wo|' AND rating > 1", assistant)
    #expect(inText.first?.text == "\"Work\"")
    #expect(inText.first?.range == 17..<21)
  }

  @Test func `Nothing is completed in a number and after text that is not a token`() async throws {
    let store = try Self.store()
    let assistant = try PredicateAssistant(entity: "Note", in: store.coordinator)
    for text in ["rating == 12|", "title == § |", "title == \"a\" € AND ti|"] {
      #expect(try await Self.completions(text, assistant).isEmpty, "\(text)")
    }
  }

  @Test func `Values that are many are not completed, and those that have quotes are spelled`() async throws {
    let store = try Self.store()
    let notes = try PredicateAssistant(entity: "Note", in: store.coordinator, timeForValues: .seconds(3600))
    #expect(try await !Self.completions("title == |", notes).contains { $0.kind == .value })
    let texts = try await Self.completions("category.name == |", notes).map(\.text)
    #expect(texts.contains("\"Œuvres \\\"1\\\"\""))
  }

  @Test func `Values are asked for by one statement that ends behind the first that are too many`()
    async throws
  {
    let store = try Self.store()
    let assistant = try PredicateAssistant(
      entity: "Note",
      in: store.coordinator,
      timeForValues: .seconds(3600)
    )
    let statements = await store.statements { _ = await assistant.completions(of: "title == ", at: 9) }
    let reads = statements.filter { $0.contains("ZNOTE") }
    #expect(reads.count == 1)
    #expect(reads.first?.contains("LIMIT") == true, "\(reads)")
  }

  @Test func `The dates that are offered can be read as dates`() async throws {
    let store = try Self.store()
    let assistant = try PredicateAssistant(entity: "Note", in: store.coordinator)
    let dates = try await Self.completions("createdAt > |", assistant).filter { $0.text.hasPrefix("\"") }
    #expect(!dates.isEmpty)
    for date in dates {
      #expect(date.text.utf8.count == 12, "a day in quotes: \(date.text)")
      #expect(assistant.problem(in: "createdAt > \(date.text)") == nil)
    }
  }

  @Test func `An entity that is not there is named with those that are`() throws {
    let store = try GardenStore(.inMemory)
    #expect {
      try PredicateAssistant(entity: "Notes", in: store.coordinator)
    } throws: { error in
      "\(error)".contains("correct the name to \"Note\"")
    }
  }
}
