import Texts

/// The keys of the open dictionaries of an XML property list, in which a key may not occur twice.
struct XMLPropertyListKeys {
  private let text: ArraySlice<UInt8>
  /// The positions of the keys of each open dictionary; empty for an open array.
  private var places: [[String: Int]] = []

  private static let longestReference = 10

  init(_ text: ArraySlice<UInt8>) { self.text = text }

  /// Begins a dictionary or an array.
  mutating func open() { places.append([:]) }

  /// Ends the dictionary or array that was begun last.
  mutating func close() { _ = places.popLast() }

  /// Adds a key.
  /// - Parameters:
  ///   - rest: The text from the key on.
  ///   - place: The position of its tag.
  /// - Throws: A `Failure` where the dictionary has the key already.
  mutating func add(_ rest: ArraySlice<UInt8>, at place: Int) throws(PropertyListShape.Failure) {
    guard !places.isEmpty else { return }
    let key = Self.key(rest)
    guard let first = places[places.count - 1].updateValue(place, forKey: key) else { return }
    throw PropertyListShape.Failure(
      problem:
        "the key \"\(key.abbreviated)\" stands twice in one dictionary, first in line \(line(of: first))",
      remedy: "remove one of them",
      line: line(of: place)
    )
  }

  private func line(of place: Int) -> Int {
    text[..<place].reduce(1) { $1 == UInt8(ascii: "\n") ? $0 + 1 : $0 }
  }

  /// The text of an element up to its end.
  private static func key(_ text: ArraySlice<UInt8>) -> String {
    var bytes: [UInt8] = []
    var rest = text
    while let byte = rest.first {
      if byte == UInt8(ascii: "&") {
        let reference = rest.dropFirst().prefix(longestReference).prefix { $0 != UInt8(ascii: ";") }
        bytes += character(reference) ?? [byte] + reference
        rest = rest[reference.endIndex...].dropFirst()
      } else if byte != UInt8(ascii: "<") {
        bytes.append(byte)
        rest = rest.dropFirst()
      } else if rest.starts(with: Array("<![CDATA[".utf8)) {
        let after = PropertyListShape.skipped(rest, to: Array("]]>".utf8))
        guard !after.isEmpty else { break }
        bytes += rest[..<after.startIndex].dropFirst("<![CDATA[".utf8.count).dropLast("]]>".utf8.count)
        rest = after
      } else if rest.starts(with: Array("<!--".utf8)) {
        rest = PropertyListShape.skipped(rest, to: Array("-->".utf8))
      } else {
        break
      }
    }
    // In another encoding than UTF-8, keys with different bytes are different.
    return String(validating: bytes, as: UTF8.self) ?? bytes.map { "\($0)" }.joined(separator: " ")
  }

  /// The bytes of a character that is given by its name or number.
  private static func character(_ reference: ArraySlice<UInt8>) -> [UInt8]? {
    let name = String(decoding: reference, as: UTF8.self)
    switch name {
    case "lt": return Array("<".utf8)
    case "gt": return Array(">".utf8)
    case "amp": return Array("&".utf8)
    case "quot": return Array("\"".utf8)
    case "apos": return Array("'".utf8)
    default:
      let number = name.hasPrefix("#x") ? UInt32(name.dropFirst(2), radix: 16) : UInt32(name.dropFirst())
      guard name.hasPrefix("#"), let scalar = number.flatMap({ Unicode.Scalar($0) }) else { return nil }
      return Array(String(scalar).utf8)
    }
  }
}
