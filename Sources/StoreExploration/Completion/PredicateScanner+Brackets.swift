import CoreData
import Predicates

/// Reads signs and brackets, and ends conditions.
extension PredicateScanner {
  /// The greatest depth of nested lists whose elements are kept. No valid predicate has deeper lists.
  private static let deepestList = 100

  mutating func read(
    _ sign: FormatSign,
    range: Range<Int>,
    hadOptions: Bool,
    token: FormatToken
  ) {
    switch sign {
    case .leftParenthesis: openParenthesis(range.lowerBound)
    case .leftBrace: open(Frame(kind: .list, start: range.lowerBound))
    case .leftBracket:
      let kind: Frame.Kind = hadOptions ? .options : .subscripting
      var inner = Frame(kind: kind, start: range.lowerBound)
      if hadOptions { inner.expectation = .options }
      open(inner)
    case .rightParenthesis, .rightBrace, .rightBracket:
      if frames.count > 1 { close(at: range.upperBound) }
    case .comma: endArgument()
    case .dot: frame.expectation = .key
    case .and, .or: endCondition()
    case .not: frame.expectation = .operand
    case .plus, .minus, .times, .divide, .power, .bitAnd, .bitOr, .bitXor, .bitNot, .shiftLeft, .shiftRight:
      recordPath()
      frame.isCalculated = frame.isCalculated || frame.expectation == .operation
      frame.expectation = .operand
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual:
      if let operation = ScannedComparison.Operator(token.kind) { begin(operation, range: range) }
    }
  }

  mutating func open(_ inner: Frame) { frames.append(inner) }

  /// Begins the arguments of a function if a name precedes the parenthesis, and a group otherwise.
  mutating func openParenthesis(_ start: Int) {
    guard let previous, frame.expectation == .operation, let name = Self.name(previous.kind),
      previous.end == frame.operand?.range.upperBound
    else { return open(Frame(kind: .group, start: start)) }
    frame.operand = nil
    frame.expectation = .operand
    let isSubquery = if case .keyword(.subquery, _) = previous.kind { true } else { false }
    open(Frame(kind: isSubquery ? .subquery : .function(name), start: start))
  }

  mutating func endArgument() {
    if frame.kind == .list, let operand = frame.operand { frame.elements.append(operand) }
    if frame.kind == .subquery, frame.argument == 0 { frame.collection = frame.operand?.path?.end }
    let wasVariable = frame.kind == .subquery && frame.argument == 1
    endCondition()
    frame.argument += 1
    if frame.kind == .subquery, frame.argument == 1 { frame.expectation = .variableName }
    if wasVariable, let name = frame.variable {
      variables[name] =
        switch frame.collection {
        case .objects(let entity): .object(entity)
        case .attribute(let attribute, _): .attribute(attribute, isMany: false)
        default: .unknown
        }
    }
  }

  /// Ends a comparison or a single value.
  mutating func endCondition() {
    recordPath()
    if let left = frame.left, let operation = frame.operation, let operand = frame.operand {
      comparisons.append(
        ScannedComparison(
          left: left,
          operation: operation.kind,
          range: operation.range,
          right: frame.isCalculated ? operand.calculated : operand,
          isQuantified: frame.quantifier != nil
        )
      )
    }
    frame.left = nil
    frame.operation = nil
    frame.operand = nil
    frame.quantifier = nil
    frame.isCalculated = false
    frame.expectation = .operand
  }

  /// Closes the innermost brackets. Their content becomes a value of the enclosing frame.
  mutating func close(at end: Int) {
    if frame.kind == .list, let operand = frame.operand { frame.elements.append(operand) }
    let enclosed = frame.operation == nil && !frame.isCalculated ? frame.operand : nil
    endCondition()
    let inner = frames.removeLast()
    let range = inner.start..<end
    if inner.kind == .subquery, let name = inner.variable { variables[name] = nil }
    switch inner.kind {
    case .options:
      frame.expectation = .operand
      return
    case .subscripting:
      if case .path(var path)? = frame.operand?.kind {
        path.isPicked = true
        frame.operand?.kind = .path(path)
      }
    case .list:
      // Nested values are released recursively, and a thread's stack is limited.
      let kind: ScannedOperand.Kind = frames.count > Self.deepestList ? .other : .list(inner.elements)
      frame.operand = ScannedOperand(kind: kind, range: range)
    case .group:
      frame.operand =
        enclosed.map { ScannedOperand(kind: $0.kind, range: range) }
        ?? ScannedOperand(kind: .other, range: range)
    case .whole, .function, .subquery: frame.operand = ScannedOperand(kind: .other, range: range)
    }
    frame.expectation = .operation
  }
}
