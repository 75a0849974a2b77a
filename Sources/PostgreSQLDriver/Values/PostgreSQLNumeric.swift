#if PostgreSQL
  import Foundation

  /// The parts of the binary form of a `numeric`: digits to the base of 10,000, and the power of that
  /// base by which the first one counts.
  struct PostgreSQLNumeric {
    private enum Sign: UInt16 {
      case plus = 0x0000
      case minus = 0x4000
      case nan = 0xC000
      case infinity = 0xD000
      case minusInfinity = 0xF000
    }

    private let digits: [UInt16]
    private let weight: Int
    private let sign: Sign

    /// - Returns: `nil` where the bytes are no `numeric`.
    init?(_ bytes: UnsafeRawBufferPointer) {
      let headerCount = 8
      guard bytes.count >= headerCount, bytes.count.isMultiple(of: 2) else { return nil }
      func word(_ index: Int) -> UInt16 {
        UInt16(bigEndian: bytes.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self))
      }
      let count = Int(word(0))
      guard bytes.count == headerCount + 2 * count, let sign = Sign(rawValue: word(2)) else { return nil }
      digits = (0..<count).map { word(4 + $0) }
      weight = Int(Int16(bitPattern: word(1)))
      self.sign = sign
    }

    /// The nearest floating-point number.
    var real: Double? {
      switch sign {
      case .nan: return .nan
      case .infinity: return .infinity
      case .minusInfinity: return -.infinity
      case .plus, .minus:
        let text = digits.map { Self.fourDigits($0) }.joined()
        return Double("\(sign == .minus ? "-" : "")\(text.isEmpty ? "0" : text)e\(exponent)")
      }
    }

    /// The exact value, where a `Decimal` can hold it.
    var decimal: Decimal? {
      guard sign == .plus || sign == .minus else { return nil }
      var text = Substring(digits.map { Self.fourDigits($0) }.joined())
      text = text.drop { $0 == "0" }
      var exponent = exponent
      while text.last == "0" {
        text.removeLast()
        exponent += 1
      }
      if text.isEmpty { return Decimal(0) }
      guard UInt128(text) != nil, (Int(Int8.min)...Int(Int8.max)).contains(exponent),
        let significand = Decimal(string: String(text), locale: nil)
      else { return nil }
      return Decimal(sign: sign == .minus ? .minus : .plus, exponent: exponent, significand: significand)
    }

    /// The power of ten of the last digit.
    private var exponent: Int { (weight - digits.count + 1) * 4 }

    private static func fourDigits(_ digit: UInt16) -> String {
      let text = String(digit)
      return String(repeating: "0", count: max(0, 4 - text.count)) + text
    }
  }
#endif
