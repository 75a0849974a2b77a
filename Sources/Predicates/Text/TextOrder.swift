import Foundation

/// An order of texts.
package struct TextOrder: Hashable, Sendable {
  private enum Kind: Hashable {
    case codes
    case folded(TextOptions)
    case locale(TextOptions, numeric: Bool)
  }

  private let kind: Kind

  /// By the codes of the characters, which is the order of their UTF-8 bytes and of SQLite's BINARY collation.
  package static let codes = TextOrder(kind: .codes)

  /// By the codes of the characters after folding case or marks away.
  package static func folded(_ options: TextOptions) -> TextOrder {
    options.isEmpty ? .codes : TextOrder(kind: .folded(options))
  }

  /// The order that a reader of the current locale expects.
  ///
  /// - Parameter numeric: true when runs of digits are compared as numbers, so that `a9` comes before `a10`.
  package static func locale(_ options: TextOptions = [], numeric: Bool = false) -> TextOrder {
    TextOrder(kind: .locale(options, numeric: numeric))
  }

  package func compare(_ first: String, second: String) -> ComparisonResult {
    switch kind {
    case .codes: return Self.compareCodes(first, second: second)
    case .folded(let options): return Self.compareCodes(options.folded(first), second: options.folded(second))
    case .locale(let options, let numeric):
      var compareOptions: String.CompareOptions = []
      if options.contains(.caseInsensitive) { compareOptions.insert(.caseInsensitive) }
      if options.contains(.diacriticInsensitive) { compareOptions.insert(.diacriticInsensitive) }
      if numeric { compareOptions.insert(.numeric) }
      return first.compare(second, options: compareOptions, range: nil, locale: .current)
    }
  }

  /// The order of two texts given as UTF-8, for a SQL store's collations.
  package func compare(
    utf8 first: UnsafeBufferPointer<UInt8>,
    utf8 second: UnsafeBufferPointer<UInt8>
  ) -> ComparisonResult {
    if kind == .codes { return Self.compareCodes(first, second) }
    return compare(String(decoding: first, as: UTF8.self), second: String(decoding: second, as: UTF8.self))
  }

  private static func compareCodes(_ first: String, second: String) -> ComparisonResult {
    withBytes(first, second: second, compareCodes)
  }

  private static func compareCodes(
    _ a: UnsafeBufferPointer<UInt8>,
    _ b: UnsafeBufferPointer<UInt8>
  ) -> ComparisonResult {
    var difference = 0
    if let first = a.baseAddress, let second = b.baseAddress {
      difference = Int(memcmp(first, second, min(a.count, b.count)))
    }
    if difference == 0 { difference = a.count - b.count }
    return difference < 0 ? .orderedAscending : (difference == 0 ? .orderedSame : .orderedDescending)
  }

  /// Returns true when both consist of the same codes; Swift's `==` would also take é and e with an
  /// accent for the same.
  package static func areIdentical(_ first: String, second: String) -> Bool {
    withBytes(first, second: second) { a, b in
      guard a.count == b.count, let firstByte = a.baseAddress, let secondByte = b.baseAddress else {
        return a.count == b.count
      }
      return memcmp(firstByte, secondByte, a.count) == 0
    }
  }

  private static func withBytes<Result>(
    _ first: String,
    second: String,
    _ body: (UnsafeBufferPointer<UInt8>, UnsafeBufferPointer<UInt8>) -> Result
  ) -> Result {
    first.withBytes { a in second.withBytes { b in body(a, b) } }
  }
}

extension String {
  /// Calls the closure with the text's UTF-8, which is copied only when the text is not kept as such.
  func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
    if let result = utf8.withContiguousStorageIfAvailable(body) { return result }
    var copy = self
    return copy.withUTF8(body)
  }
}
