import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("Groups in SQL, groups of objects, and groups in memory")
struct AggregateAgreementTests {
  /// The number of requests that are compared for each seed.
  private static let requests = 500

  /// A store in SQL, and the names of its objects.
  private struct Store {
    let stack: Stack
    let names: [NSManagedObjectID: String]
    var saidInSQL = 0

    init(_ kind: StoreKind, _ notes: [RandomNote]) throws {
      stack = try Stack(kind, recording: [])
      names = try RandomNote.fill(stack, notes)
    }

    /// The results of evaluating fetched objects in memory, even if the store could compute them.
    func ofObjects(_ request: RandomAggregate) -> Result<[String], any Error> {
      Result {
        let context = stack.newContext()
        // The channel hides the store, so the context cannot send it a grouped request.
        _ = try CountingChannel.install(in: context)
        return try request.results(in: context, names)
      }
    }

    mutating func inSQL(_ request: RandomAggregate) throws -> Result<[String], any Error> {
      var results = Result<[String], any Error>.success([])
      let statements = try #require(stack.recorder).sql {
        results = Result { try request.results(in: stack.newContext(), names) }
      }
      if statements.count == 1, statements[0].contains("GROUP BY") || statements[0].contains("COUNT(") {
        saidInSQL += 1
      }
      return results
    }
  }

  @Test(
    "groups in SQL, of objects and in memory agree for random requests over random objects",
    arguments: [1, 2, 3] as [UInt64]
  )
  func agreement(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let notes = (0..<60).map { _ in RandomNote(using: &random) }
    let memory = try Stack(.inMemory)
    let names = try RandomNote.fill(memory, notes)
    var stores = try StoreKind.inSQL.map { try Store($0, notes) }
    for _ in 0..<Soak.rounds(Self.requests) {
      let request = RandomAggregate(using: &random)
      let inMemory = Result { try request.inMemory.results(in: memory.newContext(), names) }
      for number in stores.indices {
        let kind = stores[number].stack.kind
        let found = stores[number].ofObjects(request)
        let translated = try stores[number].inSQL(request)
        guard case .success(let expected) = inMemory else {
          #expect(throws: (any Error).self, "of objects, \(kind): \(request)") { try found.get() }
          #expect(throws: (any Error).self, "in SQL, \(kind): \(request)") { try translated.get() }
          continue
        }
        #expect(try found.get() == expected, "of objects, \(kind): \(request)")
        switch translated {
        case .failure(let error): Issue.record(error, "in SQL, \(kind): \(request)")
        case .success(let rows):
          let changes = rows.difference(from: expected)
          #expect(changes.isEmpty, "in SQL, \(kind): \(request): \(changes.insertions) \(changes.removals)")
        }
      }
    }
    // The expected number of requests in SQL is 190 of 500, with a standard deviation of 11. It follows from the parts of the
    // generator that SQL cannot express, and from the notes whose values SQLite computes differently from memory (integers
    // whose sum overflows, the price 1e50). The earlier limit of one third is 166, hardly two deviations away. `parts` tests
    // without chance which parts are in SQL; this is a limit for their combinations.
    for store in stores where !store.stack.kind.isPostgreSQL {
      #expect(store.saidInSQL > Soak.rounds(Self.requests) / 5)
    }
  }

  @Test("each key, function and condition for which SQL has the same result is computed in SQL")
  func parts() throws {
    let stack = try Stack(.sqlite, recording: [])
    let values: [String: Any?] = [
      "small": 2 as Int16, "medium": 3 as Int32, "ratio": 0.5, "share": 0.5 as Float,
      "price": Decimal(string: "1.5"), "createdAt": Date(timeIntervalSinceReferenceDate: 60),
      "isPinned": true,
      "body": Data([1]), "identifier": UUID(), "link": URL(string: "https://example.org/a"),
    ]
    for number in 1...3 {
      let note = stack.note("\(number)", rating: Int64(number), number < 3 ? stack.category("c") : nil)
      for (key, value) in values { note.setValue(value, forKey: key) }
    }
    try stack.save()
    func isSaid(_ properties: [Any], by key: Any, having: String? = nil) throws -> Bool {
      let request = AggregateRequest(properties: properties, groupBy: [key], having: having).request()
      // Some functions have no result in memory either.
      let statements = try #require(stack.recorder).sql { _ = try? stack.newContext().fetch(request) }
      return statements.count == 1 && statements[0].contains("GROUP BY")
    }
    let count = AggregateRequest.column("total", "count:(SELF)")
    for key in RandomAggregate.keys {
      let said = try isSaid([key, count], by: key)
      #expect(said, "\(key)")
    }
    for format in RandomAggregate.calculated {
      let key = AggregateRequest.column("calculated", format)
      let said = try isSaid([key, count], by: key)
      #expect(said == !RandomAggregate.calculatedInMemory.contains(format), "\(format)")
    }
    for format in RandomAggregate.functions {
      let said = try isSaid(["title", AggregateRequest.column("total", format)], by: "title")
      #expect(said == !RandomAggregate.functionsInMemory.contains(format), "\(format)")
    }
    let total = AggregateRequest.column("total", "sum:(small)")
    for condition in RandomAggregate.conditions {
      let said = try isSaid(["title", total], by: "title", having: condition)
      #expect(said, "\(condition)")
    }
  }
}

