/// The encoding of names with non-ASCII letters in symbols: RFC 3492 with Swift's changes.
///
/// The delimiter is `_` instead of `-`, and the digits are `a`…`z` and `A`…`J`.
enum Punycode {
  private static let base = 36
  private static let firstThreshold = 1
  private static let lastThreshold = 26
  private static let skew = 38
  private static let damp = 700
  private static let initialBias = 72
  private static let initialCodePoint = 128

  static func encode(_ scalars: [UInt32]) -> String {
    var output = ""
    for scalar in scalars where scalar < 0x80 { output.unicodeScalars.append(Unicode.Scalar(UInt8(scalar))) }
    let basicCount = output.utf8.count
    if basicCount > 0 { output.append("_") }

    var codePoint = initialCodePoint
    var delta = 0
    var bias = initialBias
    var handled = basicCount
    while handled < scalars.count {
      var next = Int.max
      for scalar in scalars where Int(scalar) >= codePoint { next = min(next, Int(scalar)) }
      delta += (next - codePoint) * (handled + 1)
      codePoint = next
      for scalar in scalars {
        if Int(scalar) < codePoint { delta += 1 }
        guard Int(scalar) == codePoint else { continue }
        append(delta, bias: bias, to: &output)
        bias = adapt(delta, count: handled + 1, isFirst: handled == basicCount)
        delta = 0
        handled += 1
      }
      delta += 1
      codePoint += 1
    }
    return output
  }

  private static func append(_ delta: Int, bias: Int, to output: inout String) {
    var rest = delta
    var position = base
    while true {
      let threshold = min(max(position - bias, firstThreshold), lastThreshold)
      if rest < threshold { break }
      output.append(digit(threshold + (rest - threshold) % (base - threshold)))
      rest = (rest - threshold) / (base - threshold)
      position += base
    }
    output.append(digit(rest))
  }

  private static func adapt(_ delta: Int, count: Int, isFirst: Bool) -> Int {
    var delta = isFirst ? delta / damp : delta / 2
    delta += delta / count
    var steps = 0
    while delta > ((base - firstThreshold) * lastThreshold) / 2 {
      delta /= base - firstThreshold
      steps += base
    }
    return steps + (base - firstThreshold + 1) * delta / (delta + skew)
  }

  private static func digit(_ value: Int) -> Character {
    let letter = value < 26 ? UInt8(ascii: "a") + UInt8(value) : UInt8(ascii: "A") + UInt8(value - 26)
    return Character(Unicode.Scalar(letter))
  }
}
