package import Foundation

/// Finds invalid UTF-8 in text from files before it is parsed, because some parsers fail on it:
/// Foundation's XML parser crashes the program if the name of an element is not UTF-8.
package enum UTF8Text {
  /// The number of the first line that is not valid UTF-8, counted from 1; `nil` when all lines are valid.
  package static func firstBadLine(of data: Data) -> Int? {
    if String(validating: data, as: UTF8.self) != nil { return nil }
    var line = 0
    for part in data.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      line += 1
      if String(validating: part, as: UTF8.self) == nil { break }
    }
    return line
  }
}
