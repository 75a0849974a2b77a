#if PostgreSQL
  /// Writes decimal numbers in the binary form of a `numeric`.
  package enum PostgreSQLNumericText {
    /// The binary form of a number in plain digits: `-12.50`.
    ///
    /// - Returns: `nil` for a text that is not such a number, or has more digits than a `numeric` can hold.
    package static func bytes(of text: String) -> [UInt8]? {
      var rest = Substring(text)
      let isNegative = rest.first == "-"
      if isNegative || rest.first == "+" { rest.removeFirst() }
      let parts = rest.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
      let isNumber = parts.allSatisfy { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }
      guard isNumber, let whole = parts.first, parts.contains(where: { !$0.isEmpty }) else { return nil }
      let fraction = parts.count == 2 ? parts[1] : ""
      let before = String(repeating: "0", count: (4 - whole.count % 4) % 4) + whole
      let after = fraction + String(repeating: "0", count: (4 - fraction.count % 4) % 4)
      var digits = groups(of: before + after)
      var weight = before.count / 4 - 1
      let leading = digits.prefix { $0 == 0 }.count
      digits.removeFirst(leading)
      weight -= leading
      while digits.last == 0 { digits.removeLast() }
      if digits.isEmpty { weight = 0 }
      guard let count = Int16(exactly: digits.count), let first = Int16(exactly: weight),
        let scale = Int16(exactly: fraction.count)
      else { return nil }
      let sign: Int16 = isNegative && !digits.isEmpty ? 0x4000 : 0
      return ([count, first, sign, scale] + digits).flatMap { word in
        let bits = UInt16(bitPattern: word)
        return [UInt8(bits >> 8), UInt8(bits & 0xFF)]
      }
    }

    /// Each four digits as a number.
    private static func groups(of text: String) -> [Int16] {
      let codes = Array(text.utf8)
      return stride(from: 0, to: codes.count, by: 4).map { start in
        codes[start..<start + 4].reduce(0) { 10 * $0 + Int16($1 - 0x30) }
      }
    }
  }
#endif
