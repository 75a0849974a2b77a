import CoreData
import Foundation
import Testing

/// A store in SQL must give the same results as the evaluation in memory, although its database calculates differently.
@Suite("Calculations in predicates")
struct ArithmeticTests {
  private func titles(_ stack: Stack, _ format: String) throws -> [String] {
    try stack.fetch(Note.self, format, sort: [.byTitle], in: stack.sibling()).compactMap(\.title)
  }

  private static let ofDecimals: [(format: String, titles: [String])] = [
    ("price + 0.1 == 0.3", ["0.2"]), ("0.3 == 0.1 + price", ["0.2"]), ("price * 3 == 0.3", ["0.1"]),
    ("price - 0.1 == 0.2", ["0.3"]), ("price / 0.1 == 3", ["0.3"]),
    ("price + 0.1 IN {0.3, 0.4}", ["0.2", "0.3"]),
    ("price + 0.1 BETWEEN {0.3, 0.4}", ["0.2", "0.3"]), ("floor:(price) + 0.1 == 2.1", ["2.5"]),
    ("TERNARY(rating > 1, price, 1) + 0.1 == 0.3", ["0.2"]), ("price > 0.1 AND price + 0.1 <= 0.3", ["0.2"]),
    ("category.notes.@sum.price == 3.1", ["0.1", "0.2", "0.3", "2.5"]),
    ("category.notes.@avg.price * 4 == 3.1", ["0.1", "0.2", "0.3", "2.5"]),
    ("price * price * 100 == 1", ["0.1"]), ("price / 3 == 0.1", ["0.3"]),
  ]

  @Test("add, multiply and divide decimal numbers as such", arguments: StoreKind.allCases)
  func decimals(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    for price in ["0.1", "0.2", "0.3", "2.5"] {
      stack.note(price, category).setValue(NSDecimalNumber(string: price), forKey: "price")
    }
    stack.note("none")
    try stack.save()
    for (format, titles) in Self.ofDecimals {
      #expect(try self.titles(stack, format) == titles, "\(format)")
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = NSPredicate(format: format)
      #expect(try stack.context.count(for: request) == titles.count, "\(format)")
    }
  }

  @Test("objects can be sorted by sums of decimal numbers", arguments: StoreKind.allCases)
  func orderOfSums(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    for (name, prices) in [("a", ["0.3"]), ("b", ["0.1", "0.1"]), ("c", ["0.1", "0.2", "0.3"])] {
      let category = stack.category(name)
      for price in prices {
        stack.note(price, category).setValue(NSDecimalNumber(string: price), forKey: "price")
      }
    }
    try stack.save()
    let sort = [NSSortDescriptor(key: "notes.@sum.price", ascending: false)]
    #expect(try stack.fetch(Category.self, sort: sort, in: stack.sibling()).map(\.name) == ["c", "a", "b"])
  }

  private static let ofLimits: [(format: String, titles: [String])] = [
    ("rating + 1 == 9223372036854775808", ["greatest"]),
    ("rating + small > 9223372036854775807", ["greatest"]),
    ("(rating + small) - small == rating", ["before", "least", "odd"]), ("rating - 1 == rating", ["least"]),
    ("rating * 2 == 1.8446744073709551616e19", ["before", "greatest"]),
    ("rating / -1 == 9223372036854775808", ["least"]), ("abs:(rating) == 9223372036854775808", ["least"]),
    ("modulus:by:(rating + 1, 2) == 0", ["greatest", "odd"]), ("rating == 9007199254740992.0", []),
    ("rating > 9007199254740992.0", ["before", "greatest", "odd"]), ("rating == 9223372036854775807.0", []),
    ("rating < 9223372036854775808", ["before", "greatest", "least", "odd"]),
    ("rating == -9223372036854775808.0", ["least"]), ("rating == ratio", []),
    ("rating > ratio", ["before", "greatest", "odd"]), ("rating IN {9223372036854775808, 0.5}", []),
    ("category.notes.@sum.rating == 9232379236109516800", ["before", "greatest", "least", "odd"]),
    ("category.notes.@avg.rating == 2308094809027379200", ["before", "greatest", "least", "odd"]),
  ]

  @Test("integer results beyond 64 bits are floating-point numbers", arguments: StoreKind.allCases)
  func limits(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let category = stack.category("c")
    for (title, rating) in [
      ("greatest", Int64.max), ("before", .max - 1), ("least", .min), ("odd", 1 << 53 + 1),
    ] {
      let note = stack.note(title, rating: rating, category)
      note.setValue(1, forKey: "small")
      note.setValue(0x1p53, forKey: "ratio")
    }
    try stack.save()
    for (format, titles) in Self.ofLimits {
      #expect(try self.titles(stack, format) == titles, "\(format)")
    }
  }
}