/// The values of a note, which are the same in every stack.
private struct RandomNote {
  private var values: [String: Any] = [:]
  private var category: Int?

  private static let texts = [
    "", "a", "A", "ä", "a\u{308}", "b", "ß", "SS", "é", "e\u{301}", "🎉", "12 kilos", "日", "a b",
  ]
  private static let categoryCount = 4

  init(using random: inout SplitMix) {
    func add(_ key: String, _ choices: [Any], nilsOutOf count: Int = 4) {
      if Int.random(in: 0..<count, using: &random) > 0 { values[key] = choices.randomElement(using: &random) }
    }
    add("title", Self.texts, nilsOutOf: .max)
    add("rating", [0, 1, 2, 2, 3, -1, -7, Int.max, Int.min, Int.max - 1, 1 << 53 + 1].map { Int64($0) })
    add("small", [0, 1, 2, -2, 3, Int16.max, Int16.min] as [Int16])
    add("medium", [5, 5, 6, -1, Int32.max] as [Int32])
    add("ratio", [0.5, 1, -2.5, 1e300, 3, .infinity, 4.25] as [Double])
    add("share", [0.5, 1, -2.5, 100] as [Float])
    add(
      "price",
      ["1", "2.5", "-0.1", "10.11", "100000000000", "0.1234567890123", "1e50"].compactMap {
        Decimal(string: $0)
      }
    )
    add("createdAt", [0, 60, 60.5, -3600].map { Date(timeIntervalSinceReferenceDate: $0) })
    add("isPinned", [true, false])
    add("body", [Data(), Data([1]), Data([1, 2]), Data([200])])
    add("identifier", [Self.identifier(1), Self.identifier(2), Self.identifier(200)])
    add("link", ["https://example.org/a", "https://example.org/b"].compactMap { URL(string: $0) })
    category =
      Int.random(in: 0..<4, using: &random) > 0 ? .random(in: 0..<Self.categoryCount, using: &random) : nil
  }

  private static func identifier(_ byte: UInt8) -> UUID {
    UUID(uuid: (byte, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, byte))
  }

  /// Saves the notes.
  /// - Returns: the names of the categories and badges, which are the same in every stack.
  static func fill(_ stack: Stack, _ notes: [RandomNote]) throws -> [NSManagedObjectID: String] {
    let categories = ["a", nil, "b", "a"].map { name in
      let category = Category(context: stack.context)
      category.name = name
      return category
    }
    let badge = Badge(context: stack.context)
    categories[0].badge = badge
    for values in notes {
      let note = stack.note("")
      note.setValue(nil, forKey: "rating")
      for (key, value) in values.values { note.setValue(value, forKey: key) }
      note.category = values.category.map { categories[$0] }
    }
    try stack.save()
    var names = [badge.objectID: "badge"]
    for (index, category) in categories.enumerated() { names[category.objectID] = "category \(index)" }
    return names
  }
}

/// A random request for dictionaries of notes.
private struct RandomAggregate: CustomStringConvertible {
  private struct Column {
    let name: String
    let format: String?
    let type: NSAttributeType

    var property: Any {
      guard let format else { return name }
      let column = NSExpressionDescription()
      column.name = name
      column.expression = NSExpression(format: format)
      column.expressionResultType = type
      return column
    }
  }

  private var columns: [Column]
  private var groupBy: [Column] = []
  private var having: String?
  private var predicate: String?
  private var sort: [(key: String, isAscending: Bool)] = []
  private var (limit, offset) = (0, 0)
  private var isDistinct = false

