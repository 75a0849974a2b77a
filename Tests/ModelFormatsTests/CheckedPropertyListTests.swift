import Foundation
import PropertyLists
import Testing

@Suite("Untrusted property lists")
struct CheckedPropertyListTests {
  /// A binary property list of nested arrays, each of which contains the next one the given number of times.
  private static func shared(levels: Int, times: Int) -> Data {
    var data = Data("bplist00".utf8)
    var offsets: [Int] = []
    for level in 0..<levels {
      offsets.append(data.count)
      data.append(UInt8(0xA0 | times))
      for _ in 0..<times { data.append(contentsOf: [UInt8((level + 1) >> 8), UInt8((level + 1) & 0xFF)]) }
    }
    offsets.append(data.count)
    data.append(0x09)
    return finished(data, offsets)
  }

  private static func finished(_ data: Data, _ offsets: [Int]) -> Data {
    var data = data
    let table = data.count
    for offset in offsets { data.append(contentsOf: bigEndian(offset, bytes: 4)) }
    data.append(contentsOf: [0, 0, 0, 0, 0, 0, 4, 2])
    for number in [offsets.count, 0, table] {
      data.append(contentsOf: bigEndian(number, bytes: 8))
    }
    return data
  }

  private static func bigEndian(_ number: Int, bytes: Int) -> [UInt8] {
    (1...bytes).map { UInt8(truncatingIfNeeded: number >> (8 * (bytes - $0))) }
  }

  @Test("Checked property lists are read as Foundation reads them, in XML and binary")
  func plain() throws {
    let list: [String: Any] = [
      "text": "ü", "number": 5, "real": 1.5, "flag": true, "date": Date(timeIntervalSince1970: 0),
      "data": Data([1, 2]), "list": [1, "a", ["z": 1]] as [Any], "large": UInt64.max,
    ]
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
      let read = try #require(try CheckedPropertyList.read(data) as? NSDictionary)
      #expect(read.isEqual(list as NSDictionary))
    }
    #expect((try CheckedPropertyList.read(Self.shared(levels: 5, times: 2)) as? [Any])?.count == 2)
  }

  @Test("Checked property lists have Swift values in Swift containers, like Foundation's")
  func types() throws {
    let list: [String: Any] = ["flag": true, "list": [1, "a", ["data": Data([1])]] as [Any], "real": 0.5]
    let data = try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    let read = [
      try CheckedPropertyList.read(data), try PropertyListSerialization.propertyList(from: data, format: nil),
    ]
    func types(_ value: Any) -> String {
      switch value {
      case let list as [Any]: "[\(list.map(types).joined(separator: ", "))]"
      case let list as [AnyHashable: Any]:
        "\(type(of: value)) " + list.map { "\($0): \(types($1))" }.sorted().joined(separator: ", ")
      default: "\(type(of: value))"
      }
    }
    #expect(types(read[0]) == types(read[1]))
  }

  @Test("Property lists with equal contents are equal, whether Swift's or Foundation's")
  func equality() {
    let one: [String: Any] = ["a": 1, "b": ["c": Data([1])], "d": [true, 1.5] as [Any]]
    #expect(PropertyListEquality.areEqual(one, other: one as NSDictionary))
    #expect(PropertyListEquality.areEqual(one, other: one))
    #expect(PropertyListEquality.areEqual(nil, other: nil) && !PropertyListEquality.areEqual(nil, other: one))
    for other: [String: Any] in [
      ["a": 2, "b": ["c": Data([1])], "d": [true, 1.5] as [Any]],
      ["a": 1, "b": ["c": Data([2])], "d": [true, 1.5] as [Any]],
      ["a": 1, "b": ["c": Data([1])], "d": [1.5, true] as [Any]], ["a": 1, "b": ["c": Data([1])]], ["a": "1"],
    ] {
      #expect(!PropertyListEquality.areEqual(one, other: other))
      #expect(!PropertyListEquality.areEqual(one as NSDictionary, other: other))
    }
    #expect(!PropertyListEquality.areEqual("\u{E9}", other: "e\u{301}"))
  }

  @Test("Property lists with shared, too deeply nested or recursive containers are refused at once")
  func harm() {
    for (data, words) in [
      (Self.shared(levels: 60, times: 2), "share"), (Self.shared(levels: 9, times: 14), "share"),
      (Self.shared(levels: 20_000, times: 1), "deep"),
      (Self.finished(Data("bplist00".utf8) + [0xA1, 0, 0], [8]), "holds itself"),
      (Self.finished(Data("bplist00".utf8) + [0xD1, 0, 1, 0, 1, 0x09], [8, 13]), "key"),
    ] {
      let failure = #expect(throws: CheckedPropertyList.Failure.self) { try CheckedPropertyList.read(data) }
      #expect(failure?.problem.contains(words) == true, "\(String(describing: failure))")
    }
    let deep = String(repeating: "<array>", count: 100_000) + String(repeating: "</array>", count: 100_000)
    for text in ["<plist version=\"1.0\">\(deep)</plist>", "", "no list <"] {
      #expect(throws: CheckedPropertyList.Failure.self) { try CheckedPropertyList.read(Data(text.utf8)) }
    }
  }

  @Test("Property lists with sets or archive references are refused, because some crash Foundation")
  func foreignKinds() throws {
    let data = try PropertyListSerialization.data(
      fromPropertyList: ["a": Date(timeIntervalSince1970: 0)],
      format: .binary,
      options: 0
    )
    let place = try #require(data.lastIndex(of: 0x33))
    for mark in [0xB1, 0xC1, 0xCC, 0x80, 0x83] as [UInt8] {
      var mutant = data
      mutant[place] = mark
      #expect(throws: CheckedPropertyList.Failure.self) { try CheckedPropertyList.read(mutant) }
    }
  }

  @Test("A property list with any byte missing or changed is read or refused")
  func mutants() throws {
    let list: [String: Any] = [
      "a": [1, "ü", Data([1])] as [Any], "b": ["c": Date(timeIntervalSince1970: 0)],
    ]
    for format in [PropertyListSerialization.PropertyListFormat.xml, .binary] {
      let data = try PropertyListSerialization.data(fromPropertyList: list, format: format, options: 0)
      for length in data.indices { _ = try? CheckedPropertyList.read(data.prefix(length)) }
      for index in data.indices {
        for change in [0x01, 0x80, 0xFF] as [UInt8] {
          var mutant = data
          mutant[index] ^= change
          guard let read = try? CheckedPropertyList.read(mutant) else { continue }
          _ = "\(read)".count
          // Foundation traps on some of the lists that the check refuses, so only accepted lists are passed to it.
          guard let known = try? PropertyListSerialization.propertyList(from: mutant, format: nil) else {
            continue
          }
          #expect(PropertyListEquality.areEqual(read, other: known), "\(format), byte \(index)")
        }
      }
    }
    #expect(throws: CheckedPropertyList.Failure.self) { try CheckedPropertyList.read(Data("bplist00".utf8)) }
  }
}
