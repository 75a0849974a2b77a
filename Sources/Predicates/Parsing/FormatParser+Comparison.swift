import Foundation

extension FormatParser {
  /// `ANY tags.name ==[cd] "a"`; also TRUEPREDICATE, a predicate in parentheses, and a lone
  /// expression, which an opening parenthesis further out may have wanted.
  mutating func comparison() throws(PredicateFormatError) -> Term {
    let start = token.start
    switch token.kind {
    case .keyword(.truePredicate, _):
      try advance()
      return try term(.predicate(ConstantPredicate(value: true)), height: 1, start: start)
    case .keyword(.falsePredicate, _):
      try advance()
      return try term(.predicate(ConstantPredicate(value: false)), height: 1, start: start)
    default: break
    }
    let quantifier = try quantifier()
    let left = try sets()
    if quantifier == nil, case .predicate = left.kind { return left }
    guard let type = try comparisonOperator() else {
      if quantifier == nil { return left }
      throw unexpectedToken(expected: "a comparison operator such as == or CONTAINS")
    }
    let options = try options()
    let right = try sets()
    return try compared(quantifier, left: left, type: type, options: options, right: right, start: start)
  }

  @inline(never)
  private func compared(
    _ quantifier: Quantifier?,
    left: Term,
    type: NSComparisonPredicate.Operator,
    options: NSComparisonPredicate.Options,
    right: Term,
    start: Int
  ) throws(PredicateFormatError) -> Term {
    let leftExpression = try requireExpression(left)
    let rightExpression = try requireExpression(right)
    try requireLimits(type, expression: rightExpression, start: right.start)
    let predicate = NSComparisonPredicate(
      leftExpression: leftExpression,
      rightExpression: rightExpression,
      modifier: quantifier?.modifier ?? .direct,
      type: type,
      options: options
    )
    let height = max(left.height, right.height) + 1
    guard quantifier == Quantifier.none else { return try term(.predicate(predicate), height: height, start: start) }
    return try term(
      .predicate(CompoundPredicate(type: .not, subpredicates: [predicate])),
      height: height + 1,
      start: start
    )
  }

  private enum Quantifier {
    case any
    case all
    /// Not any.
    case none

    var modifier: NSComparisonPredicate.Modifier { self == .all ? .all : .any }
  }

  @inline(never)
  private mutating func quantifier() throws(PredicateFormatError) -> Quantifier? {
    guard case .keyword(let keyword, _) = token.kind else { return nil }
    let quantifier: Quantifier
    switch keyword {
    case .any, .some: quantifier = .any
    case .all: quantifier = .all
    case .none: quantifier = Quantifier.none
    default: return nil
    }
    try advance()
    return quantifier
  }

  @inline(never)
  private mutating func comparisonOperator() throws(PredicateFormatError) -> NSComparisonPredicate.Operator? {
    let type: NSComparisonPredicate.Operator
    switch token.kind {
    case .sign(.equal): type = .equalTo
    case .sign(.notEqual): type = .notEqualTo
    case .sign(.less): type = .lessThan
    case .sign(.lessOrEqual): type = .lessThanOrEqualTo
    case .sign(.greater): type = .greaterThan
    case .sign(.greaterOrEqual): type = .greaterThanOrEqualTo
    case .keyword(.in, _): type = .in
    case .keyword(.like, _): type = .like
    case .keyword(.matches, _): type = .matches
    case .keyword(.contains, _): type = .contains
    case .keyword(.beginsWith, _): type = .beginsWith
    case .keyword(.endsWith, _): type = .endsWith
    case .keyword(.between, _): type = .between
    default: return nil
    }
    try advance()
    return type
  }

  /// `[cd]` after an operator.
  @inline(never)
  private mutating func options() throws(PredicateFormatError) -> NSComparisonPredicate.Options {
    guard isAt(.leftBracket) else { return [] }
    try advance()
    let letters: String
    switch token.kind {
    case .identifier(let text): letters = text
    case .keyword(_, let text): letters = text
    default: throw unexpectedToken(expected: "some of the options c, d, n and l")
    }
    var options: NSComparisonPredicate.Options = []
    for letter in letters.utf8 {
      switch letter | 0x20 {
      case UInt8(ascii: "c"): options.insert(.caseInsensitive)
      case UInt8(ascii: "d"): options.insert(.diacriticInsensitive)
      case UInt8(ascii: "n"): options.insert(.normalized)
      case UInt8(ascii: "l"): options.insert(.localeSensitive)
      default:
        throw lexer.error(
          "Unknown option in [\(letters)]",
          at: token.start,
          expected: "some of the options c, d, n and l"
        )
      }
    }
    try advance()
    try expect(.rightBracket, after: "the options")
    return options
  }

  /// BETWEEN takes two values, when they can be counted already.
  private func requireLimits(
    _ type: NSComparisonPredicate.Operator,
    expression: NSExpression,
    start: Int
  ) throws(PredicateFormatError) {
    guard type == .between else { return }
    let count: Int
    switch expression.node {
    case .aggregate(let parts): count = parts.count
    case .constant(let value):
      guard let value else { return }
      count = CollectionValue.elements(of: value)?.count ?? 1
    default: return
    }
    guard count != 2 else { return }
    throw lexer.error(
      "BETWEEN has \(count == 1 ? "1 value" : "\(count) values") on its right side",
      at: start,
      expected: "two, such as {1, 10}"
    )
  }
}
