import Foundation
import StoreExploration
import TestSupport
import Testing

@testable import CoreData

@Suite struct CompletionFuzzTests {
  static let tokens = [
    "title", "category", "category.name", "tags", "tags.name", ".", ".@count", "@", "#", "#in", "$x", "$",
    "$Category_p1", "SUBQUERY(", "SUBQUERY(tags, $t, ", "ANY", "ALL", "NONE", "NOT", "AND", "OR", "==", "!=",
    "<", "IN",
    "BETWEEN", "CONTAINS", "MATCHES", "LIKE", "[", "]", "[cd]", "(", ")", "{", "}", ",", "'a'", "'", "\"",
    "\\", "1",
    "1.5", "-", "+", "*", "%@", "%", "NULL", "YES", "SELF", "now()", "sum(", "CAST(", "TERNARY(", "[FIRST]",
    "é", "e\u{301}",
    "😀", "\u{0}", "\u{FEFF}", "€", "\r\n", "'[", "FIRST", "UNION",
  ]

  private static func assistant() throws -> (GardenStore, PredicateAssistant) {
    let store = try GardenStore(.inMemory)
    try store.write { context in _ = context.add("Category", ["name": "Wörk \"1\""]) }
    return (
      store, try PredicateAssistant(entity: "Note", in: store.coordinator, timeForValues: .seconds(3600))
    )
  }

  /// Asks all questions about a text at each cursor, including cursors outside of it and inside a character.
  private func exercise(_ text: String, _ assistant: PredicateAssistant, _ cursors: [Int]) async {
    let units = Array(text.utf16)
    if let problem = assistant.problem(in: text) {
      #expect(
        0 <= problem.range.lowerBound && problem.range.upperBound <= units.count,
        "\(text.debugDescription)"
      )
      #expect(!problem.message.isEmpty)
    }
    for cursor in cursors {
      for completion in await assistant.completions(of: text, at: cursor) {
        #expect(
          0 <= completion.range.lowerBound && completion.range.upperBound <= units.count,
          "\(text.debugDescription) at \(cursor): \(completion)"
        )
      }
    }
  }

  @Test(arguments: [1, 2, 3] as [UInt64])
  func `No sequence of tokens stops the program`(seed: UInt64) async throws {
    let (store, assistant) = try Self.assistant()
    var generator = SplitMix(seed: seed)
    for _ in 0..<Soak.rounds(800) {
      let count = Int.random(in: 0...12, using: &generator)
      let words = (0..<count).map { _ in Self.tokens.randomElement(using: &generator) ?? "" }
      let text = words.joined(separator: Bool.random(using: &generator) ? " " : "")
      let cursors = [Int.random(in: -2...text.utf16.count + 2, using: &generator), text.utf16.count]
      await exercise(text, assistant, cursors)
    }
    try store.close()
  }

  @Test func `No bytes stop the program`() async throws {
    let (store, assistant) = try Self.assistant()
    var generator = SplitMix(seed: 9)
    for _ in 0..<Soak.rounds(800) {
      let count = Int.random(in: 0...30, using: &generator)
      let bytes = (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
      let text = String(decoding: bytes, as: UTF8.self)
      await exercise(text, assistant, [Int.random(in: 0...text.utf16.count, using: &generator)])
    }
    try store.close()
  }

  @Test func `Deep and long texts are looked through in linear time`() async throws {
    let (store, assistant) = try Self.assistant()
    let texts = [
      String(repeating: "(", count: 90_000), String(repeating: "SUBQUERY(", count: 10_000),
      String(repeating: "{", count: 90_000), String(repeating: "category.notes.", count: 6_000),
      String(repeating: "NOT ", count: 20_000), String(repeating: "title == 'a' AND ", count: 5_000),
      String(repeating: "[", count: 90_000), String(repeating: "a(", count: 40_000),
      String(repeating: "{", count: 49_000) + String(repeating: "}", count: 49_000) + " == tit",
    ]
    for text in texts { await exercise(text, assistant, [text.utf16.count, text.utf16.count / 2]) }
    try store.close()
  }

  @Test func `Each key that is completed makes a path that the model has`() async throws {
    let (store, assistant) = try Self.assistant()
    var generator = SplitMix(seed: 4)
    for _ in 0..<Soak.rounds(300) {
      var text = ""
      for _ in 0..<Int.random(in: 1...4, using: &generator) {
        let keys = await assistant.completions(of: text, at: text.utf16.count).filter {
          $0.kind == .attribute || $0.kind == .relationship
        }
        guard let key = keys.randomElement(using: &generator) else { break }
        text += key.text + (key.kind == .relationship ? "." : "")
        if key.kind == .attribute { break }
      }
      if text.hasSuffix(".") { text += "SELF" }
      let problem = assistant.problem(in: "\(text) == NULL")
      // The keys exist, but their values need not be comparable.
      let isOfKeys = problem?.message.contains("has no") == true || problem?.isOfSyntax == true
      #expect(!isOfKeys, "\(text): \(String(describing: problem))")
    }
    try store.close()
  }
}
