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
    arguments: [
      "sum:(rating)", "@sum.rating", "sum:(rating + small)", "sum:(rating * small)", "average:(rating)",
      "max:(rating) - min:(rating)", "min:(rating + small)", "max:(rating + small)",
    ],
    [.undefinedAttributeType, .integer16AttributeType, .integer64AttributeType, .doubleAttributeType]
      as [NSAttributeType]
  )
  func overflow(_ format: String, _ type: NSAttributeType) throws {
    let total = AggregateRequest.column("total", format, type)
    var requests: [AggregateRequest] = []
    for ascending in [true, false] {
      for (limit, offset) in [(0, 0), (1, 0), (2, 1), (1, 3)] {
        requests.append(
          AggregateRequest(
            properties: ["category.name", total],
            groupBy: ["category.name"],
            sort: ["total", "category.name"].map { NSSortDescriptor(key: $0, ascending: ascending) },
            limit: limit,
            offset: offset
          )
        )
      }
    }
    for having in ["total > 0", "total < 0", "NOT total > 0", "total == \(Int64.min)", "\(format) > 2"] {
      requests.append(
        AggregateRequest(
          properties: ["category.name"],
          groupBy: ["category.name"],
          having: having.contains("total") ? nil : having,
          sort: [NSSortDescriptor(key: "category.name", ascending: true)]
        )
      )
      requests.append(
        AggregateRequest(
          properties: ["category.name", total],
          groupBy: ["category.name"],
          having: having,
          sort: [NSSortDescriptor(key: "category.name", ascending: true)]
        )
      )
    }
    try compare(requests)
  }

  @Test(
    "a calculated number of each object that overflows has the type that it has in memory",
    arguments: ["rating + small", "rating - small", "rating * small", "abs:(rating)", "rating / (small + 4)"]
  )
  func calculated(_ format: String) throws {
    try compare(
      ["rating > 0", "rating < 0", "small < 0", "small == 0", "TRUEPREDICATE"].map { predicate in
        AggregateRequest(
          properties: ["title", AggregateRequest.column("value", format)],
          predicate: predicate,
          sort: [NSSortDescriptor(key: "title", ascending: true)]
        )
      }
    )
  }

  /// Compares the dictionaries of all stores with those of the store in memory.
  private func compare(_ requests: [AggregateRequest]) throws {
    let memory = try library(.inMemory)
    let expected = try requests.map { try lines($0, in: memory) }
    for kind in StoreKind.allCases where kind != .inMemory {
      let stack = try library(kind)
      for (request, expected) in zip(requests, expected) {
        let found = try lines(request, in: stack)
        let (having, predicate) = (request.having ?? "-", request.predicate ?? "-")
        #expect(
          found == expected,
          "\(kind), having \(having), where \(predicate), limit \(request.limit), offset \(request.offset)"
        )
      }
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
