import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("SQL and the evaluation in memory")
struct AgreementTests {
  @Test(
    "find the same objects, for random predicates over random objects",
    arguments: [1, 2, 3, 4] as [UInt64]
  )
  func agreement(_ seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let memory = try Stack(.inMemory)
    let sqlite = try Stack(.sqlite)
    let library = RandomLibrary(using: &random)
    let (objects, others) = (try library.fill(memory), try library.fill(sqlite))
    var compared = 0
    for _ in 0..<400 {
      var generator = PredicateGenerator(random: random)
      let format = generator.predicate(depth: 3)
      random = generator.random
      let arguments = { (tags: [Tag]) in
        generator.arguments.map { $0 == .tag ? tags[0] as Any? : tags.prefix(2).map { $0 } }
      }
      guard let found = try? titles(memory, format, arguments(objects)) else { continue }
      let translated: [String]
      do {
        translated = try titles(sqlite, format, arguments(others))
      } catch {
        // What has no order throws in SQL also where all values are nil.
        continue
      }
      compared += 1
      #expect(translated == found, "\(format)")
    }
    #expect(compared > 250)
  }

  private func titles(_ stack: Stack, _ format: String, _ arguments: [Any?]) throws -> [String] {
    try stack.fetch(Note.self, format, arguments, in: stack.newContext())
      .map { "\($0.value(forKey: "medium") ?? "")" }.sorted()
  }
}

/// Texts that differ in case, marks and spelling.
private let words = [
  "a", "A", "ab", "AB", "ä", "a\u{308}", "Ä", "straße", "STRASSE", "", "b%", "x_y", "日本", "🎉", "b",
]

/// The same notes for any stack.
private struct RandomLibrary {
  private struct Item {
    let title: String
    let rating: Int64?
    let small: Int16?
    let ratio: Double?
    let created: Double?
    let isPinned: Bool?
    let category: Int?
    let tags: Set<Int>
    let pages: [Int16]
  }

  private let items: [Item]
  private let categories: [String?]
  private let tags: [String?]

  init(using random: inout SeededGenerator) {
    func maybe<Value>(_ value: Value) -> Value? { Int.random(in: 0..<4, using: &random) == 0 ? nil : value }
    categories = (0..<4).map { _ in maybe(words.randomElement(using: &random) ?? "") }
    tags = (0..<6).map { _ in maybe(words.randomElement(using: &random) ?? "") }
    items = (0..<40).map { _ in
      Item(
        title: words.randomElement(using: &random) ?? "",
        rating: maybe(Int64.random(in: -2...3, using: &random)),
        small: maybe(Int16.random(in: -2...3, using: &random)),
        ratio: maybe(Double(Int.random(in: -4...6, using: &random)) / 2),
        created: maybe(Double(Int.random(in: 0...3, using: &random))),
        isPinned: maybe(Bool.random(using: &random)),
        category: maybe(Int.random(in: 0..<4, using: &random)),
        tags: Set(
          (0..<Int.random(in: 0..<4, using: &random)).map { _ in Int.random(in: 0..<6, using: &random) }
        ),
        pages: (0..<Int.random(in: 0..<4, using: &random)).map { _ in Int16.random(in: -1...3, using: &random)
        }
      )
    }
  }

  /// - Returns: the tags, for predicates that name one.
  func fill(_ stack: Stack) throws -> [Tag] {
    let categories = self.categories.map { name in
      let category = Category(context: stack.context)
      category.name = name
      return category
    }
    let tags = self.tags.map { name in
      let tag = Tag(context: stack.context)
      tag.name = name
      return tag
    }
    for (number, item) in items.enumerated() {
      let note = stack.note(item.title)
      note.setValue(number, forKey: "medium")
      note.setValue(item.rating.map { NSNumber(value: $0) }, forKey: "rating")
      note.setValue(item.small.map { NSNumber(value: $0) }, forKey: "small")
      note.setValue(item.ratio.map { NSNumber(value: $0) }, forKey: "ratio")
      note.setValue(item.created.map { Date(timeIntervalSinceReferenceDate: $0) }, forKey: "createdAt")
      note.setValue(item.isPinned.map { NSNumber(value: $0) }, forKey: "isPinned")
      note.category = item.category.map { categories[$0] }
      note.tags = Set(item.tags.map { tags[$0] })
      for number in item.pages {
        let page = Page(context: stack.context)
        page.number = number
        page.note = note
      }
    }
    try stack.save()
    return tags
  }
}

