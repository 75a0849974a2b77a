import CoreData
import Foundation
import Testing

@testable import CoreData

/// One database evaluates these predicates itself and another leaves them to memory. The results must be equal.
@Suite("Conditions that a database may leave to memory")
struct DecidedInMemoryTests {
  struct Condition: Sendable, CustomTestStringConvertible {
    let format: String
    var text: String?

    var testDescription: String { format }
    var predicate: NSPredicate { NSPredicate(format: format, argumentArray: text.map { [$0] }) }
  }

  private static let conditions = [
    Condition(format: "rating < 1050 AND title MATCHES %@", text: "n\\p{N}*[05]"),
    Condition(format: "NOT title MATCHES %@", text: "n\\p{N}*[05]"),
    Condition(format: "rating < 20 OR title MATCHES %@", text: "n2\\p{N}+"),
    Condition(format: "category.name MATCHES %@ AND rating > 100", text: "\\p{L}[01]"),
    Condition(format: "category.name == 'c1' AND rating ** 2 < 400000"),
    Condition(format: "ANY tags.name MATCHES %@", text: "(?<letter>t)[02]"),
    Condition(format: "rating > 7 AND SUBQUERY(tags, $t, $t.name MATCHES %@).@count == 1", text: "t\\b1?+"),
    Condition(format: "title != %@", text: "\u{0}"),
    Condition(format: "title BEGINSWITH %@ OR rating == 3", text: "n\u{0}"),
    Condition(format: "title MATCHES %@", text: "nothing\\p{L}"),
    Condition(format: "title ==[cd] 'N7' OR category.name LIKE[c] 'C?'"),
  ]

  /// Negated conditions on values that one note in four lacks. The databases can express only some of their parts. A text
  /// with U+0000 is unknown to PostgreSQL.
  private static let negated = [
    Condition(format: "category.name != 'c1'"),
    Condition(format: "NOT category.name MATCHES %@", text: "\\p{L}[01]"),
    Condition(format: "NOT category.name BEGINSWITH %@", text: "c\u{0}"),
    Condition(format: "category.name != %@", text: "\u{0}"),
    Condition(format: "category.name != 'c1' AND rating ** 2 < 400000"),
    Condition(format: "category.name != 'c1' OR rating ** 2 < 400"),
    Condition(format: "NOT (category.name == 'c1' AND title MATCHES %@)", text: "n\\p{N}*[05]"),
    Condition(format: "NOT (category.name == 'c1' OR title MATCHES %@)", text: "n\\p{N}*[05]"),
    Condition(format: "NOT category.name IN {'c1', 'c2'} AND rating ** 2 >= 0"),
    Condition(format: "NOT category.name IN {} AND rating ** 2 >= 0"),
    Condition(format: "NOT category.name < 'c1' AND rating ** 2 >= 0"),
    Condition(format: "NOT category.name BETWEEN {'c1', 'c2'} AND rating ** 2 >= 0"),
    Condition(format: "NOT (category.name CONTAINS 'c' AND rating ** 2 >= 0)"),
    Condition(format: "rating < 40 AND NOT ('c' IN category.notes.title AND rating ** 2 >= 0)"),
    Condition(format: "NONE tags.name MATCHES %@", text: "(?<letter>t)[02]"),
    Condition(format: "TERNARY(category.name != 'c1', 1, 2) == 2 AND rating ** 2 >= 0"),
    Condition(format: "SUBQUERY(tags, $t, $t.name != 't1' AND rating ** 2 >= 0).@count == 1"),
  ]

  @Test("unknown conditions match nothing in a database or in memory", arguments: StoreKind.inSQL)
  func unknown(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let context = stack.newContext()
    let all = NSFetchRequest<Note>(entityName: "Note")
    all.relationshipKeyPathsForPrefetching = ["category", "tags"]
    let notes = try context.fetch(all)
    for condition in Self.negated {
      let evaluator = try PredicateEvaluator(condition.predicate, nulls: .asInSQL)
      let expected = try notes.filter { try evaluator($0) }.map(\.rating).sorted(by: >)
      let request = request(condition)
      let found = try context.fetch(request).map(\.rating)
      #expect(found == expected, "\(condition.format)")
      let count = try stack.newContext().count(for: request)
      #expect(count == expected.count, "\(condition.format)")
    }
  }

  /// More notes than one batch that memory decides about.
  private func stack(_ kind: StoreKind) throws -> Stack {
    let stack = try Stack(kind)
    let categories = (0..<3).map { stack.category("c\($0)") }
    let tags = (0..<3).map { stack.tag("t\($0)") }
    for number in 0..<1_100 {
      stack.note(
        "n\(number)",
        rating: Int64(number),
        number % 4 == 3 ? nil : categories[number % 3],
        tags: number % 5 == 0 ? [] : [tags[number % 3], tags[number % 2]]
      )
    }
    try stack.save()
    return stack
  }

