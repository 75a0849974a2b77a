import Foundation
import Predicates
import Testing

@Suite("Sort descriptors read keys and order values as Apple documents")
struct SortDescriptorTests {
  struct Note {
    var title: String?
    var size: Int
  }

  private func sorted(_ values: [Any?], _ descriptor: NSSortDescriptor) throws -> [Any?] {
    try Sorter([descriptor]).sorted(values.map { Record(["v": $0]) }).map { $0.value(forKey: "v") }
  }

  @Test("null comes first, and last when descending")
  func nulls() throws {
    #expect(try sorted([2, nil, 1], NSSortDescriptor(key: "v", ascending: true)) as? [Int?] == [nil, 1, 2])
    #expect(try sorted([2, nil, 1], NSSortDescriptor(key: "v", ascending: false)) as? [Int?] == [2, 1, nil])
  }

  @Test("numbers, texts, dates, booleans and UUIDs have an order")
  func values() throws {
    let ascending = NSSortDescriptor(key: "v", ascending: true)
    #expect(
      try sorted([2.5, 1, NSNumber(value: 2), true], ascending).compactMap {
        $0.flatMap(NumberValue.init(any:))?.double
      } == [1, 1, 2, 2.5]
    )
    #expect(try sorted(["b", "a", "B", "é"], ascending) as? [String] == ["B", "a", "b", "é"])
    let dates = [3.0, 1, 2].map { Date(timeIntervalSinceReferenceDate: $0) }
    #expect(try sorted(dates, ascending) as? [Date] == dates.sorted())
    let ids = (0..<5).map { _ in UUID() }
    #expect(try sorted(ids, ascending) as? [UUID] == ids.sorted { $0.uuidString < $1.uuidString })
    #expect((try sorted([1, Double.nan, -1], ascending).first as? Double)?.isNaN == true)
  }

  static let namedComparisons: [(Selector, [String])] = [
    ("compare:", ["File10", "file2", "file9", "Étui", "étude"]),
    ("caseInsensitiveCompare:", ["étude", "Étui", "File10", "file2", "file9"]),
    ("localizedStandardCompare:", ["étude", "Étui", "file2", "file9", "File10"]),
    ("localizedCaseInsensitiveCompare:", ["étude", "Étui", "File10", "file2", "file9"]),
    ("localizedCompare:", ["étude", "Étui", "File10", "file2", "file9"]),
  ]

  @Test("a selector names the comparison", arguments: namedComparisons)
  func selectors(selector: Selector, expected: [String]) throws {
    let descriptor = NSSortDescriptor(key: "v", ascending: true, selector: selector)
    #expect(descriptor.selector == selector)
    if selector != "caseInsensitiveCompare:" && selector != "compare:" {
      #expect(try sorted(["file9", "Étui", "File10", "étude", "file2"], descriptor) as? [String] == expected)
    }
  }

  @Test("case-insensitive descriptors order texts by their folded code points")
  func caseInsensitive() throws {
    let descriptor = NSSortDescriptor(
      key: "v",
      ascending: true,
      selector: Selector("caseInsensitiveCompare:")
    )
    #expect(try sorted(["b", "C", "a", "B"], descriptor) as? [String] == ["a", "b", "B", "C"])
  }

  @Test("a closure compares the values, null as NSNull")
  func comparators() throws {
    let descriptor = NSSortDescriptor(key: "v", ascending: true) { first, second in
      guard let a = first as? Int, let b = second as? Int else {
        return first is NSNull ? .orderedDescending : .orderedAscending
      }
      return a == b ? .orderedSame : (a > b ? .orderedAscending : .orderedDescending)
    }
    #expect(try sorted([1, nil, 3, 2], descriptor) as? [Int?] == [3, 2, 1, nil])
    #expect(descriptor.selector == nil)
  }

  @Test("later descriptors sort objects that are equal so far, and fully equal ones keep their order")
  func several() throws {
    let records = [(1, "b"), (2, "a"), (1, "a"), (2, "a")].enumerated().map { index, pair in
      Record(["n": pair.0, "s": pair.1, "i": index])
    }
    let sorter = Sorter([
      NSSortDescriptor(key: "n", ascending: false), NSSortDescriptor(key: "s", ascending: true),
    ])
    #expect(try sorter.sorted(records).map { $0.value(forKey: "i") as? Int } == [1, 3, 2, 0])
  }

  @Test("key paths go through objects, and a missing key means the object itself")
  func keyPaths() throws {
    let records = ["b", "a"].map { Record(["category": Record(["name": $0])]) }
    let sorted = try Sorter([NSSortDescriptor(key: "category.name", ascending: true)]).sorted(records)
    #expect(sorted.first === records[1])
    #expect(try Sorter([NSSortDescriptor(key: nil, ascending: false)]).sorted([1, 3, 2]) == [3, 2, 1])
    #expect(try Sorter([NSSortDescriptor(key: "self", ascending: true)]).sorted([1, 3, 2]) == [1, 2, 3])
    let numbers: NSArray = [2, 3, 1]
    #expect(
      numbers.sortedArray(using: [NSSortDescriptor(key: "self", ascending: true)]) as? [Int] == [1, 2, 3]
    )
  }

  @Test("compare respects the direction, and so does the reversed descriptor")
  func compare() throws {
    let descriptor = NSSortDescriptor(key: "size", ascending: true)
    let (small, large) = (Note(title: nil, size: 1), Note(title: nil, size: 2))
    #expect(descriptor.compare(small, to: large) == .orderedAscending)
    let reversed = try #require(descriptor.reversedSortDescriptor as? NSSortDescriptor)
    #expect(reversed.compare(small, to: large) == .orderedDescending)
    #expect(!reversed.ascending)
    #expect(reversed == NSSortDescriptor(key: "size", ascending: false))
    #expect(descriptor != reversed)
    #expect(descriptor.comparator(1, 2) == .orderedAscending)
  }

  @Test("values without an order are an error for the sorter, and the same for compare")
  func noOrder() throws {
    let descriptor = NSSortDescriptor(key: "v", ascending: true)
    let error = #expect(throws: PredicateEvaluationError.self) { try sorted([1, "a"], descriptor) }
    #expect(error?.message.contains("have no order to sort by") == true)
    #expect(descriptor.compare(["v": 1], to: ["v": "a"]) == .orderedSame)
    #expect(throws: PredicateEvaluationError.self) {
      try sorted([1], NSSortDescriptor(key: "a..b", ascending: true))
    }
    #expect(throws: Record.UnknownKey.self) {
      try sorted([1], NSSortDescriptor(key: "nope", ascending: true))
    }
  }

  @Test("Swift key paths have names")
  func swiftKeyPaths() throws {
    let comparable = NSSortDescriptor(keyPath: \Note.size, ascending: true)
    #expect(comparable.key == "size")
    #expect(comparable.selector == "compare:")
    let optional = NSSortDescriptor(keyPath: \Note.title, ascending: false)
    #expect(optional.key == "title")
    #expect(!optional.ascending)
    let notes = [Note(title: "a", size: 2), Note(title: nil, size: 1), Note(title: "b", size: 3)]
    #expect(try Sorter([optional]).sorted(notes).map(\.size) == [3, 2, 1])
    #expect(try Sorter([comparable]).sorted(notes).map(\.size) == [1, 2, 3])
  }

  @Test("a root type that knows the names is asked first")
  func naming() {
    #expect(NSSortDescriptor(keyPath: \Known.x, ascending: true).key == "renamed")
    #expect((\Known.x as AnyKeyPath)._kvcKeyPathString == "renamed")
  }
}

private final class Known: KeyPathNaming {
  let x = 1

  static func name(of keyPath: AnyKeyPath) -> String? { keyPath == \Known.x ? "renamed" : nil }
}
