import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("The stores in SQL, the store in memory and the plain evaluation")
struct AgreementTests {
  /// The number of pairs of a predicate and an object graph that are compared for each seed; 100,000 in all.
  private static let pairs = 25_000

  @Test(
    "stores and plain evaluation find the same for random predicates, each by its rule for nulls",
    arguments: [1, 2, 3, 4] as [UInt64]
  )
  func agreement(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let library = RandomLibrary(using: &random)
    let memory = try Stack(.inMemory)
    let objects = try library.fill(memory)
    let stores = try StoreKind.inSQL.map { kind in
      let stack = try Stack(kind)
      return (kind: kind, stack: stack, objects: try library.fill(stack))
    }
    var compared = 0
    var attempts = 0
    while compared < Soak.rounds(Self.pairs) {
      attempts += 1
      try #require(attempts < Soak.rounds(Self.pairs), "too few predicates can be compared")
      var generator = PredicateGenerator(random: random)
      let format = generator.predicate(depth: 3)
      random = generator.random
      let arguments = generator.arguments
      let plain = try NSPredicate(parsing: format, arguments: objects.values(of: arguments))
      guard let evaluated = try? objects.numbers(matching: plain, .asInMemory),
        let wanted = try? objects.numbers(matching: plain, .asInSQL),
        let found = try? Self.numbers(memory, plain)
      else { continue }
      let answers = stores.map { store in
        Result {
          try Self.numbers(
            store.stack,
            NSPredicate(parsing: format, arguments: store.objects.values(of: arguments))
          )
        }
      }
      #expect(found == evaluated, "in memory: \(format)")
      // SQL also throws for values without an order if all of them are nil.
      guard let first = answers.first, (try? first.get()) != nil else {
        for (store, answer) in zip(stores, answers) {
          #expect(throws: (any Error).self, "\(store.kind): \(format)") { try answer.get() }
        }
        continue
      }
      compared += library.graphs.count
      for (store, answer) in zip(stores, answers) {
        switch answer {
        case .success(let numbers): #expect(numbers == wanted, "\(store.kind): \(format)")
        case .failure(let error): Issue.record("\(store.kind): \(format): \(error.localizedDescription)")
        }
      }
    }
  }

  /// A check that does not need the plain evaluation.
  @Test(
    "without missing values, a predicate and its negation find all objects in every store",
    arguments: StoreKind.inSQL
  )
  func complete(_ kind: StoreKind) throws {
    var random = SplitMix(seed: 5)
    let library = RandomLibrary(using: &random, isComplete: true)
    let (memory, stack) = (try Stack(.inMemory), try Stack(kind))
    let (inMemory, inSQL) = (try library.fill(memory), try library.fill(stack))
    var compared = 0
    for _ in 0..<Soak.rounds(500) {
      var generator = PredicateGenerator(random: random)
      let format = generator.predicate(depth: 3)
      random = generator.random
      // Nil has no order, whether it is written in the predicate or missing in the object.
      if format.contains("< nil") || format.contains(">= nil") { continue }
      let plain = try NSPredicate(parsing: format, arguments: inMemory.values(of: generator.arguments))
      let predicate = try NSPredicate(parsing: format, arguments: inSQL.values(of: generator.arguments))
      guard let expected = try? Self.numbers(memory, plain), let found = try? Self.numbers(stack, predicate)
      else { continue }
      compared += 1
      #expect(found == expected, "\(format)")
      let rest = try Self.numbers(stack, NSCompoundPredicate(notPredicateWithSubpredicate: predicate))
      #expect(Set(rest) == Set(inSQL.notes.indices).subtracting(found), "\(format)")
    }
    #expect(compared >= Soak.rounds(500) / 5)
  }

