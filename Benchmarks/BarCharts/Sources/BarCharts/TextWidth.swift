/// The width of a text, from a table of character widths instead of a font.
///
/// The table contains the widths of common wide fonts. A text in a narrower font leaves some space unused.
struct TextWidth {
  /// The font size in pixels.
  let fontSize: Double
  /// True for bold letters, which are wider.
  var isBold = false

  /// Returns the width of a text in pixels.
  func of(_ text: String) -> Double {
    pixels(text.unicodeScalars.reduce(0) { $0 + Self.hundredths(of: $1) })
  }

  /// Returns the text, cut to fit a width. A cut text ends with an ellipsis.
  func fitting(_ text: String, in width: Double) -> String {
    var hundredths = 0
    var end = text.startIndex
    let dots = Self.hundredths(of: "…")
    for index in text.indices {
      for scalar in text[index].unicodeScalars { hundredths += Self.hundredths(of: scalar) }
      if pixels(hundredths + dots) <= width { end = text.index(after: index) }
      if pixels(hundredths) > width { return text[..<end] + "…" }
    }
    return text
  }

  private func pixels(_ hundredths: Int) -> Double {
    Double(hundredths) * fontSize * (isBold ? 1.14 : 1) / 100
  }

  /// Returns the width of a character in hundredths of the font size. Every character outside of ASCII has the width
  /// of a wide letter of East Asia.
  private static func hundredths(of scalar: Unicode.Scalar) -> Int {
    guard scalar.value < 0x7F else { return 104 }
    return scalar.value < 0x20 ? 0 : ascii[Int(scalar.value) - 0x20]
  }

  private static let ascii = [
    32, 41, 46, 84, 64, 96, 78, 28, 40, 40, 50, 84, 32, 37, 32, 34,
    64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 54,
    100, 69, 69, 70, 77, 64, 58, 78, 76, 30, 30, 66, 56, 87, 75, 79,
    61, 79, 70, 64, 62, 74, 69, 99, 69, 62, 69, 40, 34, 40, 84, 50,
    50, 62, 64, 55, 64, 62, 36, 64, 64, 28, 28, 58, 28, 98, 64, 62,
    64, 64, 42, 53, 40, 64, 60, 82, 60, 60, 53, 64, 34, 64, 84,
  ]
}
