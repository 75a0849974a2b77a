import Foundation
import PropertyLists
import Testing

@Suite("Large data in property lists")
struct SharedBytesTests {
  /// Data of a size whose bytes depend on a number.
  private static func data(_ count: Int, number: UInt8) -> Data {
    Data((0..<count).map { UInt8(truncatingIfNeeded: $0) ^ number })
  }

  private static let values: [String: Data] = [
    "empty": Data(), "small": data(100, number: 1), "medium": data(70_000, number: 2),
    "large": data(1_000_000, number: 3), "again": data(1_000_000, number: 3),
  ]

  private func read(_ data: Data) throws -> [String: Data] {
    try #require(try CheckedPropertyList.read(data) as? [String: Data])
  }

  @Test("data of each size is read as it was written, and begins with the index 0")
  func sizes() throws {
    let read = try read(try SortedPropertyList.data(Self.values))
    #expect(read == Self.values)
    #expect(read.values.allSatisfy { $0.startIndex == 0 })
    let foundation = try PropertyListSerialization.data(fromPropertyList: Self.values, format: .binary, options: 0)
    #expect(try self.read(foundation) == Self.values)
  }

  @Test("equal lists give equal bytes")
  func bytes() throws {
    #expect(try SortedPropertyList.data(Self.values) == SortedPropertyList.data(Self.values))
  }

  @Test("data outlives the list that it was read from, and a change of it changes nothing else")
  func changes() throws {
    let written = try SortedPropertyList.data(Self.values)
    var values = try read(written)
    let kept = values
    values["large"]?[0] ^= 1
    values["again"]?.append(9)
    values["medium"]?.removeFirst()
    #expect(kept == Self.values)
    #expect(values["large"]?.dropFirst() == Self.values["large"]?.dropFirst())
    #expect(values["large"] != Self.values["large"])
    #expect(values["again"]?.dropLast() == Self.values["again"])
    #expect(values["medium"] == Self.values["medium"]?.dropFirst())
    #expect(try read(written) == Self.values)
  }

  @Test("a list in borrowed memory is read as one in memory of its own")
  func borrowed() throws {
    let written = try SortedPropertyList.data(Self.values)
    let isSame = try written.withUnsafeBytes { bytes in
      try CheckedPropertyList.read(SharedBytes(borrowing: bytes)) as? [String: Data] == Self.values
    }
    #expect(isSame)
    #expect(try read(written) == Self.values)
  }

  @Test("bytes of a text are read as a list, too")
  func text() throws {
    let list = try PropertyListSerialization.data(fromPropertyList: Self.values, format: .xml, options: 0)
    #expect(try read(list) == Self.values)
  }

  @Test("a list that ends within large data is refused")
  func truncated() throws {
    let written = try SortedPropertyList.data(Self.values)
    for count in [0, 6, 40, 500_000, written.count - 1] {
      #expect(throws: CheckedPropertyList.Failure.self) { try CheckedPropertyList.read(written.prefix(count)) }
    }
  }
}
