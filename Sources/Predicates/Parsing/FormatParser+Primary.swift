import Foundation

extension FormatParser {
  /// A value with the subscripts and key paths that follow it: `tags[FIRST].name`.
  mutating func postfix() throws(PredicateFormatError) -> Term {
    var base = try primary()
    while true {
      if isAt(.dot) {
        base = try keyPath(after: base)
      } else if isAt(.leftBracket) {
        base = try subscripted(base)
      } else {
        return base
      }
    }
  }

  private mutating func primary() throws(PredicateFormatError) -> Term {
    let start = token.start
    switch token.kind {
    case .integer(let value): return try constant(NSNumber(value: value))
    case .unsigned(let value): return try constant(NSNumber(value: value))
    case .decimal(let value): return try constant(value)
    case .double(let value): return try constant(NSNumber(value: value))
    case .string(let value): return try constant(value)
    case .variable(let name):
      try advance()
      return try term(.expression(NSExpression(forVariable: name)), height: 1, start: start)
    case .argument(let specifier): return try argument(specifier)
    case .identifier(let name):
      try advance()
      if isAt(.leftParenthesis) { return try functionCall(name, start: start) }
      guard !name.utf8.contains(UInt8(ascii: ":")) else {
        throw unexpectedToken(expected: "\"(\" after the function \(name)")
      }
      return try term(.expression(NSExpression(forKeyPath: name)), height: 1, start: start)
    case .keyword(let keyword, let text): return try reserved(keyword, text: text)
    case .sign(.leftParenthesis): return try parenthesised()
    case .sign(.leftBrace): return try aggregate()
    default: throw unexpectedToken(expected: Self.anExpression)
    }
  }

  @inline(never)
  private mutating func constant(_ value: Any?) throws(PredicateFormatError) -> Term {
    let start = token.start
    try advance()
    return try term(.expression(NSExpression(forConstantValue: value)), height: 1, start: start)
  }

  private mutating func reserved(_ keyword: FormatKeyword, text: String) throws(PredicateFormatError) -> Term {
    let start = token.start
    switch keyword {
    case .yes, .true: return try constant(NSNumber(value: true))
    case .no, .false: return try constant(NSNumber(value: false))
    case .null, .nil: return try constant(nil)
    case .selfObject:
      try advance()
      return try term(.expression(.expressionForEvaluatedObject()), height: 1, start: start)
    case .anyKey:
      try advance()
      return try term(.expression(.expressionForAnyKey()), height: 1, start: start)
    default:
      guard keyword.isContextual else { throw unexpectedToken(expected: Self.anExpression) }
      try advance()
      guard isAt(.leftParenthesis) else {
        return try term(.expression(NSExpression(forKeyPath: text)), height: 1, start: start)
      }
      return try specialForm(keyword, text: text, start: start)
    }
  }

  private mutating func parenthesised() throws(PredicateFormatError) -> Term {
    try enter()
    defer { leave() }
    let start = token.start
    try advance()
    var inner = try disjunction()
    try expect(.rightParenthesis, after: "what the parenthesis encloses")
    inner.start = start
    return inner
  }

  private mutating func aggregate() throws(PredicateFormatError) -> Term {
    let start = token.start
    let (expressions, height) = try list(closing: .rightBrace, after: "the list")
    return try term(.expression(NSExpression(node: .aggregate(expressions))), height: height + 1, start: start)
  }

  /// Expressions between an opening sign, which is the present token, and a closing one.
  mutating func list(
    closing: FormatSign,
    after place: String
  ) throws(PredicateFormatError) -> (expressions: [NSExpression], height: Int) {
    try enter()
    defer { leave() }
    try advance()
    var expressions: [NSExpression] = []
    var height = 0
    if !isAt(closing) {
      while true {
        let element = try sets()
        expressions.append(try requireExpression(element))
        height = max(height, element.height)
        guard isAt(.comma) else { break }
        try advance()
      }
    }
    try expect(closing, after: place)
    return (expressions, height)
  }

  // MARK: - Key paths and subscripts

  @inline(never)
  private mutating func keyPath(after base: Term) throws(PredicateFormatError) -> Term {
    var keys: [String] = []
    while isAt(.dot) {
      try advance()
      keys.append(try key())
    }
    let path = keys.joined(separator: ".")
    let expression = try requireExpression(base)
    switch expression.node {
    case .keyPath(let first):
      return try term(.expression(NSExpression(forKeyPath: "\(first).\(path)")), height: 1, start: base.start)
    case .evaluatedObject: return try term(.expression(NSExpression(forKeyPath: path)), height: 1, start: base.start)
    case .function(MessageFunction.valueForKeyPath.rawValue, let operand?, let arguments):
      // ($x.a).b is the same path as $x.a.b, and prints so.
      guard arguments.count == 1, case .keyPath(let first) = arguments[0].node else { fallthrough }
      let joined = NSExpression(forKeyPath: "\(first).\(path)")
      let node = ExpressionNode.function(
        MessageFunction.valueForKeyPath.rawValue,
        operand: operand,
        arguments: [joined]
      )
      return try term(.expression(NSExpression(node: node)), height: base.height, start: base.start)
    default:
      let node = ExpressionNode.function(
        MessageFunction.valueForKeyPath.rawValue,
        operand: expression,
        arguments: [NSExpression(forKeyPath: path)]
      )
      return try term(.expression(NSExpression(node: node)), height: base.height + 1, start: base.start)
    }
  }

  /// A key after a dot; reserved words need no escape there.
  @inline(never)
  private mutating func key() throws(PredicateFormatError) -> String {
    let name: String
    switch token.kind {
    case .identifier(let text) where !text.contains(":"): name = text
    case .keyword(_, let text): name = text
    case .argument(.keyPath): name = try arguments.keyPath(at: token, in: lexer)
    default: throw unexpectedToken(expected: "a key after the dot")
    }
    try advance()
    return name
  }

  private mutating func subscripted(_ base: Term) throws(PredicateFormatError) -> Term {
    try enter()
    defer { leave() }
    let collection = try requireExpression(base)
    try advance()
    let index: NSExpression
    var height = 1
    if case .keyword(let keyword, _) = token.kind, let symbol = CollectionIndex(keyword: keyword) {
      try advance()
      index = NSExpression(forConstantValue: symbol)
    } else {
      let term = try sets()
      index = try requireExpression(term)
      height = term.height
    }
    try expect(.rightBracket, after: "the index")
    let node = ExpressionNode.function(PredicateFunction.subscriptName, operand: nil, arguments: [collection, index])
    return try term(.expression(NSExpression(node: node)), height: max(base.height, height) + 1, start: base.start)
  }

  // MARK: - Arguments

  @inline(never)
  private mutating func argument(_ specifier: FormatSpecifier) throws(PredicateFormatError) -> Term {
    let start = token.start
    let expression: NSExpression
    switch specifier {
    case .keyPath: expression = NSExpression(forKeyPath: try arguments.keyPath(at: token, in: lexer))
    default: expression = try arguments.expression(specifier, at: token, in: lexer)
    }
    try advance()
    return try term(.expression(expression), height: 1, start: start)
  }
}
