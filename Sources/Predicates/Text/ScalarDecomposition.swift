import Foundation

/// The canonical decomposition of one code (Unicode's NFD).
enum ScalarDecomposition {
  /// Calls the closure with the codes that the code decomposes into.
  static func forEach(_ scalar: UnicodeScalar, _ body: (UnicodeScalar) -> Void) {
    let value = scalar.value
    switch value {
    case ..<0xC0: body(scalar)
    case ..<tableEnd:
      let decomposed = table[Int(value)]
      if decomposed.isEmpty { body(scalar) } else { decomposed.forEach(body) }
    case 0x3400...0x9FFF, 0xE000...0xF8FF:
      // Ideographs and private codes are not decomposed.
      body(scalar)
    case 0xAC00...0xD7A3: hangul(value - 0xAC00, body)
    default: decomposed(scalar).forEach(body)
    }
  }

  private static let tableEnd: UInt32 = 0x3100

  /// The decompositions of the alphabets; empty for a code that is not decomposed.
  private static let table: [[UnicodeScalar]] = (0..<tableEnd).map { value in
    guard value >= 0xC0, let scalar = UnicodeScalar(value) else { return [] }
    let decomposed = decomposed(scalar)
    return decomposed == [scalar] ? [] : decomposed
  }

  private static func decomposed(_ scalar: UnicodeScalar) -> [UnicodeScalar] {
    Array(String(scalar).decomposedStringWithCanonicalMapping.unicodeScalars)
  }

  /// Korean syllables decompose by arithmetic (The Unicode Standard, section 3.12).
  private static func hangul(_ index: UInt32, _ body: (UnicodeScalar) -> Void) {
    let parts = [0x1100 + index / 588, 0x1161 + index % 588 / 28, 0x11A7 + index % 28]
    for part in parts where part != 0x11A7 {
      if let scalar = UnicodeScalar(part) { body(scalar) }
    }
  }
}

/// The case folding of one code: its full lower, upper and again lower case mapping.
enum ScalarCaseFolding {
  /// Calls the closure with the codes that the code folds to.
  static func forEach(_ scalar: UnicodeScalar, _ body: (UnicodeScalar) -> Void) {
    let value = scalar.value
    switch value {
    case ..<0x80: body(UnicodeScalar(TextFolding.lowercased(UInt8(value))))
    case 0x3040...0xA63F, 0xAC00...0xF8FF:
      // Scripts without case.
      body(scalar)
    case ..<tableEnd:
      let folded = table[Int(value)]
      if folded.isEmpty { body(scalar) } else { folded.forEach(body) }
    default: folded(scalar).forEach(body)
    }
  }

  private static let tableEnd: UInt32 = 0x600

  private static let table: [[UnicodeScalar]] = (0..<tableEnd).map { value in
    guard let scalar = UnicodeScalar(value) else { return [] }
    let folded = folded(scalar)
    return folded == [scalar] ? [] : folded
  }

  private static func folded(_ scalar: UnicodeScalar) -> [UnicodeScalar] {
    // Its upper case is I, whose lower case is the dotted i: another letter.
    if scalar.value == 0x131 { return [scalar] }
    var scalars = [scalar]
    for mapping in [\Unicode.Scalar.Properties.lowercaseMapping, \.uppercaseMapping, \.lowercaseMapping] {
      scalars = scalars.flatMap { Array($0.properties[keyPath: mapping].unicodeScalars) }
    }
    return scalars
  }
}
