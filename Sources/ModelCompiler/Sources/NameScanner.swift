/// Finds the names that a source file may declare, without parsing it.
///
/// Every word behind `class`, `struct` and their like is taken, in comments and strings too: a file that is parsed
/// for nothing costs little, and most files need no parsing at all.
struct NameScanner {
  private(set) var names: Set<String> = []
  /// How often `@NSManaged` is in the file.
  private(set) var managedCount = 0

  private static let keywords: Set<String> = [
    "class", "struct", "enum", "actor", "protocol", "typealias",
  ]
  private static let longestKeyword = 9

  init(_ source: [UInt8]) {
    source.withUnsafeBufferPointer { scan($0) }
  }

  private mutating func scan(_ source: UnsafeBufferPointer<UInt8>) {
    var position = 0
    var expectsName = false
    while position < source.count {
      guard Self.isWordCharacter(source[position]) else {
        position += 1
        continue
      }
      let start = position
      repeat { position += 1 } while position < source.count && Self.isWordCharacter(source[position])
      let length = position - start
      if expectsName {
        names.insert(String(decoding: source[start..<position], as: UTF8.self))
        expectsName = false
      } else if length == 9, start > 0, source[start - 1] == UInt8(ascii: "@"),
        Self.matches(source, start, "NSManaged")
      {
        managedCount += 1
      } else if length >= 4, length <= Self.longestKeyword, Self.mayBeKeyword(source[start]) {
        expectsName = Self.keywords.contains(String(decoding: source[start..<position], as: UTF8.self))
      }
    }
  }

  private static func mayBeKeyword(_ first: UInt8) -> Bool {
    switch first {
    case UInt8(ascii: "c"), UInt8(ascii: "s"), UInt8(ascii: "e"), UInt8(ascii: "a"), UInt8(ascii: "p"),
      UInt8(ascii: "t"):
      true
    default: false
    }
  }

  private static func matches(
    _ source: UnsafeBufferPointer<UInt8>,
    _ start: Int,
    _ word: StaticString
  ) -> Bool {
    for index in 0..<word.utf8CodeUnitCount where source[start + index] != word.utf8Start[index] {
      return false
    }
    return true
  }

  private static func isWordCharacter(_ byte: UInt8) -> Bool {
    if byte >= 0x80 || byte == UInt8(ascii: "_") { return true }
    if byte >= UInt8(ascii: "a") { return byte <= UInt8(ascii: "z") }
    if byte >= UInt8(ascii: "A") { return byte <= UInt8(ascii: "Z") }
    return byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }
}
