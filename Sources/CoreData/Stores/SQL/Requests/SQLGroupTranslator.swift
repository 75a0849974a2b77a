import Foundation
import Predicates

/// Turns the values of groups, conditions on them and their order into SQL.
struct SQLGroupTranslator {
  private let scope: SQLScope
  private let dialect: any SQLDialect
  private let ofObjects: SQLPredicateTranslator

  /// - Parameter scope: the tables in which the objects are.
  init(scope: SQLScope, dialect: any SQLDialect) {
    self.scope = scope
    self.dialect = dialect
    ofObjects = SQLPredicateTranslator(scope: scope, dialect: dialect)
  }

  /// - Throws: an error that names the part without a translation into SQL.
  func scalar(_ value: AggregateValue) throws -> SQLScalar {
    switch value {
    case .key(let expression): return try ofObjects.scalar(expression.expression)
    case .count: return SQLScalar(.integer, width: SQLIntegerWidth.count) { $0.write("COUNT(*)") }
    case .function(let function, let expression):
      return try scalar(function, of: ofObjects.scalar(expression.expression))
    case .calculation(let expression, let parts, _):
      guard case .function(let name, nil, _) = expression.node else {
        throw SQLTranslationFailure.error("\(expression)", reason: "it calls no function")
      }
      try parts.forEach(refuseDecimal)
      return try SQLFunctionTranslator(translator: ofObjects, expression: expression).scalar(
        name,
        of: parts.map(scalar)
      )
    }
  }

  private func scalar(_ function: AggregateValue.Function, of value: SQLScalar) throws -> SQLScalar {
    func call(_ function: SQLAggregateFunction) -> SQLWrite {
      { try $0.dialect.write(function, of: value, to: &$0) }
    }
    func writeCount(_ writer: inout SQLWriter) throws { try writer.writeCall("COUNT", of: value.write) }
    switch function {
    case .sum where value.kind == .decimal:
      return SQLScalar(.decimal) { try $0.dialect.writeExact(.sum, of: value, to: &$0) }
    case .average where value.kind == .decimal:
      return SQLScalar(.decimal) { try $0.dialect.writeExact(.average, of: value, to: &$0) }
    case .count: return SQLScalar(.integer, width: SQLIntegerWidth.count, write: writeCount)
    case .minimum: return SQLScalar(value.kind, width: value.width, write: call(.minimum))
    case .maximum: return SQLScalar(value.kind, width: value.width, write: call(.maximum))
    case .average where value.kind == .integer:
      // A database may add up whole numbers as floating-point ones for an average, and lose digits.
      let average = SQLCalculation(
        left: SQLScalar(.integer, write: call(.sum)),
        sign: .divide,
        right: SQLScalar(.integer, write: writeCount),
        kind: .real
      )
      return SQLScalar(.real) { try $0.dialect.write(average, to: &$0) }
    case .average: return SQLScalar(.real, write: call(.average))
    case .sum where value.kind == .integer:
      return SQLScalar(.integer) { try $0.writeCall("COALESCE", of: call(.sum)) { $0.write("0") } }
    case .sum: return SQLScalar(.real) { try $0.dialect.writeSum(ofReal: value, to: &$0) }
    }
  }

  // MARK: - Groups and their order

  /// The terms of `GROUP BY` of a key. A calculation is grouped by its columns: if it was written twice, its values
  /// would be bound twice, and a database might not recognize that both are the same.
  func terms(_ key: RowExpression, of query: AggregateQuery) throws -> [SQLWrite] {
    let columns = query.values.indices.filter { index in
      guard case .key(let selected) = query.values[index] else { return false }
      return selected.expression == key.expression
    }
    if !key.isKeyPath, !columns.isEmpty { return columns.map(Self.column) }
    return [try ofObjects.scalar(key.expression).write]
  }

  /// The term of `ORDER BY` of a value.
  func term(_ order: AggregateQuery.Order) throws -> SQLWrite {
    try refuseDecimal(order.value)
    let scalar = try scalar(order.value)
    guard scalar.kind.isSortable else {
      throw SQLTranslationFailure.error("An order of groups", reason: "\(scalar.kind.name) has no order to sort by")
    }
    let textOrder = scalar.kind == .text ? order.comparison.textOrder : nil
    if textOrder == nil, let index = order.index { return term(Self.column(index), order: order, textOrder: nil) }
    // An order of texts may fold them, for which the number of a column does not stand.
    try requireKeyPath(order.value)
    return term(scalar.write, order: order, textOrder: textOrder)
  }

  private func term(_ write: @escaping SQLWrite, order: AggregateQuery.Order, textOrder: TextOrder?) -> SQLWrite {
    { try dialect.writeSortTerm(write, by: textOrder, isAscending: order.isAscending, to: &$0) }
  }

  private static func column(_ index: Int) -> SQLWrite { { $0.write("\(index + 1)") } }

  /// A key that is calculated is written once alone.
  private func requireKeyPath(_ value: AggregateValue) throws {
    if case .key(let expression) = value, !expression.isKeyPath {
      throw SQLTranslationFailure.error(
        "\(expression.expression)",
        reason:
          "groups are made by it, and it is calculated, so that it can be sorted by and compared in memory alone"
      )
    }
  }

  /// A database may represent a sum or mean of decimal numbers as a text, which sorts differently.
  private func refuseDecimal(_ value: AggregateValue) throws {
    if case .function(let function, let expression) = value, value.isExact {
      throw SQLTranslationFailure.error(
        "\(function.rawValue) \(expression.expression)",
        reason: "it is a decimal number, which can be sorted by, compared and calculated with in memory alone"
      )
    }
  }

  // MARK: - Conditions

  /// - Parameter isNegated: true when the opposite is wanted.
  /// - Throws: an error that names the part without a translation into SQL.
  func condition(_ condition: AggregateCondition, isNegated: Bool = false) throws -> SQLCondition {
    switch condition {
    case .constant(let value): return .constant(value != isNegated)
    case .compound(let type, let parts):
      if type == .not {
        guard let part = parts.first else { throw SQLTranslationFailure.error("NOT", reason: "it has no predicate") }
        return try self.condition(part, isNegated: !isNegated)
      }
      let conditions = try parts.map { try self.condition($0, isNegated: isNegated) }
      return (type == .and) != isNegated ? .all(conditions) : .any(conditions)
    case .comparison(let comparison, .constant, .constant): return try .constant(comparison, isNegated: isNegated)
    case .comparison(let comparison, let left, let right):
      return try SQLComparisonTranslator(comparison, scope: scope, dialect: dialect)
        .condition(operand(left), right: operand(right), isNegated: isNegated)
    }
  }

  private func operand(_ operand: AggregateCondition.Operand) throws -> SQLOperand {
    switch operand {
    case .constant(let expression): return .constant(try SQLConstants.value(expression))
    case .value(let value):
      try requireKeyPath(value)
      try refuseDecimal(value)
      return .scalar(try scalar(value))
    }
  }
}
