/// Converts positions in a text between bytes of UTF-8 and units of UTF-16.
///
/// The parser counts bytes. Text fields of web pages and `NSString` count units of UTF-16.
struct TextPositions {
  private let text: String

  init(_ text: String) { self.text = text }

  /// The number of bytes in front of a position. A position inside of a Unicode character or outside of the
  /// text moves back to the nearest valid one.
  func utf8(ofUTF16 offset: Int) -> Int {
    text.utf8.distance(from: text.startIndex, to: index(at: offset, in: text.utf16))
  }

  /// The number of UTF-16 units in front of a position.
  func utf16(ofUTF8 offset: Int) -> Int {
    text.utf16.distance(from: text.startIndex, to: index(at: offset, in: text.utf8))
  }

  private func index<Units: BidirectionalCollection>(at offset: Int, in units: Units) -> String.Index
  where Units.Index == String.Index {
    var index =
      units.index(units.startIndex, offsetBy: max(0, offset), limitedBy: units.endIndex) ?? units.endIndex
    while index > text.startIndex, index.samePosition(in: text.unicodeScalars) == nil {
      index = units.index(before: index)
    }
    return index
  }

  func utf16(_ range: Range<Int>) -> Range<Int> {
    let start = utf16(ofUTF8: range.lowerBound)
    return start..<max(start, utf16(ofUTF8: range.upperBound))
  }
}
