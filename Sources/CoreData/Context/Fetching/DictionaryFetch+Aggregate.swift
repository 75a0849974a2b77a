import Foundation
import Predicates

extension AggregateQuery {
  /// The query of the dictionaries of a request.
  ///
  /// - Parameter objects: the query of the objects, with the limit and the order of the request.
  /// - Returns: `nil` where a part of the request has no words that mean the same in every store.
  init?(_ fetch: DictionaryFetch.Parts, of objects: FetchQuery) {
    let entity = objects.entity
    let keys = fetch.groupColumns.compactMap { $0.key(of: entity) }
    let values = fetch.columns.compactMap { column in
      if fetch.isGrouped { return AggregateValue(column: column, among: fetch.groupColumns, entity: entity) }
      let expression = fetch.isDistinct ? column.key(of: entity) : column.rowExpression(of: entity)
      return expression.map(AggregateValue.key)
    }
    guard keys.count == fetch.groupColumns.count, values.count == fetch.columns.count else { return nil }
    self.objects = objects
    self.values = values
    if !fetch.isGrouped, !fetch.isDistinct {
      grouping = .eachObject
      return
    }
    self.objects.sortDescriptors = []
    (self.objects.limit, self.objects.offset) = (0, 0)
    (limit, offset) = (objects.limit, objects.offset)
    if fetch.isGrouped {
      // Groups are different from each other where all that makes them is asked for.
      let names = Set(fetch.columns.map(\.name))
      if fetch.isDistinct, !fetch.groupColumns.allSatisfy({ names.contains($0.name) }) { return nil }
      grouping = keys.isEmpty ? .all : .by(keys)
    } else {
      grouping = .by(
        values.compactMap { if case .key(let expression) = $0 { expression } else { nil } }
      )
    }
    let names = fetch.comparableValues(values, keys: keys)
    if let having = fetch.having {
      guard
        let condition = AggregateCondition(
          predicate: having,
          names: names,
          groupColumns: fetch.groupColumns,
          entity: entity
        )
      else { return nil }
      self.condition = condition
    }
    for descriptor in objects.sortDescriptors {
      guard let key = descriptor.key,
        let name = fetch.isGrouped ? key : fetch.columns.first(where: { $0.isKeyPath(key) })?.name,
        let value = names[name]
      else { return nil }
      if case .custom = descriptor.comparison { return nil }
      order.append(
        Order(
          value: value,
          index: fetch.columns.firstIndex { $0.name == name },
          comparison: descriptor.comparison,
          isAscending: descriptor.ascending
        )
      )
    }
  }
}

extension DictionaryFetch.Parts {
  /// The values by the names of their columns, without the values that are converted: the order and
  /// the condition of groups would see them before their conversion.
  fileprivate func comparableValues(_ values: [AggregateValue], keys: [RowExpression]) -> [String: AggregateValue] {
    let all = Array(zip(groupColumns, keys.map(AggregateValue.key))) + Array(zip(columns, values))
    let found = Dictionary(all.map { ($0.name, ($0, $1)) }, uniquingKeysWith: { $1 })
    return found.compactMapValues { column, value in column.hasPlainValues(of: value.kind) ? value : nil }
  }
}

extension DictionaryColumn {
  /// The column as an expression of each object; `nil` if a row expression cannot represent it, and
  /// for data that external files may hold.
  fileprivate func rowExpression(of entity: NSEntityDescription) -> RowExpression? {
    guard let found = RowExpression(expression, entity: entity) else { return nil }
    if case .attribute(let attribute) = found.kind, attribute.allowsExternalBinaryDataStorage { return nil }
    return found
  }

  /// The row expression for a column whose values are compared before they are converted. Computed
  /// whole numbers have no such expression: when one overflows, a database makes it a
  /// floating-point number, and groups it with other values than memory does.
  fileprivate func key(of entity: NSEntityDescription) -> RowExpression? {
    guard let expression = rowExpression(of: entity), hasPlainValues(of: expression.kind) else { return nil }
    if case .calculated = expression.kind { return nil }
    return expression
  }

  fileprivate func isKeyPath(_ keyPath: String) -> Bool {
    if case .keyPath(keyPath) = expression.node { true } else { false }
  }
}

