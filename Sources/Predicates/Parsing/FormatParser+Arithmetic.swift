import Foundation

extension FormatParser {
  /// A value with the operators between values, from `UNION`, the loosest, to `**`.
  mutating func sets() throws(PredicateFormatError) -> Term { try operation(above: -1) }

  /// Operators that bind more tightly than a precedence, by precedence climbing.
  private mutating func operation(above limit: Int) throws(PredicateFormatError) -> Term {
    var left = try unary()
    while let sign = operatorSign, sign.precedence > limit {
      try enterOperator()
      try advance()
      // ** groups from right to left, the others from left to right.
      let right = try operation(above: sign == .power ? sign.precedence - 1 : sign.precedence)
      leaveOperator()
      left = try combined(sign, left: left, right: right)
    }
    return left
  }

  private var operatorSign: ValueOperator? {
    switch token.kind {
    case .sign(let sign): ValueOperator(sign)
    case .keyword(.union, _): .union
    case .keyword(.intersect, _): .intersect
    case .keyword(.minus, _): .minusSet
    default: nil
    }
  }

  @inline(never)
  private func combined(_ sign: ValueOperator, left: Term, right: Term) throws(PredicateFormatError) -> Term {
    let sides = [try requireExpression(left), try requireExpression(right)]
    let node: ExpressionNode
    if let function = sign.function {
      node = .function(function, operand: nil, arguments: sides)
    } else if let operation = ExpressionNode.SetOperation(rawValue: sign.rawValue) {
      node = .set(operation, sides[0], sides[1])
    } else {
      throw unexpectedToken(expected: "an operator")
    }
    return try term(
      .expression(NSExpression(node: node)),
      height: max(left.height, right.height) + 1,
      start: left.start
    )
  }

  /// `-a`, `~a`, and any number of them
  private mutating func unary() throws(PredicateFormatError) -> Term {
    var signs: [(isMinus: Bool, start: Int)] = []
    while isAt(.minus) || isAt(.bitNot) {
      let sign = (isMinus: isAt(.minus), start: token.start)
      try advance()
      if sign.isMinus, let literal = try negativeLiteral(start: sign.start) { return try applied(signs, to: literal) }
      signs.append(sign)
      guard signs.count <= Self.greatestHeight else { throw tooDeep(at: token.start) }
    }
    let operand = try postfix()
    return signs.isEmpty ? operand : try applied(signs, to: operand)
  }

  @inline(never)
  private func applied(_ signs: [(isMinus: Bool, start: Int)], to operand: Term) throws(PredicateFormatError) -> Term {
    var result = operand
    for sign in signs.reversed() {
      let expression = try requireExpression(result)
      let node: ExpressionNode =
        sign.isMinus
        ? .function("from:subtract:", operand: nil, arguments: [NSExpression(forConstantValue: 0), expression])
        : .function("onesComplement:", operand: nil, arguments: [expression])
      result = try term(.expression(NSExpression(node: node)), height: result.height + 1, start: sign.start)
    }
    return result
  }

  /// A number after a minus is a negative number, not a subtraction.
  @inline(never)
  private mutating func negativeLiteral(start: Int) throws(PredicateFormatError) -> Term? {
    let value: Any
    switch token.kind {
    case .integer(let number): value = Int(-number)
    case .unsigned(let number): value = number == UInt64(Int64.max) + 1 ? Int(Int64.min) as Any : -Decimal(number)
    case .double(let number): value = -number
    case .decimal(let number): value = -number
    default: return nil
    }
    try advance()
    return try term(.expression(NSExpression(forConstantValue: value)), height: 1, start: start)
  }
}
