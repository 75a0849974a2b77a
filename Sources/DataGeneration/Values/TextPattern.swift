/// The texts that a regular expression matches, numbered from 0. An expression without bound ends
/// after some repetitions.
///
/// Of ICU's expressions these are known: characters, `.`, classes with ranges, `\d`, `\w`, `\s` and their opposites,
/// groups, alternatives, and repetitions. Texts are of printable ASCII characters unless the expression names others.
indirect enum TextPattern: Hashable, Sendable {
  case characters([Character])
  case sequence([TextPattern])
  case alternatives([TextPattern])
  case repeated(TextPattern, ClosedRange<Int>)

  /// The number of texts, or the largest number where they are more.
  var size: UInt64 {
    switch self {
    case .characters(let all): UInt64(all.count)
    case .sequence(let parts): parts.reduce(1) { $0.saturatingProduct($1.size) }
    case .alternatives(let parts): parts.reduce(0) { $0.saturatingSum($1.size) }
    case .repeated(let part, let counts): Self.sizes(part, counts: counts).reduce(0) { $0.saturatingSum($1) }
    }
  }

  /// The text of a number below the size.
  func text(_ number: UInt64) -> String {
    var text = ""
    write(number, to: &text)
    return text
  }

  private func write(_ number: UInt64, to text: inout String) {
    switch self {
    case .characters(let all): text.append(all[Int(number % UInt64(all.count))])
    case .sequence(let parts):
      var rest = number
      for part in parts {
        let size = part.size
        part.write(rest % size, to: &text)
        rest = size == .max ? RandomNumbers.mixed(rest) : rest / size
      }
    case .alternatives(let parts):
      var rest = number
      for part in parts {
        if rest < part.size { return part.write(rest, to: &text) }
        rest -= part.size
      }
    case .repeated(let part, let counts):
      var rest = number
      for (count, size) in zip(counts, Self.sizes(part, counts: counts)) {
        if rest < size { return Self.write(part, count: count, number: rest, to: &text) }
        rest -= size
      }
    }
  }

  private static func write(_ part: TextPattern, count: Int, number: UInt64, to text: inout String) {
    var rest = number
    for _ in 0..<count {
      let size = part.size
      part.write(rest % size, to: &text)
      // A part with more texts than a number can count uses all of the number, so that the next part gets a mixed one.
      rest = size == .max ? RandomNumbers.mixed(rest) : rest / size
    }
  }

  /// The number of texts with each number of repetitions.
  private static func sizes(_ part: TextPattern, counts: ClosedRange<Int>) -> [UInt64] {
    let size = part.size
    return counts.map { count in (0..<count).reduce(1) { product, _ in product.saturatingProduct(size) } }
  }
}
