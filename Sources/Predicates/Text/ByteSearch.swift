import Foundation

/// Comparing and finding bytes, ASCII letters in lower case if wanted.
enum ByteSearch {
  /// Returns true when the text has the pattern at an index, where it has to fit.
  static func has(
    _ text: UnsafeBufferPointer<UInt8>,
    pattern: UnsafeBufferPointer<UInt8>,
    at index: Int,
    folding: Bool
  ) -> Bool {
    guard let textStart = text.baseAddress, let patternStart = pattern.baseAddress else { return pattern.isEmpty }
    if !folding { return memcmp(textStart + index, patternStart, pattern.count) == 0 }
    for offset in 0..<pattern.count
    where TextFolding.lowercased(textStart[index &+ offset]) != patternStart[offset] {
      return false
    }
    return true
  }

  /// The first index at which the pattern occurs in the text, at the given index or after it; `nil` when there is none.
  static func firstIndex(
    of pattern: UnsafeBufferPointer<UInt8>,
    in text: UnsafeBufferPointer<UInt8>,
    from start: Int,
    folding: Bool
  ) -> Int? {
    guard start + pattern.count <= text.count else { return nil }
    guard let textStart = text.baseAddress, let patternStart = pattern.baseAddress, !pattern.isEmpty else {
      return start
    }
    let first = patternStart[0]
    let last = text.count - pattern.count
    if folding {
      for index in start...last where TextFolding.lowercased(textStart[index]) == first {
        if has(text, pattern: pattern, at: index, folding: true) { return index }
      }
      return nil
    }
    var index = start
    while index <= last, let found = memchr(textStart + index, Int32(first), last - index + 1) {
      index = UnsafeRawPointer(found) - UnsafeRawPointer(textStart)
      if has(text, pattern: pattern, at: index, folding: false) { return index }
      index += 1
    }
    return nil
  }
}
