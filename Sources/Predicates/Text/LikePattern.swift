import Foundation

/// The right side of LIKE, ready to be matched.
struct LikePattern: Sendable {
  private enum Element: Hashable {
    case byte(UInt8)
    /// `?`
    case one
    /// `*`
    case any
  }

  private let elements: [Element]
  private let options: TextOptions

  init(_ pattern: String, options: TextOptions) {
    var elements: [Element] = []
    var literal = String.UnicodeScalarView()
    func endLiteral() {
      elements += options.folded(String(literal)).utf8.map(Element.byte)
      literal = String.UnicodeScalarView()
    }
    var isEscaped = false
    for scalar in pattern.unicodeScalars {
      if !isEscaped, scalar == "\\" {
        isEscaped = true
      } else if !isEscaped, scalar == "?" || scalar == "*" {
        endLiteral()
        let element: Element = scalar == "?" ? .one : .any
        if element == .one || elements.last != .any { elements.append(element) }
      } else {
        literal.append(scalar)
        isEscaped = false
      }
    }
    // A backslash at the end is a literal backslash.
    if isEscaped { literal.append("\\") }
    endLiteral()
    self.elements = elements
    self.options = options
  }

  /// Returns true when the whole text, given as UTF-8, matches.
  func matches(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    if TextFolding.isASCII(text) {
      let folds = options.contains(.caseInsensitive)
      return match(
        count: text.count,
        byte: { folds ? TextFolding.lowercased(text[$0]) : text[$0] },
        next: { $0 + 1 }
      )
    }
    let (bytes, starts) = TextFolding.foldedWithStarts(text, options: options)
    return match(count: bytes.count, byte: { bytes[$0] }) { index in
      var index = index + 1
      while index < starts.count, !starts[index] { index += 1 }
      return index
    }
  }

  /// Matches from left to right, and on failure lets the last `*` take one byte more; so the time
  /// is at most the product of both lengths.
  @inline(__always)
  private func match(count: Int, byte: (Int) -> UInt8, next: (Int) -> Int) -> Bool {
    var place = 0
    var index = 0
    var star: (place: Int, index: Int)?
    while index < count {
      if place < elements.count {
        switch elements[place] {
        case .byte(let expected) where expected == byte(index):
          place += 1
          index += 1
          continue
        case .one:
          place += 1
          index = next(index)
          continue
        case .any:
          star = (place, index)
          place += 1
          continue
        case .byte: break
        }
      }
      guard let last = star else { return false }
      star = (last.place, last.index + 1)
      place = last.place + 1
      index = last.index + 1
    }
    return elements[place...].allSatisfy { $0 == .any }
  }
}
