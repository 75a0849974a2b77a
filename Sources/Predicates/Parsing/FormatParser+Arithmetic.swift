import Foundation

extension FormatParser {
  /// `a UNION b`, the loosest of the operators between values.
  mutating func sets() throws(PredicateFormatError) -> Term {
    var left = try bits()
    while let operation = setOperation {
      try advance()
      let right = try bits()
      let node = ExpressionNode.set(
        operation,
        try requireExpression(left),
        try requireExpression(right)
      )
      left = try term(
        .expression(NSExpression(node: node)),
        height: max(left.height, right.height) + 1,
        start: left.start
      )
    }
    return left
  }

  private var setOperation: ExpressionNode.SetOperation? {
    switch token.kind {
    case .keyword(.union, _): .union
    case .keyword(.intersect, _): .intersect
    case .keyword(.minus, _): .minus
    default: nil
    }
  }

  /// `a | b`, `a ^ b`, `a & b`, `a << b`
  private mutating func bits() throws(PredicateFormatError) -> Term {
    try chain(of: [.bitOr]) { (parser) throws(PredicateFormatError) in
      try parser.chain(of: [.bitXor]) { (parser) throws(PredicateFormatError) in
        try parser.chain(of: [.bitAnd]) { (parser) throws(PredicateFormatError) in
          try parser.chain(of: [.shiftLeft, .shiftRight]) { (parser) throws(PredicateFormatError) in
            try parser.sum()
          }
        }
      }
    }
  }

  /// `a + b - c`
  private mutating func sum() throws(PredicateFormatError) -> Term {
    try chain(of: [.plus, .minus]) { (parser) throws(PredicateFormatError) in
      try parser.chain(of: [.times, .divide]) { (parser) throws(PredicateFormatError) in
        try parser.power()
      }
    }
  }

  /// Operators of one precedence, from left to right.
  private mutating func chain(
    of signs: [FormatSign],
    operand: (inout FormatParser) throws(PredicateFormatError) -> Term
  ) throws(PredicateFormatError) -> Term {
    var left = try operand(&self)
    while case .sign(let sign) = token.kind, signs.contains(sign) {
      try advance()
      let right = try operand(&self)
      left = try call(sign, left, right)
    }
    return left
  }

  /// `a ** b ** c`, from right to left.
  private mutating func power() throws(PredicateFormatError) -> Term {
    let left = try unary()
    guard isAt(.power) else { return left }
    try enter()
    defer { leave() }
    try advance()
    let right = try power()
    return try call(.power, left, right)
  }

  /// `-a`, `~a`
  private mutating func unary() throws(PredicateFormatError) -> Term {
    guard isAt(.minus) || isAt(.bitNot) else { return try postfix() }
    let start = token.start
    let isMinus = isAt(.minus)
    try enter()
    defer { leave() }
    try advance()
    if isMinus, let literal = try negativeLiteral(start: start) { return literal }
    let operand = try unary()
    let expression = try requireExpression(operand)
    let node: ExpressionNode =
      isMinus
      ? .function(
        ArithmeticSign.minus.function,
        operand: nil,
        arguments: [NSExpression(forConstantValue: 0), expression]
      )
      : .function("onesComplement:", operand: nil, arguments: [expression])
    return try term(.expression(NSExpression(node: node)), height: operand.height + 1, start: start)
  }

  /// A number behind a minus is a negative number, not a subtraction.
  private mutating func negativeLiteral(start: Int) throws(PredicateFormatError) -> Term? {
    let value: Any
    switch token.kind {
    case .integer(let number): value = Int(-number)
    case .unsigned(let number):
      value = number == UInt64(Int64.max) + 1 ? Int(Int64.min) as Any : -Decimal(number)
    case .double(let number): value = -number
    case .decimal(let number): value = -number
    default: return nil
    }
    try advance()
    return try term(.expression(NSExpression(forConstantValue: value)), height: 1, start: start)
  }

  private func call(
    _ sign: FormatSign,
    _ left: Term,
    _ right: Term
  ) throws(PredicateFormatError) -> Term {
    guard let function = ArithmeticSign(sign: sign)?.function else {
      throw unexpectedToken(expected: "an operator")
    }
    let node = ExpressionNode.function(
      function,
      operand: nil,
      arguments: [try requireExpression(left), try requireExpression(right)]
    )
    return try term(
      .expression(NSExpression(node: node)),
      height: max(left.height, right.height) + 1,
      start: left.start
    )
  }
}

/// An operator between two values, and the predefined function that it stands for.
enum ArithmeticSign: String, CaseIterable {
  case plus = "+"
  case minus = "-"
  case times = "*"
  case divide = "/"
  case power = "**"
  case bitAnd = "&"
  case bitOr = "|"
  case bitXor = "^"
  case shiftLeft = "<<"
  case shiftRight = ">>"

  init?(sign: FormatSign) {
    self.init(rawValue: sign.rawValue)
  }

  /// The operator of a function's name.
  init?(function: String) {
    guard let match = Self.byFunction[function] else { return nil }
    self = match
  }

  private static let byFunction = Dictionary(uniqueKeysWithValues: allCases.map { ($0.function, $0) })

  var function: String {
    switch self {
    case .plus: "add:to:"
    case .minus: "from:subtract:"
    case .times: "multiply:by:"
    case .divide: "divide:by:"
    case .power: "raise:toPower:"
    case .bitAnd: "bitwiseAnd:with:"
    case .bitOr: "bitwiseOr:with:"
    case .bitXor: "bitwiseXor:with:"
    case .shiftLeft: "leftshift:by:"
    case .shiftRight: "rightshift:by:"
    }
  }

  /// How tightly it binds; the higher the tighter.
  var precedence: Int {
    switch self {
    case .bitOr: 1
    case .bitXor: 2
    case .bitAnd: 3
    case .shiftLeft, .shiftRight: 4
    case .plus, .minus: 5
    case .times, .divide: 6
    case .power: 7
    }
  }
}
