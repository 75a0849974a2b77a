import Foundation
import Predicates

/// An operator that compares by order.
package enum SQLOrderOperator: String {
  case less = "<"
  case lessOrEqual = "<="
  case greater = ">"
  case greaterOrEqual = ">="

  /// The operator with both sides exchanged.
  var reversed: SQLOrderOperator {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    }
  }

  func holds(_ result: ComparisonResult) -> Bool {
    switch self {
    case .less: result == .orderedAscending
    case .lessOrEqual: result != .orderedDescending
    case .greater: result == .orderedDescending
    case .greaterOrEqual: result != .orderedAscending
    }
  }
}

extension SQLComparisonTranslator {
  func order(
    _ left: SQLOperand,
    sign: SQLOrderOperator,
    right: SQLOperand,
    isNegated: Bool
  ) throws -> SQLCondition {
    switch (left, right) {
    case (.constant(.null), _), (_, .constant(.null)): return .never
    case (.constant(let a), .constant(let b)):
      guard let result = a.compare(b, text: textOrder) else {
        if case (.number, .number) = (a, b) { return .constant(isNegated) }
        throw unsupported("\(a.typeName) and \(b.typeName) have no order")
      }
      return .constant(sign.holds(result) != isNegated)
    case (.scalar(let scalar), .constant(let constant)):
      return try order(scalar, sign: sign, constant: constant, isNegated: isNegated)
    case (.constant(let constant), .scalar(let scalar)):
      return try order(scalar, sign: sign.reversed, constant: constant, isNegated: isNegated)
    case (.scalar(let a), .scalar(let b)):
      guard a.kind.isOrdered, a.kind.isComparable(with: b.kind) else {
        throw unsupported("\(a.kind.name) and \(b.kind.name) have no order")
      }
      let (left, right) = dialect.comparable(a, right: b)
      return ordered(left, sign: sign, right: right.write, isNegated: isNegated)
    case (.collection, _), (_, .collection), (.list, _), (_, .list):
      throw unsupported("a collection has no order; use ANY, ALL, @min or @max")
    }
  }

  func between(_ left: SQLOperand, right: SQLOperand, isNegated: Bool) throws -> SQLCondition {
    let limits: [SQLOperand]
    switch right {
    case .constant(.null): return .never
    case .constant(let value):
      limits = (value.elements ?? []).map { .constant(EvaluatedValue($0)) }
    case .list(let operands): limits = operands
    case .scalar, .collection: limits = []
    }
    guard limits.count == 2 else { throw unsupported("BETWEEN needs two values on its right side") }
    let parts = [
      try order(left, sign: .greaterOrEqual, right: limits[0], isNegated: isNegated),
      try order(left, sign: .lessOrEqual, right: limits[1], isNegated: isNegated),
    ]
    return isNegated ? .any(parts) : .all(parts)
  }

  private func order(
    _ scalar: SQLScalar,
    sign: SQLOrderOperator,
    constant: EvaluatedValue,
    isNegated: Bool
  ) throws -> SQLCondition {
    guard scalar.kind.isOrdered else { throw unsupported("\(scalar.kind.name) has no order") }
    guard let value = SQLConstants.binding(constant, as: scalar.kind, store: scope.store, dialect: dialect)
    else {
      // NaN has no order relative to any number, which is not an error.
      if scalar.kind.isNumber, case .number = constant { return Self.incomparable(scalar, isNegated: isNegated) }
      throw unsupported("\(scalar.kind.name) and a constant that is \(constant.typeName) have no order")
    }
    let exact = comparable(scalar, with: constant)
    return ordered(exact, sign: sign, right: { $0.bind(value, as: exact.kind) }, isNegated: isNegated)
  }

  private func ordered(
    _ left: SQLScalar,
    sign: SQLOrderOperator,
    right: @escaping SQLWrite,
    isNegated: Bool
  ) -> SQLCondition {
    let order = left.kind == .text ? textOrder : nil
    return .comparison(isNegated: isNegated) {
      try dialect.write(left.write, sign: sign, right: right, by: order, to: &$0)
    }
  }

  private var textOrder: TextOrder {
    comparison.options.contains(.localeSensitive) ? .locale(textOptions) : .folded(textOptions)
  }
}