  private func request(_ condition: Condition) -> NSFetchRequest<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = condition.predicate
    request.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: false)]
    return request
  }

  @Test("order, limit, offset and counts apply after them", arguments: StoreKind.inSQL)
  func pages(_ kind: StoreKind) throws {
    let (memory, stack) = (try stack(.inMemory), try stack(kind))
    for condition in Self.conditions {
      let request = request(condition)
      for (limit, offset) in [(0, 0), (7, 3), (0, 1_000), (1_050, 20)] {
        (request.fetchLimit, request.fetchOffset) = (limit, offset)
        let expected = try memory.newContext().fetch(request).map(\.rating)
        #expect(try stack.newContext().fetch(request).map(\.rating) == expected, "\(condition.format)")
        #expect(try stack.newContext().count(for: request) == expected.count, "\(condition.format)")
      }
    }
  }

  @Test("text orders and their pages agree in a database and in memory", arguments: StoreKind.inSQL)
  func orders(_ kind: StoreKind) throws {
    let (memory, stack) = (try stack(.inMemory), try stack(kind))
    for selector in ["caseInsensitiveCompare:", "localizedCompare:", "localizedStandardCompare:"] {
      for key in ["title", "category.name"] {
        let request = NSFetchRequest<Note>(entityName: "Note")
        request.sortDescriptors = [
          NSSortDescriptor(key: key, ascending: false, selector: Selector(selector)),
          NSSortDescriptor(key: "rating", ascending: true),
        ]
        for limit in [15, .max - 100] {
          (request.fetchLimit, request.fetchOffset) = (limit, 100)
          let expected = try memory.newContext().fetch(request).map(\.rating)
          #expect(
            try stack.newContext().fetch(request).map(\.rating) == expected,
            "\(selector) \(key) \(limit)"
          )
        }
      }
    }
  }

  @Test("batches of faults, and objects that are there, are those found", arguments: StoreKind.inSQL)
  func batches(_ kind: StoreKind) throws {
    let stack = try stack(kind)
    let request = request(Self.conditions[0])
    request.fetchBatchSize = 50
    let ratings = try stack.newContext().fetch(request).map(\.rating)
    let expected: [Int64] = Array(stride(from: 1_045, through: 0, by: -5))
    #expect(ratings == expected)
  }

  @Test("groups contain the objects that memory has decided on", arguments: StoreKind.inSQL)
  func groups(_ kind: StoreKind) throws {
    let (memory, stack) = (try stack(.inMemory), try stack(kind))
    for condition in Self.conditions {
      var request = AggregateRequest()
      request.properties = [
        "category.name", AggregateRequest.column("sum", "sum:(rating)", .integer64AttributeType),
      ]
      request.groupBy = ["category.name"]
      request.sort = [NSSortDescriptor(key: "category.name", ascending: true)]
      let fetch = request.request()
      fetch.predicate = condition.predicate
      func rows(_ stack: Stack) throws -> [String] {
        try stack.newContext().fetch(fetch).map {
          "\($0["category.name"] as? String ?? "-") \($0["sum"] as? Int64 ?? -1)"
        }
      }
      #expect(try rows(stack) == rows(memory), "\(condition.format)")
    }
  }

  @Test("a batch update and a batch deletion change what memory has decided for", arguments: StoreKind.inSQL)
  func batchRequests(_ kind: StoreKind) throws {
    for condition in Self.conditions {
      let (memory, stack) = (try stack(.inMemory), try stack(kind))
      var results: [[String]] = []
      for stack in [memory, stack] {
        let update = NSBatchUpdateRequest(entityName: "Note")
        update.predicate = condition.predicate
        update.propertiesToUpdate = [
          "title": NSExpression(format: "uppercase:(title)"), "small": NSExpression(format: "5"),
        ]
        update.resultType = .updatedObjectsCountResultType
        let context = stack.newContext()
        let updated = try #require(try context.execute(update) as? NSBatchUpdateResult).result as? Int
        let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Note")
        fetch.predicate = NSCompoundPredicate(andPredicateWithSubpredicates: [
          NSPredicate(format: "small == 5 AND modulus:by:(rating, 2) == 0 AND rating ** 2 < 1000000")
        ])
        let deletion = NSBatchDeleteRequest(fetchRequest: fetch)
        deletion.resultType = .resultTypeCount
        let deleted = try #require(try context.execute(deletion) as? NSBatchDeleteResult).result as? Int
        let rest = try stack.fetch(Note.self, in: stack.newContext()).compactMap(\.title).sorted()
        results.append(["\(updated ?? -1) \(deleted ?? -1)"] + rest)
      }
      #expect(results[0] == results[1], "\(condition.format)")
    }
  }

  @Test(
    "a condition that no database supports fails with the same error next to one left to memory",
    arguments: StoreKind.inSQL
  )
  func failures(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    for format in ["rating ** 2 == 4 AND nonsense == 1", "title MATCHES 'a\\\\p{L}' AND mode:(rating) == 2"] {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = NSPredicate(format: format)
      let error = #expect(throws: NSError.self) { try stack.newContext().fetch(request) }
      #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError, "\(format)")
    }
  }

  @Test(
    "a calculation that has no result is an error of Cocoa's, as in memory",
    arguments: StoreKind.inSQL + [.inMemory]
  )
  func calculations(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "title == 1 + 'x'")
    let context = stack.newContext()
    _ = context.note("one")
    try context.save()
    let error = #expect(throws: NSError.self) { try context.fetch(request) }
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
  }
}