  static let keys = [
    "title", "rating", "small", "medium", "ratio", "share", "price", "createdAt", "isPinned", "body",
    "identifier",
    "link", "category", "category.name", "category.badge",
  ]
  private static let unsorted: Set = ["link", "body"]
  static let calculated = [
    "rating + small", "modulus:by:(rating, 2)", "length:(title)", "uppercase:(title)", "small * 2",
    "rating / small", "abs:(small)", "ratio * 2", "floor:(share)", "createdAt + 1",
    "lowercase:(category.name)",
  ]
  /// The calculated integers. SQL groups those that overflow differently from memory.
  static let calculatedInMemory: Set = ["rating + small", "small * 2", "rating / small", "abs:(small)"]
  static let functions = [
    "count:(SELF)", "count:(rating)", "count:(category)", "count:(category.name)", "count:(body)",
    "sum:(rating)",
    "sum:(price)", "average:(price)", "sum:(small)", "sum:(ratio)", "sum:(isPinned)", "sum:(share)",
    "average:(rating)", "average:(small)",
    "average:(ratio)", "min:(title)", "max:(title)", "min:(rating)", "max:(ratio)", "min:(createdAt)",
    "max:(createdAt)", "min:(price)", "max:(price)", "min:(identifier)", "max:(isPinned)",
    "max:(category.name)",
    "sum:(small * 2)", "sum:(rating * small)", "max:(rating) - min:(rating)",
    "max:(createdAt) - min:(createdAt)",
    "@count", "@sum.rating", "@sum.ratio", "@sum.price", "@avg.small", "@min.createdAt", "@max.category.name",
    "@max.rating - @min.rating", "@sum.small * 2",
    "sum:(ratio) / count:(ratio)", "max:(small) * 2 + count:(SELF)", "average:(length:(title))",
    // SQL has no function with the same result as these.
    "median:(small)", "sum:(title)", "average:(createdAt)", "max:(body)", "stddev:(small)",
    "@sum.title", "@max.category.notes.small", "@sum.category.notes.@count",
  ]
  /// The functions for which SQL has no equivalent with the same result.
  static let functionsInMemory: Set = [
    "median:(small)", "sum:(title)", "average:(createdAt)", "max:(body)", "stddev:(small)",
    "@sum.title", "@max.category.notes.small", "@sum.category.notes.@count",
  ]
  private static let types: [NSAttributeType] = [
    .undefinedAttributeType, .undefinedAttributeType, .integer64AttributeType, .doubleAttributeType,
    .stringAttributeType, .dateAttributeType, .integer16AttributeType, .booleanAttributeType,
  ]
  static let conditions = [
    "count:(SELF) > 1", "NOT count:(SELF) > 1", "total > 2", "$total <= 0", "NOT total == nil",
    "max:(rating) BETWEEN {0, 3}", "sum:(small) IN {1, 2, 3, 4}", "min:(title) BEGINSWITH 'a'",
    "max:(title) ==[c] 'a' OR total != 1", "average:(small) < 1.5 AND count:(rating) != 0",
    "max:(small) < min:(rating)",
    "max:(createdAt) == nil", "TRUEPREDICATE", "@count > 1", "NOT @sum.small > 1", "@max.title ==[c] 'a'",
    "@sum.small == total", "NOT total > 2", "NOT max:(rating) BETWEEN {0, 3}", "NOT max:(small) IN {1, 2}",
    "NOT (min:(title) BEGINSWITH 'a' AND max:(small) > 0)",
  ]
  /// Replacements for the conditions that negate a comparison with a possibly missing value. With them, a store in memory
  /// finds the same as a store in SQL.
  private static let conditionsInMemory = [
    "max:(title) ==[c] 'a' OR total != 1": "max:(title) ==[c] 'a' OR total != 1 AND total != nil",
    "NOT total > 2": "NOT total > 2 AND total != nil",
    "NOT max:(rating) BETWEEN {0, 3}": "NOT max:(rating) BETWEEN {0, 3} AND max:(rating) != nil",
    "NOT max:(small) IN {1, 2}": "NOT max:(small) IN {1, 2} AND max:(small) != nil",
    "NOT (min:(title) BEGINSWITH 'a' AND max:(small) > 0)":
      "NOT min:(title) BEGINSWITH 'a' OR NOT max:(small) > 0 AND max:(small) != nil",
  ]