  @Test(
    "in SQL a predicate and its negation share no object, and omit some with missing values",
    arguments: StoreKind.inSQL
  )
  func opposites(_ kind: StoreKind) throws {
    var random = SplitMix(seed: 6)
    let library = RandomLibrary(using: &random)
    let stack = try Stack(kind)
    let filled = try library.fill(stack)
    var leftOut = 0
    for _ in 0..<Soak.rounds(500) {
      var generator = PredicateGenerator(random: random)
      let format = generator.predicate(depth: 3)
      random = generator.random
      let predicate = try NSPredicate(parsing: format, arguments: filled.values(of: generator.arguments))
      guard let found = try? Self.numbers(stack, predicate) else { continue }
      let rest = try Self.numbers(stack, NSCompoundPredicate(notPredicateWithSubpredicate: predicate))
      #expect(Set(found).isDisjoint(with: rest), "\(format)")
      if found.count + rest.count < filled.notes.count { leftOut += 1 }
    }
    #expect(leftOut >= Soak.rounds(500) / 50)
  }

  private static func numbers(_ stack: Stack, _ predicate: NSPredicate) throws -> [Int] {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = predicate
    return try stack.newContext().fetch(request).map { $0.value(forKey: "medium") as? Int ?? -1 }.sorted()
  }
}

/// Random texts with letters of several scripts that differ in case, marks and spelling, and with pattern characters.
private enum RandomText {
  private static let pieces = [
    "a", "A", "ä", "a\u{308}", "Ä", "ß", "SS", "ſ", "İ", "ı", "i", "I", "Σ", "ς", "σ", "ﬁ", "fi", "é",
    "e\u{301}",
    "日", "が", "か\u{3099}", "각", "ᄀ\u{1161}\u{11A8}", "🎉", "👩\u{200D}👧", "🇩🇪", "א\u{5B0}", "ا", "𝒜", "𐐀", "𐐨",
    "Å", "\u{212B}", "%",
    "_", "x", "1", " ",
  ]

