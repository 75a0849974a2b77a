import Foundation
import PropertyLists
import Testing

@Suite("Sorted property lists")
struct SortedPropertyListTests {
  private static var plain: [String: Any] {
    [
      "text": "ü", "number": 5, "real": 1.5, "flag": true, "date": Date(timeIntervalSince1970: 0),
      "data": Data([1, 2]), "list": [1, "a", ["z": 1, "y": 2, "x": 3]] as [Any],
      "inner": ["b": 1, "a": 2, "c": [String: Any]()] as [String: Any],
    ]
  }

  @Test("A sorted property list has the same bytes each time")
  func sameBytes() throws {
    let made = try (0..<10).map { _ in
      // Each dictionary instance has its own iteration order.
      try SortedPropertyList.data(Dictionary(uniqueKeysWithValues: Self.plain.shuffled()))
    }
    #expect(Set(made).count == 1)
  }

  @Test("A sorted property list is read back unchanged, including numbers that fit one integer type only")
  func content() throws {
    for list in [Self.plain, Self.plain.merging(["large": UInt64.max]) { $1 }, [:]] {
      let unsorted = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
      let read = try [SortedPropertyList.data(list), unsorted].map { data in
        try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? NSDictionary)
      }
      #expect(read[0].count == list.count && read[0].isEqual(read[1]))
    }
  }

  @Test("Each text is written with its own codes, also beside a text that is equal to it by Unicode")
  func codes() throws {
    let texts = ["", "é", "e\u{301}", "\u{212B}", "Å", "A\u{30A}", "\u{0}", "😀", "\u{FF}"]
    let long = (13...17).flatMap { count in ["a", "é", "😀"].map { String(repeating: $0, count: count) } }
    let data = try SortedPropertyList.data(["texts": texts + long + texts])
    let read = try #require(
      try PropertyListSerialization.propertyList(from: data, format: nil) as? [String: [String]]
    )
    #expect(read["texts"]?.map { Array($0.utf16) } == (texts + long + texts).map { Array($0.utf16) })
  }

  @Test("A sorted property list of unsupported values is an error")
  func unwritable() {
    for wrong: Any in [
      NSNull(), [1, NSNull()], ["a": NSNull()], [1: 2], URL(fileURLWithPath: "/"), String?.none as Any,
    ] {
      #expect(throws: (any Error).self) { try SortedPropertyList.data(["value": wrong]) }
    }
  }

  @Test(
    "A sorted property list equals Foundation's, with Swift values, Foundation objects, and both nested"
  )
  func random() throws {
    for seed in UInt64(0)..<400 {
      var values = RandomList(state: seed)
      let list = values.dictionary(depth: 4)
      let unsorted = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
      let sorted = try SortedPropertyList.data(list)
      let read = try [sorted, unsorted].map { data in
        try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? NSDictionary)
      }
      #expect(read[0].isEqual(read[1]), "the list of \(seed)")
      #expect(try SortedPropertyList.data(try #require(read[1] as? [String: Any])) == sorted)
    }
  }
}

/// Random values that property lists can contain.
private struct RandomList {
  var state: UInt64

  private mutating func number(below count: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((state >> 33) % UInt64(count))
  }

  private mutating func text() -> String {
    String(
      (0..<number(below: 20)).map { _ in ["a", "Z", "é", "\u{1F600}", "\0", "-"][number(below: 6)] }.joined()
    )
  }

  mutating func dictionary(depth: Int) -> [String: Any] {
    Dictionary((0..<number(below: 5)).map { _ in (text(), value(depth: depth - 1)) }) { first, _ in first }
  }

  private mutating func value(depth: Int) -> Any {
    switch number(below: depth > 0 ? 19 : 15) {
    case 0: text()
    case 1: NSString(string: text())
    case 2: Data((0..<number(below: 300)).map { UInt8(truncatingIfNeeded: $0) })
    case 3: NSData(data: Data([1, 2, 3]))
    case 4: Date(timeIntervalSinceReferenceDate: Double(number(below: 1000)) / 8)
    case 5: NSDate(timeIntervalSinceReferenceDate: 5.5)
    case 6: number(below: 2) == 0
    case 7: NSNumber(value: true)
    case 8: number(below: 1_000_000) - 500_000
    case 9: Int8(number(below: 100))
    case 10: [UInt64.max, UInt64(1) << 63, 0][number(below: 3)]
    case 11: Double(number(below: 1000)) / 16
    case 12: Float(number(below: 1000)) / 16
    case 13: NSNumber(value: Double(number(below: 1000)) / 3)
    case 14: [Int64.min, .max, -1][number(below: 3)]
    case 15: dictionary(depth: depth)
    case 16: NSDictionary(dictionary: dictionary(depth: depth))
    case 17: (0..<number(below: 5)).map { _ in value(depth: depth - 1) }
    default: NSArray(array: (0..<number(below: 5)).map { _ in value(depth: depth - 1) })
    }
  }
}