  init(using random: inout SplitMix) {
    func number(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    func one<Value>(_ values: [Value]) -> Value { values[number(values.count)] }
    func some(_ count: Int) -> [Column] {
      var found: [Column] = []
      while found.count < count {
        let column =
          number(4) > 0
          ? Column(name: one(Self.keys), format: nil, type: .undefinedAttributeType)
          : Column(
            name: "calculated\(found.count)",
            format: one(Self.calculated),
            type: .undefinedAttributeType
          )
        if !found.contains(where: { $0.name == column.name }) { found.append(column) }
      }
      return found
    }
    let kind = number(10)
    if kind == 0 {
      columns = some(number(3) + 1) + [Column(name: "x", format: one(Self.calculated), type: one(Self.types))]
    } else if kind < 3 {
      columns = some(number(3) + 1)
      isDistinct = true
    } else {
      groupBy = kind == 3 ? [] : some(number(3) + 1)
      columns = groupBy.filter { _ in number(4) > 0 }
      columns.append(Column(name: "total", format: one(Self.functions), type: one(Self.types)))
      if number(2) == 0 {
        columns.append(Column(name: "other", format: one(Self.functions), type: .undefinedAttributeType))
      }
      if !groupBy.isEmpty, number(3) == 0 { having = one(Self.conditions) }
      isDistinct = number(8) == 0
    }
    if number(3) == 0 {
      predicate = one(["small > 0", "category.name == 'a'", "title != ''", "ANY tags.name == 'x'"])
    }
    sortAtRandom(&random)
  }

  /// The request with which a store in memory finds the same as a store in SQL.
  var inMemory: RandomAggregate {
    var request = self
    request.having = having.map { Self.conditionsInMemory[$0] ?? $0 }
    return request
  }

  /// Adds a random order. Groups are limited only if the order alone decides which of them remain.
  private mutating func sortAtRandom(_ random: inout SplitMix) {
    let keys = isDistinct && groupBy.isEmpty ? columns : groupBy
    guard Int.random(in: 0..<2, using: &random) == 0, !keys.isEmpty else { return }
    sort = keys.filter { isSortable($0) }.map { ($0.name, Bool.random(using: &random)) }
    if !groupBy.isEmpty, Bool.random(using: &random) {
      sort.insert(("total", Bool.random(using: &random)), at: 0)
    }
    guard isOrdered else { return }
    limit = .random(in: 0...5, using: &random)
    offset = .random(in: 0...3, using: &random)
  }

  /// Whether a column can be sorted. Distinct results are sorted by properties only, because they have no other keys.
  private func isSortable(_ column: Column) -> Bool {
    !Self.unsorted.contains(column.name) && (column.format == nil || !groupBy.isEmpty)
  }

  private var isOrdered: Bool {
    let keys = groupBy.isEmpty ? columns : groupBy
    return (isDistinct || !groupBy.isEmpty) && !sort.isEmpty && keys.allSatisfy(isSortable)
  }

  var description: String {
    """
    \(columns.map { "\($0.name): \($0.format ?? "") \($0.type)" }) by \(groupBy.map { $0.format ?? $0.name }) having \
    \(having ?? "-") where \(predicate ?? "-") sorted by \(sort) limit \(limit) offset \(offset) distinct \(isDistinct)
    """
  }

  /// The dictionaries as texts, in order if the request has an order.
  func results(in context: NSManagedObjectContext, _ names: [NSManagedObjectID: String]) throws -> [String] {
    let request = NSFetchRequest<NSDictionary>(entityName: "Note")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = columns.map(\.property)
    if !groupBy.isEmpty { request.propertiesToGroupBy = groupBy.map(\.property) }
    request.havingPredicate = having.map { NSPredicate(format: $0) }
    request.predicate = predicate.map { NSPredicate(format: $0) }
    request.sortDescriptors = sort.map { NSSortDescriptor(key: $0.key, ascending: $0.isAscending) }
    (request.fetchLimit, request.fetchOffset, request.returnsDistinctResults) = (limit, offset, isDistinct)
    let found = try context.fetch(request).map { row in
      columns.map { column in
        "\(column.name)=\(Self.text(row[column.name], names, isOfSeveral: isOfSeveral(column)))"
      }.joined(separator: ", ")
    }
    return isOrdered ? found : found.sorted()
  }

  /// Whether several objects have values that equal the returned one. The store returns any of them.
  private func isOfSeveral(_ column: Column) -> Bool {
    groupBy.isEmpty ? isDistinct : groupBy.contains { $0.name == column.name }
  }

  /// A value with its type. Floating-point numbers are rounded, because a sum depends on the order of its parts.
  /// - Parameter isOfSeveral: True if the value may be a whole or a floating-point number that equals it.
  private static func text(_ value: Any?, _ names: [NSManagedObjectID: String], isOfSeveral: Bool) -> String {
    switch value {
    case nil: "nil"
    case let id as NSManagedObjectID: names[id] ?? "\(id)"
    case let number as NSDecimalNumber: "decimal \(number)"
    case let number as NSNumber:
      if number.objCType.pointee != CChar(UInt8(ascii: "d")) {
        "whole \(number)"
      } else if isOfSeveral, let whole = Int64(exactly: number.doubleValue) {
        "whole \(whole)"
      } else {
        String(format: "real %.12g", number.doubleValue)
      }
    case let text as String: "text \(Array(text.unicodeScalars.map(\.value)))"
    case let data as Data: "data \(Array(data))"
    case let date as Date: "date \(date.timeIntervalSinceReferenceDate)"
    case let other?: "\(other)"
    }
  }
}