/// Makes predicates in the format language.
private struct PredicateGenerator {
  enum Argument { case tag, tags }

  var random: SeededGenerator
  private(set) var arguments: [Argument] = []

  init(random: SeededGenerator) {
    self.random = random
  }

  mutating func predicate(depth: Int) -> String {
    switch depth > 0 ? number(6) : 9 {
    case 0: return "(\(predicate(depth: depth - 1)) AND \(predicate(depth: depth - 1)))"
    case 1: return "(\(predicate(depth: depth - 1)) OR \(predicate(depth: depth - 1)))"
    case 2: return "NOT (\(predicate(depth: depth - 1)))"
    default: return comparison()
    }
  }

  private mutating func comparison() -> String {
    switch number(12) {
    case 0...2:
      return
        "\(numeric()) \(one(of: ["==", "!=", "<", "<=", ">", ">="])) \(number(3) == 0 ? numeric() : constant())"
    case 3: return "\(text()) \(textOperator())\(options()) \(quoted())"
    case 4: return "\(text()) \(one(of: ["==", "!="]))\(options()) \(number(4) == 0 ? text() : quoted())"
    case 5: return "\(numeric()) IN {\((0..<number(4)).map { _ in constant() }.joined(separator: ", "))}"
    case 6:
      return "\(text()) IN\(options()) {\((0..<number(4)).map { _ in quoted() }.joined(separator: ", "))}"
    case 7: return "\(numeric()) BETWEEN {\(constant()), \(constant())}"
    case 8:
      return
        "\(one(of: ["ANY", "ALL", "NONE"])) \(one(of: ["pages.number", "category.notes.rating", "tags.notes.small"])) \(one(of: ["==", "!=", "<", ">="])) \(constant())"
    case 9:
      return
        "\(one(of: ["ANY", "ALL", "NONE"])) \(one(of: ["tags.name", "category.notes.title", "tags.notes.category.name"])) \(one(of: ["==", "!=", "BEGINSWITH", "CONTAINS"]))\(options()) \(quoted())"
    case 10:
      return
        "\(one(of: ["category", "category.name", "title", "createdAt", "isPinned", "category.badge"])) \(one(of: ["==", "!="])) nil"
    default: return nested()
    }
  }

  private mutating func nested() -> String {
    switch number(4) {
    case 0:
      return
        "SUBQUERY(pages, $p, $p.number \(one(of: ["<", ">"])) \(constant()) \(one(of: ["AND", "OR"])) $p.note.rating == small).@count \(one(of: ["==", ">"])) \(number(3))"
    case 1:
      arguments.append(.tag)
      return "\(one(of: ["tags CONTAINS %@", "ANY tags == %@", "NOT tags CONTAINS %@", "NONE tags == %@"]))"
    case 2:
      arguments.append(.tags)
      return "ANY tags IN %@"
    default:
      return "createdAt \(one(of: ["<", ">=", "==", "!="])) CAST(\(number(4)), 'NSDate')"
    }
  }

  private mutating func numeric() -> String {
    one(of: [
      "rating", "small", "ratio", "isPinned", "tags.@count", "pages.@sum.number", "pages.@max.number",
      "pages.@min.number", "pages.@avg.number", "(rating + small)", "(rating * 2)", "(ratio - small)",
      "(rating / 2)",
      "category.notes.@count", "length:(title)",
    ])
  }

  private mutating func text() -> String {
    one(of: ["title", "category.name", "lowercase:(title)", "title"])
  }

  private mutating func constant() -> String { one(of: ["-1", "0", "1", "2", "3", "0.5", "1.5", "2.0"]) }

  private mutating func quoted() -> String { "\"\(one(of: words))\"" }

  private mutating func textOperator() -> String {
    one(of: ["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "<", ">="])
  }

  private mutating func options() -> String { one(of: ["", "", "[c]", "[d]", "[cd]"]) }

  private mutating func one(of choices: [String]) -> String { choices[number(choices.count)] }

  private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
}
