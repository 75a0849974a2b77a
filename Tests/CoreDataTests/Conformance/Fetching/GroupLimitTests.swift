import CoreData
import Foundation
import Testing

@testable import CoreData

/// Groups of no objects, and groups whose whole numbers do not fit in 64 bits.
@Suite("The limits of groups")
struct GroupLimitTests {
  @Test(
    "a group of no objects has constants and what is computed of them, like every group",
    arguments: StoreKind.allCases,
    [("@sum.small * 2", 0), ("2 + sum:(small)", 2), ("count:(SELF) + 1", 1), ("3 * 2", 6), ("max:(small) + 1", nil)]
      as [(String, Int?)]
  )
  func noObjects(_ kind: StoreKind, _ column: (format: String, value: Int?)) throws {
    let stack = try Stack(kind)
    stack.note("a")
    try stack.save()
    let request = AggregateRequest(
      properties: [
        AggregateRequest.column("value", column.format), AggregateRequest.column("count", "count:(SELF)"),
      ],
      predicate: "title == 'b'"
    )
    let found = try stack.newContext().fetch(request.request())
    #expect(found.map { $0["value"] as? Int } == [column.value])
    #expect(found.map { $0["count"] as? Int } == [0])
  }

  /// The ratings and the small numbers of notes, by category. Sums of ratings overflow in both directions, and some
  /// calculations have results that only a floating-point number can have: one of them is the least whole number.
  private static let notes: [(category: String, rating: Int64, small: Int16)] = [
    ("a", .max, 1), ("a", 1, 2), ("b", .min, -2), ("b", .min, 0), ("c", 5, 3), ("d", -7, 3), ("d", .min, 1),
    ("e", .min, -1),
  ]

  private func library(_ kind: StoreKind) throws -> Stack {
    let stack = try Stack(kind)
    let categories = Dictionary(
      uniqueKeysWithValues: Set(Self.notes.map(\.category)).map { ($0, stack.category($0)) }
    )
    for (number, note) in Self.notes.enumerated() {
      stack.note("\(number)", rating: note.rating, categories[note.category]).setValue(note.small, forKey: "small")
    }
    try stack.save()
    return stack
  }

  @Test(
    "whole numbers that overflow are those of memory, also where groups are ordered, limited or selected by them",
    arguments: StoreKind.inSQL
  )
  func overflow(_ kind: StoreKind) throws {
    let calculations = ["rating", "rating + small", "rating * small", "abs:(rating)"]
    let functions = ["sum", "average", "min", "max"]
    let formats =
      functions.flatMap { function in calculations.map { "\(function):(\($0))" } }
      + ["@sum.rating", "@sum.rating * 2", "max:(rating) - min:(rating)"]
    let types: [NSAttributeType] = [.undefinedAttributeType, .integer16AttributeType, .doubleAttributeType]
    try compare(
      kind,
      formats.flatMap { format in
        types.flatMap { Self.requests(AggregateRequest.column("total", format, $0), format: format) }
      }
    )
  }

  /// Requests for the groups of the notes that have a column, which orders, limits and selects them.
  private static func requests(_ total: NSExpressionDescription, format: String) -> [AggregateRequest] {
    var groups = AggregateRequest(properties: ["category.name", total], groupBy: ["category.name"])
    var requests: [AggregateRequest] = []
    for isAscending in [true, false] {
      groups.sort = ["total", "category.name"].map { NSSortDescriptor(key: $0, ascending: isAscending) }
      for (limit, offset) in [(0, 0), (1, 0), (2, 2)] {
        (groups.limit, groups.offset) = (limit, offset)
        requests.append(groups)
      }
    }
    groups.sort = [NSSortDescriptor(key: "category.name", ascending: true)]
    (groups.limit, groups.offset) = (0, 0)
    for condition in ["total > 0", "total < 0", "NOT total > 0", "total == \(Int64.min)", "\(format) > 2"] {
      groups.having = condition
      requests.append(groups)
    }
    groups.properties = ["category.name"]
    requests.append(groups)
    return requests
  }

  @Test(
    "a calculated number of each object that overflows has the type that it has in memory",
    arguments: StoreKind.inSQL
  )
  func calculated(_ kind: StoreKind) throws {
    let formats = ["rating + small", "rating - small", "rating * small", "abs:(rating)", "rating / (small + 4)"]
    let predicates = ["rating > 0", "rating < 0", "small < 0", "small == 0", "TRUEPREDICATE"]
    try compare(
      kind,
      formats.flatMap { format in
        predicates.map { predicate in
          AggregateRequest(
            properties: ["title", AggregateRequest.column("value", format)],
            predicate: predicate,
            sort: [NSSortDescriptor(key: "title", ascending: true)]
          )
        }
      }
    )
  }

  /// Compares the dictionaries of a store with those of the store in memory.
  private func compare(_ kind: StoreKind, _ requests: [AggregateRequest]) throws {
    let (memory, stack) = (try library(.inMemory), try library(kind))
    for request in requests {
      let (found, expected) = (try lines(request, in: stack), try lines(request, in: memory))
      let columns = request.properties.map { ($0 as? NSExpressionDescription)?.expression?.description ?? "\($0)" }
      #expect(
        found == expected,
        """
        \(columns) having \(request.having ?? "-") where \(request.predicate ?? "-") limit \(request.limit) \
        offset \(request.offset)
        """
      )
    }
  }

  /// The values of each dictionary. Those of single objects are given with their types; a group may return any of the
  /// equal numbers of its objects.
  private func lines(_ request: AggregateRequest, in stack: Stack) throws -> [String] {
    try stack.newContext().fetch(request.request()).map { row in
      ["category.name", "title", "total", "value"].compactMap { name in
        row[name].map { value in
          guard let number = value as? NSNumber else { return "\(value)" }
          if number.objCType.pointee != CChar(UInt8(ascii: "d")) { return "whole \(number)" }
          if name == "total", let whole = Int64(exactly: number.doubleValue) { return "whole \(whole)" }
          return String(format: "real %.12g", number.doubleValue)
        }
      }.joined(separator: " ")
    }
  }
}
