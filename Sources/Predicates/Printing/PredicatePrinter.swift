import Foundation

/// Writes predicates and expressions in the format language, as Apple's `predicateFormat` does;
/// what is written reads as an equal tree.
enum PredicatePrinter {
  /// The text of a whole predicate; of one that is nested too deeply a remark, which the parser does not read.
  ///
  /// A chain of AND or of OR that nests deeper than the parser reads is written as one list.
  static func text(ofRoot predicate: NSPredicate) -> String {
    let root = TreeNode.predicate(predicate)
    guard TreeHeight.isWithin(root) else { return tooDeep }
    if TreeHeight.isParsed(root) { return text(of: predicate) }
    return text(of: VariableSubstitution(in: root).predicate(predicate))
  }

  /// The text of a whole expression; of one that is nested too deeply a remark, which the parser does not read.
  static func text(ofRoot expression: NSExpression) -> String {
    let root = TreeNode.expression(expression)
    guard TreeHeight.isWithin(root) else { return tooDeep }
    if TreeHeight.isParsed(root) { return ExpressionPrinter.text(of: expression) }
    return ExpressionPrinter.text(of: VariableSubstitution(in: root).expression(expression))
  }

  private static let tooDeep = "<nested more than \(TreeHeight.greatest) levels deep>"

  static func text(of predicate: NSPredicate) -> String {
    switch predicate.node {
    case .constant(let value): return value ? "TRUEPREDICATE" : "FALSEPREDICATE"
    case .comparison(let comparison): return text(of: comparison)
    case .compound(let type, let parts): return compound(type, parts: parts)
    case .opaque: return "BLOCKPREDICATE(\(ObjectIdentifier(predicate).hashValue))"
    }
  }

  private static func compound(_ type: NSCompoundPredicate.LogicalType, parts: [NSPredicate]) -> String {
    switch type {
    case .not:
      return parts.map { "NOT " + enclosed($0) }.joined()
    case .and: return parts.isEmpty ? "TRUEPREDICATE" : joined(parts, separator: " AND ")
    case .or: return parts.isEmpty ? "FALSEPREDICATE" : joined(parts, separator: " OR ")
    }
  }

  private static func joined(_ parts: [NSPredicate], separator: String) -> String {
    if parts.count == 1, let only = parts.first { return text(of: only) }
    return parts.map(enclosed).joined(separator: separator)
  }

  /// The part of a compound, in parentheses when it is one of AND or OR itself.
  private static func enclosed(_ predicate: NSPredicate) -> String {
    let text = text(of: predicate)
    guard case .compound(let type, let parts) = predicate.node, type != .not, parts.count > 1 else {
      // One part of its own prints without its AND or OR, and may need the parentheses all the same.
      if case .compound(let type, let parts) = predicate.node, type != .not, let only = parts.first {
        return enclosed(only)
      }
      return text
    }
    return "(\(text))"
  }

  static func text(of comparison: NSComparisonPredicate) -> String { ComparisonText(comparison).description }

  /// The text of a comparison, computed when it is requested.
  struct ComparisonText: CustomStringConvertible {
    private let left: NSExpression
    private let right: NSExpression
    private let modifier: NSComparisonPredicate.Modifier
    private let type: NSComparisonPredicate.Operator
    private let options: NSComparisonPredicate.Options

    init(_ comparison: NSComparisonPredicate) {
      left = comparison.leftExpression
      right = comparison.rightExpression
      modifier = comparison.comparisonPredicateModifier
      type = comparison.predicateOperatorType
      options = comparison.options
    }

    var description: String {
      let prefix =
        switch modifier {
        case .direct: ""
        case .any: "ANY "
        case .all: "ALL "
        }
      let sides = (ExpressionPrinter.text(of: left), ExpressionPrinter.text(of: right))
      return "\(prefix)\(sides.0) \(type.sign)\(optionLetters) \(sides.1)"
    }

    private var optionLetters: String {
      var letters = ""
      if options.contains(.caseInsensitive) { letters += "c" }
      if options.contains(.diacriticInsensitive) { letters += "d" }
      if options.contains(.normalized) { letters += "n" }
      if options.contains(.localeSensitive) { letters += "l" }
      return letters.isEmpty ? "" : "[\(letters)]"
    }
  }
}

extension NSComparisonPredicate.Operator {
  /// The operator's sign or word in the format language.
  package var sign: String {
    switch self {
    case .lessThan: "<"
    case .lessThanOrEqualTo: "<="
    case .greaterThan: ">"
    case .greaterThanOrEqualTo: ">="
    case .equalTo: "=="
    case .notEqualTo: "!="
    case .matches: "MATCHES"
    case .like: "LIKE"
    case .beginsWith: "BEGINSWITH"
    case .endsWith: "ENDSWITH"
    case .in: "IN"
    case .contains: "CONTAINS"
    case .between: "BETWEEN"
    }
  }
}
