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

  @Test("have the same bytes each time")
  func sameBytes() throws {
    let made = try (0..<10).map { _ in
      // Each dictionary has an order of its own.
      try SortedPropertyList.data(Dictionary(uniqueKeysWithValues: Self.plain.shuffled()))
    }
    #expect(Set(made).count == 1)
  }

  @Test("are read as what they were, also with numbers that no other integer holds")
  func content() throws {
    for list in [Self.plain, Self.plain.merging(["large": UInt64.max]) { $1 }, [:]] {
      let unsorted = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
      let read = try [SortedPropertyList.data(list), unsorted].map { data in
        try #require(try PropertyListSerialization.propertyList(from: data, format: nil) as? NSDictionary)
      }
      #expect(read[0].count == list.count && read[0].isEqual(read[1]))
    }
  }

  @Test("of what no property list can hold are an error")
  func unwritable() {
    #expect(throws: (any Error).self) { try SortedPropertyList.data(["value": NSNull()]) }
  }
}
