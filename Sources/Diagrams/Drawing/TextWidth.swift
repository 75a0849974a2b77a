import Texts

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
    var hundredths = 0
    for scalar in text.unicodeScalars { hundredths += Self.hundredths(of: scalar) }
    return pixels(hundredths)
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

  private func pixels(_ hundredths: Int) -> Double { Double(hundredths) * fontSize * (isBold ? 1.14 : 1) / 100 }

  /// Returns the width of a character in hundredths of the font size.
  private static func hundredths(of scalar: Unicode.Scalar) -> Int {
    let value = scalar.value
    if value < 0x7F { return value < 0x20 ? 0 : ascii[Int(value) - 0x20] }
    switch value {
    // Combining marks, joiners and directional marks have no width.
    case 0x0300...0x036F, 0x0483...0x0489, 0x0591...0x05BD, 0x0610...0x061A, 0x064B...0x065F,
      0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x200B...0x200F, 0x2060...0x2064, 0x20D0...0x20FF,
      0xFE00...0xFE0F, 0xFE20...0xFE2F, 0xFEFF, 0xE0100...0xE01EF:
      return 0
    // Wide letters and signs of East Asia.
    case 0x1100...0x115F, 0x2E80...0xA4CF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF,
      0xFE30...0xFE6F, 0xFF00...0xFF60, 0xFFE0...0xFFE6, 0x20000...0x3FFFD:
      return 104
    case 0x1F000...0x1FAFF, 0x2600...0x27BF, 0x2B00...0x2BFF: return 140
    // Characters as wide as a whole sentence.
    case 0xFDFA...0xFDFD, 0x12000...0x1254F: return 1200
    case 0x0400...0x052F: return 82
    case 0x0900...0x0DFF: return 110
    case 0x2010...0x2027: return 104
    default: return 86
    }
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

extension String {
  /// The text as a picture shows it, cut to 400 Unicode scalars.
  var visible: String { spelledForXML(atMost: 400) }
}
