import Foundation

extension FormatParser {
  /// `sum(prices)`, `add:to:(1, 2)`; the name has been read.
  mutating func functionCall(_ name: String, start: Int) throws(PredicateFormatError) -> Term {
    let (expressions, height) = try list(closing: .rightParenthesis, after: "the arguments")
    let function: PredicateFunction
    do throws(PredicateFunction.UnknownFunction) {
      function = try PredicateFunction.named(name, argumentCount: expressions.count)
    } catch {
      throw lexer.error(error.message, at: start, expected: error.expected)
    }
    return try term(
      .expression(NSExpression(node: .function(function.name, operand: nil, arguments: expressions))),
      height: height + 1,
      start: start
    )
  }

  /// SUBQUERY, TERNARY, FUNCTION, CAST and FETCH; the word has been read, the parenthesis is the present token.
  mutating func specialForm(_ keyword: FormatKeyword, text: String, start: Int) throws(PredicateFormatError) -> Term {
    switch keyword {
    case .subquery: return try subquery(start: start)
    case .ternary: return try ternary(start: start)
    case .function: return try message(start: start)
    case .cast: return try cast(start: start)
    case .fetch: return try fetch(start: start)
    default: throw lexer.error("\(text) is not a function", at: start, expected: "an expression")
    }
  }

  /// `SUBQUERY(tags, $tag, $tag.name == "a")`
  private mutating func subquery(start: Int) throws(PredicateFormatError) -> Term {
    try enter()
    defer { leave() }
    try advance()
    let collection = try sets()
    try expect(.comma, after: "the collection of SUBQUERY")
    guard case .variable(let name) = token.kind else { throw unexpectedToken(expected: "a variable such as $element") }
    try advance()
    try expect(.comma, after: "the variable of SUBQUERY")
    let condition = try disjunction()
    let node = ExpressionNode.subquery(
      collection: try requireExpression(collection),
      variable: name,
      predicate: try requirePredicate(condition)
    )
    try expect(.rightParenthesis, after: "the predicate of SUBQUERY")
    return try term(
      .expression(NSExpression(node: node)),
      height: max(collection.height, condition.height) + 1,
      start: start
    )
  }

  /// `TERNARY(price > 5, 1, 0)`
  private mutating func ternary(start: Int) throws(PredicateFormatError) -> Term {
    try enter()
    defer { leave() }
    try advance()
    let condition = try disjunction()
    let predicate = try requirePredicate(condition)
    try expect(.comma, after: "the predicate of TERNARY")
    let first = try sets()
    try expect(.comma, after: "the second part of TERNARY")
    let second = try sets()
    try expect(.rightParenthesis, after: "the third part of TERNARY")
    let node = ExpressionNode.conditional(predicate, try requireExpression(first), try requireExpression(second))
    return try term(
      .expression(NSExpression(node: node)),
      height: max(condition.height, first.height, second.height) + 1,
      start: start
    )
  }

  /// `FETCH(%@, $manager.sourceContext, NO)`
  private mutating func fetch(start: Int) throws(PredicateFormatError) -> Term {
    let (expressions, height) = try list(closing: .rightParenthesis, after: "the arguments of FETCH")
    guard expressions.count == 3, case .constant(let flag as Bool) = expressions[2].node else {
      throw lexer.error(
        "FETCH lacks a part",
        at: start,
        expected: "FETCH(request, context, NO), or YES for the number of what is found"
      )
    }
    let expression = NSFetchRequestExpression.expression(
      forFetch: expressions[0],
      context: expressions[1],
      countOnly: flag
    )
    return try term(.expression(expression), height: height + 1, start: start)
  }

  /// `FUNCTION(name, "uppercaseString")`
  private mutating func message(start: Int) throws(PredicateFormatError) -> Term {
    let (expressions, height) = try list(closing: .rightParenthesis, after: "the arguments of FUNCTION")
    guard expressions.count >= 2, case .constant(let selector as String) = expressions[1].node else {
      throw lexer.error("FUNCTION lacks a selector", at: start, expected: "FUNCTION(target, \"selector\", arguments…)")
    }
    let node = ExpressionNode.function(selector, operand: expressions[0], arguments: Array(expressions[2...]))
    return try term(.expression(NSExpression(node: node)), height: height + 1, start: start)
  }

  /// `CAST(price, "NSNumber")`; of a literal it is a constant, so that a printed date reads as the date again.
  private mutating func cast(start: Int) throws(PredicateFormatError) -> Term {
    let (expressions, height) = try list(closing: .rightParenthesis, after: "the type of CAST")
    guard expressions.count == 2, case .constant(let name as String) = expressions[1].node,
      let type = CastType(rawValue: name)
    else {
      throw lexer.error(
        "CAST lacks a known type",
        at: start,
        expected: "CAST(value, \"type\") with one of \(CastType.list)"
      )
    }
    if case .constant(let value?) = expressions[0].node, !(value is NSNull),
      let converted = try? type.converted(value)
    {
      return try term(.expression(NSExpression(forConstantValue: converted)), height: 1, start: start)
    }
    let node = ExpressionNode.function(PredicateFunction.castName, operand: nil, arguments: expressions)
    return try term(.expression(NSExpression(node: node)), height: height + 1, start: start)
  }
}