extension AggregateValue {
  /// - Parameter groupColumns: the columns by which objects are grouped.
  fileprivate init?(column: DictionaryColumn, among groupColumns: [DictionaryColumn], entity: NSEntityDescription) {
    if !column.isAggregate {
      let isKey = groupColumns.contains { $0.expression == column.expression && $0.type == column.type }
      guard isKey, let expression = column.key(of: entity) else { return nil }
      self = .key(expression)
      return
    }
    self.init(expression: column.expression, groupColumns: groupColumns, entity: entity)
  }

  fileprivate init?(expression: NSExpression, groupColumns: [DictionaryColumn], entity: NSEntityDescription) {
    if let call = GroupExpression.call(ofOperatorIn: expression) {
      self.init(name: call.function, of: call.argument, entity: entity)
      return
    }
    switch expression.node {
    case _ where groupColumns.contains(where: { $0.expression == expression }), .constant:
      guard let key = RowExpression(expression, entity: entity) else { return nil }
      self = .key(key)
    case .function(let name, nil, let arguments):
      if GroupExpression.isFunctionOfGroup(name, arguments: arguments, entity: entity) {
        self.init(name: name, of: arguments[0], entity: entity)
        return
      }
      let parts = arguments.compactMap { AggregateValue(expression: $0, groupColumns: groupColumns, entity: entity) }
      guard parts.count == arguments.count,
        let kind = RowExpression.Kind(resultOf: name, arguments: parts.map(\.kind)),
        name != "divide:by:" || !parts.contains(where: \.isCalculatedOfSums)
      else { return nil }
      self = .calculation(expression, parts, kind)
    default: return nil
    }
  }

  private init?(name: String, of argument: NSExpression, entity: NSEntityDescription) {
    if name == Function.count.rawValue, GroupExpression.isObjectItself(argument) {
      self = .count
      return
    }
    guard let function = Function(rawValue: name), let expression = RowExpression(argument, entity: entity),
      function.takes(expression.kind)
    else { return nil }
    self = .function(function, expression)
  }

  /// True for calculations with a sum of floating-point numbers. Of nothing it is a whole number in
  /// memory, which is divided without a rest.
  private var isCalculatedOfSums: Bool {
    guard case .calculation(_, let parts, _) = self else { return false }
    return parts.contains { part in
      if case .function(.sum, let expression) = part, expression.kind.type == .doubleAttributeType { return true }
      return part.isCalculatedOfSums
    }
  }
}

extension AggregateValue.Function {
  /// Returns true when the function has the same result in memory and in every database.
  fileprivate func takes(_ kind: RowExpression.Kind) -> Bool {
    switch (self, kind.type) {
    case (.count, _): return true
    case (.sum, .integer64AttributeType), (.average, .integer64AttributeType): return true
    case (.sum, .doubleAttributeType), (.average, .doubleAttributeType):
      if case .number(fromDates: true) = kind { return false }
      return true
    case (.sum, .decimalAttributeType), (.average, .decimalAttributeType): return true
    case (.minimum, let type), (.maximum, let type):
      return [
        .integer64AttributeType, .doubleAttributeType, .dateAttributeType, .decimalAttributeType,
        .stringAttributeType, .UUIDAttributeType,
      ].contains(type)
    default: return false
    }
  }
}

extension AggregateCondition {
  /// - Parameter names: the values of the key paths and variables.
  fileprivate init?(
    predicate: NSPredicate,
    names: [String: AggregateValue],
    groupColumns: [DictionaryColumn],
    entity: NSEntityDescription
  ) {
    switch predicate.node {
    case .constant(let value): self = .constant(value)
    case .compound(let type, let nested):
      let predicates = PredicateNode.flattened(type, parts: nested)
      let parts = predicates.compactMap {
        AggregateCondition(predicate: $0, names: names, groupColumns: groupColumns, entity: entity)
      }
      guard parts.count == predicates.count else { return nil }
      self = .compound(type, parts)
    case .comparison(let comparison) where comparison.comparisonPredicateModifier == .direct:
      func operand(_ expression: NSExpression) -> Operand? {
        switch expression.node {
        case .constant: .constant(expression)
        case .aggregate(let parts) where ExpressionNode.constants(parts) != nil: .constant(expression)
        case .keyPath(let name) where !name.hasPrefix("@"), .variable(let name): names[name].map(Operand.value)
        default: AggregateValue(expression: expression, groupColumns: groupColumns, entity: entity).map(Operand.value)
        }
      }
      guard let left = operand(comparison.leftExpression), let right = operand(comparison.rightExpression)
      else { return nil }
      self = .comparison(comparison, left, right)
    case .comparison, .opaque: return nil
    }
  }
}