  static func make(using random: inout SplitMix) -> String {
    (0..<Int.random(in: 0...2, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      .joined()
  }
}

/// The same disjoint object graphs for every stack. One fetch evaluates a predicate for all of them.
private struct RandomLibrary {
  struct Graph {
    let items: [Item]
    let categories: [String?]
    let tags: [String?]
  }

  struct Item {
    let title: String
    let rating: Int64?
    let small: Int16?
    let ratio: Double?
    let price: String?
    let created: Double?
    let isPinned: Bool?
    let category: Int?
    let tags: Set<Int>
    let pages: [Int16]
  }

  let graphs: [Graph]

  /// The limits of 64-bit integers, and an integer that no floating-point number equals.
  private static let limits: [Int64] = [.max, .max - 1, .min, .min + 1, 1 << 53 + 1]

  /// - Parameter isComplete: true if no value is missing, and every note has pages.
  init(using random: inout SplitMix, isComplete: Bool = false) {
    var graphs: [Graph] = []
    for _ in 0..<60 { graphs.append(Self.graph(&random, isComplete)) }
    self.graphs = graphs
  }

  private static func graph(_ random: inout SplitMix, _ isComplete: Bool) -> Graph {
    func maybe<Value>(_ value: Value) -> Value? {
      Int.random(in: 0..<4, using: &random) == 0 && !isComplete ? nil : value
    }
    let categories = (0...1).map { _ in maybe(RandomText.make(using: &random)) }
    let tags = (0...2).map { _ in maybe(RandomText.make(using: &random)) }
    let items = (0..<Int.random(in: 1...3, using: &random)).map { _ in
      Item(
        title: RandomText.make(using: &random),
        rating: maybe(
          Int.random(in: 0..<8, using: &random) == 0
            ? limits.randomElement(using: &random) ?? 0 : Int64.random(in: -2...3, using: &random)
        ),
        small: maybe(Int16.random(in: -2...3, using: &random)),
        ratio: maybe(Double(Int.random(in: -4...6, using: &random)) / 2),
        price: maybe(
          ["0.1", "0.2", "0.3", "-1.5", "2", "1.1", "12345.6789"].randomElement(using: &random) ?? "0"
        ),
        created: maybe(Double(Int.random(in: 0...3, using: &random))),
        isPinned: maybe(Bool.random(using: &random)),
        category: maybe(Int.random(in: 0...1, using: &random)),
        tags: Set(
          (0..<Int.random(in: 0...3, using: &random)).map { _ in Int.random(in: 0...2, using: &random) }
        ),
        pages: (0..<Int.random(in: (isComplete ? 1 : 0)...3, using: &random)).map { _ in
          Int16.random(in: -1...3, using: &random)
        }
      )
    }
    return Graph(items: items, categories: categories, tags: tags)
  }

  func fill(_ stack: Stack) throws -> FilledLibrary {
    var filled = FilledLibrary(tags: [], notes: [])
    for graph in graphs { fill(stack, graph, &filled) }
    try stack.save()
    return filled
  }

  private func fill(_ stack: Stack, _ graph: Graph, _ filled: inout FilledLibrary) {
    let categories = graph.categories.map { name in
      let category = Category(context: stack.context)
      category.name = name
      return category
    }
    let tags = graph.tags.map { name in
      let tag = Tag(context: stack.context)
      tag.name = name
      return tag
    }
    filled.tags += tags
    for item in graph.items {
      let note = stack.note(item.title)
      note.setValue(filled.notes.count, forKey: "medium")
      note.setValue(item.rating.map { NSNumber(value: $0) }, forKey: "rating")
      note.setValue(item.small.map { NSNumber(value: $0) }, forKey: "small")
      note.setValue(item.ratio.map { NSNumber(value: $0) }, forKey: "ratio")
      note.setValue(item.price.map { NSDecimalNumber(string: $0) }, forKey: "price")
      note.setValue(item.created.map { Date(timeIntervalSinceReferenceDate: $0) }, forKey: "createdAt")
      note.setValue(item.isPinned.map { NSNumber(value: $0) }, forKey: "isPinned")
      note.category = item.category.map { categories[$0] }
      note.tags = Set(item.tags.map { tags[$0] })
      for number in item.pages {
        let page = Page(context: stack.context)
        page.number = number
        page.note = note
      }
      filled.notes.append(note)
    }
  }
}

/// The objects of the graphs in one stack.
private struct FilledLibrary {
  var tags: [Tag]
  var notes: [Note]

  /// The values for the arguments of a predicate.
  func values(of arguments: [PredicateGenerator.Argument]) -> [Any?] {
    arguments.map { argument in
      switch argument {
      case .tag: tags[0]
      case .tags: Array(tags.prefix(7))
      case .note(let number): notes[number]
      }
    }
  }

  /// The numbers of the notes that a predicate matches, evaluated for each object in memory.
  func numbers(matching predicate: NSPredicate, _ nulls: NullRule) throws -> [Int] {
    let evaluator = try PredicateEvaluator(predicate, nulls: nulls)
    return try notes.indices.filter { try evaluator(notes[$0]) }
  }
}

/// Generates predicates in the format language.
private struct PredicateGenerator {
  enum Argument {
    case tag, tags
    /// One of the first notes.
    case note(Int)
  }

  var random: SplitMix
  private(set) var arguments: [Argument] = []

  init(random: SplitMix) {
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
    switch number(14) {
    case 0...2:
      return
        "\(numeric()) \(one(of: ["==", "!=", "<", "<=", ">", ">="])) \(number(3) == 0 ? numeric() : constant())"
    case 3: return "\(text()) \(textOperator())\(options()) \(quoted())"
    case 4: return "\(text()) \(one(of: ["==", "!="]))\(options()) \(number(4) == 0 ? text() : quoted())"
    case 5: return "\(numeric()) IN \(list { $0.constant() })"
    case 6: return "\(text()) IN\(options()) \(list { $0.quoted() })"
    case 7: return "\(numeric()) BETWEEN {\(constant()), \(constant())}"
    case 8:
      return
        "\(one(of: ["ANY", "ALL", "NONE"])) \(one(of: ["pages.number", "category.notes.rating", "tags.notes.small", "tags.name.length"])) \(one(of: ["==", "!=", "<", ">="])) \(constant())"
    case 9:
      return
        "\(one(of: ["ANY", "ALL", "NONE"])) \(one(of: ["tags.name", "category.notes.title", "tags.notes.category.name"])) \(one(of: ["==", "!=", "BEGINSWITH", "CONTAINS"]))\(options()) \(quoted())"
    case 10:
      return
        "\(one(of: ["category", "category.name", "title", "createdAt", "isPinned", "category.badge"])) \(one(of: ["==", "!="])) nil"
    case 11:
      return
        "\(one(of: ["floor:(ratio)", "ceiling:(ratio)", "trunc:(ratio)", "modulus:by:(rating, 2)", "rating & 3", "rating ** 2", "abs:(small)", "CAST(createdAt, 'NSNumber')", "TERNARY(rating > 0, small, 1)", "tags[SIZE]"])) \(one(of: ["==", "<", ">="])) \(constant())"
    case 12: return missing()
    default: return nested()
    }
  }

  /// Comparisons with nil on either side and in lists, and with other attributes in lists.
  private mutating func missing() -> String {
    switch number(4) {
    case 0:
      let key = one(of: ["rating", "category", "category.name", "pages.@max.number"])
      return "nil \(one(of: ["==", "!="])) \(key)"
    case 1: return "isPinned \(one(of: ["==", "!="])) \(one(of: ["YES", "NO"]))"
    case 2: return "\(numeric()) IN {\(numeric()), \(one(of: ["nil", "1"]))}"
    default: return "\(numeric()) \(one(of: ["<", ">="])) nil"
    }
  }

  /// A list of up to three members, some of which are nil.
  private mutating func list(_ member: (inout PredicateGenerator) -> String) -> String {
    var members: [String] = []
    for _ in 0..<number(4) { members.append(number(5) == 0 ? "nil" : member(&self)) }
    return "{\(members.joined(separator: ", "))}"
  }

  private mutating func nested() -> String {
    switch number(5) {
    case 4:
      let note = number(20)
      arguments.append(.note(note))
      return
        "SUBQUERY(%@.\(one(of: ["pages, $p, $p.number", "category.notes, $p, $p.rating", "tags.notes, $p, $p.small"])) \(one(of: ["==", "!=", "<", ">="])) \(number(3) == 0 ? constant() : numeric())).@count \(one(of: ["==", ">"])) \(number(3))"
    case 0:
      return
        "SUBQUERY(pages, $p, \(one(of: ["", "NOT "]))$p.number \(one(of: ["<", ">", "!="])) \(constant()) \(one(of: ["AND", "OR"])) $p.note.rating \(one(of: ["==", "!="])) small).@count \(one(of: ["==", ">"])) \(number(3))"
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
      "category.notes.@count", "length:(title)", "title.length", "category.name.length",
      "createdAt.timeIntervalSinceReferenceDate", "price", "(price + 0.1)", "(price * small)",
      "(price - ratio)", "(price / 3)", "floor:(price)", "category.notes.@sum.price",
      "category.notes.@avg.price", "category.notes.@max.price", "(rating + 1)", "(rating - 1)",
      "((rating + small) * 2)", "(rating / -1)", "abs:(rating)", "modulus:by:(rating + 1, 2)",
      "category.notes.@sum.rating", "category.notes.@avg.rating",
    ])
  }

  private mutating func text() -> String {
    one(of: ["title", "category.name", "lowercase:(title)", "title", "category.name.lowercaseString"])
  }

  private mutating func constant() -> String {
    one(of: [
      "-1", "0", "1", "2", "3", "0.5", "1.5", "2.0", "0.1", "0.3", "9223372036854775807",
      "-9223372036854775808",
      "9223372036854775808", "9007199254740992.0",
    ])
  }

  private mutating func quoted() -> String { "\"\(RandomText.make(using: &random))\"" }

  private mutating func textOperator() -> String {
    one(of: ["BEGINSWITH", "ENDSWITH", "CONTAINS", "LIKE", "<", ">="])
  }

  private mutating func options() -> String { one(of: ["", "", "[c]", "[d]", "[cd]"]) }

  private mutating func one(of choices: [String]) -> String { choices[number(choices.count)] }

  private mutating func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
}
