import CoreData
import Foundation

/// The texts that a comparison compares with a date attribute.
///
/// The format language has no literal for dates. A text is read as a date because it is compared with a date attribute.
struct DateComparison {
  /// A text, and its position in bytes of UTF-8, including the quotes.
  struct Text {
    let value: String
    let range: Range<Int>
  }

  /// The texts, in the order in which they are written.
  let texts: [Text]

  init(_ comparison: ScannedComparison) {
    let sides = [(comparison.left, comparison.right), (comparison.right, comparison.left)]
    let other = sides.enumerated().first { index, sides in
      Self.isDate(sides.0, as: index == 0 ? .left : .right, of: comparison)
    }?.element.1
    texts = other.map(Self.texts) ?? []
  }

  private enum Side { case left, right }

  /// - Returns: true if the operand is a date attribute, and the operator compares its values with those of the
  ///   other side.
  private static func isDate(_ operand: ScannedOperand, as side: Side, of comparison: ScannedComparison)
    -> Bool
  {
    guard case .attribute(let attribute, let isMany)? = operand.path?.end,
      attribute.attributeType == .dateAttributeType
    else { return false }
    return switch comparison.operation {
    case .equal, .notEqual, .order: true
    case .between: side == .left
    // A text is compared with the dates of many objects.
    case .in: side == .left || isMany
    case .contains: side == .left && isMany
    case .text: false
    }
  }

  private static func texts(_ operand: ScannedOperand) -> [Text] {
    switch operand.kind {
    case .text(let value): [Text(value: value, range: operand.range)]
    case .list(let elements):
      elements.compactMap { element in
        guard case .text(let value) = element.kind else { return nil }
        return Text(value: value, range: element.range)
      }
    case .path, .number, .boolean, .null, .other: []
    }
  }
}
