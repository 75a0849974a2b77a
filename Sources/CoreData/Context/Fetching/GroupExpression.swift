import Foundation
import Predicates

/// An expression that is asked of many objects together: functions over the values that each of them has.
struct GroupExpression {
  private indirect enum Part {
    /// The value that each object has: of a group, that of its first object.
    case plain(ExpressionEvaluator)
    /// A value that does not depend on objects. A group of none has it too.
    case constant(ExpressionEvaluator)
    /// A function over the values of all objects; `isFlat` where a list that an object has counts by its elements.
    case aggregate(String, ExpressionEvaluator, isFlat: Bool = false)
    /// The number of objects in the group.
    case count
    /// A key path that begins with a collection operator, which is asked of the list of objects.
    case list(ExpressionEvaluator)
    /// A function of parts.
    case function(String, [Part])

    var isAggregate: Bool {
      switch self {
      case .plain, .constant: false
      case .aggregate, .count, .list, .function: true
      }
    }
  }

  private let part: Part
  let isAggregate: Bool

  private static let functions: Set<String> = [
    "count:", "sum:", "average:", "min:", "max:", "median:", "mode:", "stddev:",
  ]
  /// The functions with the results of collection operators.
  private static let functionsOfOperators = [
    "@sum": "sum:", "@avg": "average:", "@min": "min:", "@max": "max:",
  ]

  /// - Parameters:
  ///   - entity: the entity at which the key paths of the expression begin; `nil` where they name columns.
  ///   - nulls: the rule for nulls of the stores that have the objects.
  init(_ expression: NSExpression, entity: NSEntityDescription?, nulls: NullRule) throws {
    try TreeHeight.check(expression)
    part = try Self.part(expression, entity: entity, nulls: nulls)
    isAggregate = part.isAggregate
  }

  func value(of group: [NSManagedObject]) throws -> Any? { try Self.value(part, group: group) }

  private static func part(_ expression: NSExpression, entity: NSEntityDescription?, nulls: NullRule) throws -> Part {
    func evaluator(_ expression: NSExpression) throws -> ExpressionEvaluator {
      try ExpressionEvaluator(expression, nulls: nulls)
    }
    func plain() throws -> Part {
      expression.isConstant ? .constant(try evaluator(expression)) : .plain(try evaluator(expression))
    }
    if let call = call(ofOperatorIn: expression) {
      if call.function == "count:" { return .count }
      return .aggregate(call.function, try evaluator(call.argument), isFlat: true)
    }
    if case .keyPath(let path) = expression.node, path.hasPrefix("@") { return .list(try evaluator(expression)) }
    guard case .function(let name, nil, let arguments) = expression.node else { return try plain() }
    if isFunctionOfGroup(name, arguments: arguments, entity: entity) {
      if name == "count:", isObjectItself(arguments[0]) { return .count }
      return .aggregate(name, try evaluator(arguments[0]))
    }
    let parts = try arguments.map { try part($0, entity: entity, nulls: nulls) }
    return parts.contains(where: \.isAggregate) ? .function(name, parts) : try plain()
  }

  /// The function over the values of objects that a key path means which begins with a collection
  /// operator: `@sum.price` is `sum:` of `price`, and `@count` the number of objects, whatever follows it.
  ///
  /// - Returns: `nil` for other expressions, and for operators whose result is a list.
  static func call(ofOperatorIn expression: NSExpression) -> (function: String, argument: NSExpression)? {
    guard case .keyPath(let path) = expression.node, path.hasPrefix("@") else { return nil }
    let parts = path.split(separator: ".", maxSplits: 1).map(String.init)
    if parts[0] == "@count" { return ("count:", .expressionForEvaluatedObject()) }
    guard parts.count == 2, let function = functionsOfOperators[parts[0]] else { return nil }
    return (function, NSExpression(forKeyPath: parts[1]))
  }

  /// Returns true for a call of a function over the values that each object has.
  static func isFunctionOfGroup(_ name: String, arguments: [NSExpression], entity: NSEntityDescription?) -> Bool {
    functions.contains(name) && arguments.count == 1 && isOfEachObject(arguments[0], entity: entity)
  }

  /// Returns true when an argument is one value of each object, and not a list of its own.
  private static func isOfEachObject(_ argument: NSExpression, entity: NSEntityDescription?) -> Bool {
    switch argument.node {
    case .evaluatedObject: return true
    case .keyPath(let path): return !path.contains("@") && entity?.leadsToMany(path) != true
    case .function(_, nil, let arguments): return arguments.allSatisfy { isOfEachObject($0, entity: entity) }
    case .constant(let value): return !(value is [Any]) && !(value is NSArray) && !(value is NSSet)
    default: return false
    }
  }

  static func isObjectItself(_ argument: NSExpression) -> Bool {
    switch argument.node {
    case .evaluatedObject, .keyPath("self"), .keyPath("SELF"), .keyPath("objectID"): true
    default: false
    }
  }

  private static func value(_ part: Part, group: [NSManagedObject]) throws -> Any? {
    switch part {
    case .plain(let evaluator): return try group.first.flatMap { try evaluator($0) }
    case .constant(let evaluator): return try evaluator(group.first)
    case .count: return NSNumber(value: group.count)
    case .list(let evaluator):
      guard let value = try evaluator(group) else { return nil }
      guard let elements = CollectionValue.elements(of: value) else { return value }
      // Objects are represented by their IDs.
      return elements.compactMap { element -> Any? in (element as? NSManagedObject)?.objectID ?? element }
    case .aggregate(let name, let evaluator, let isFlat):
      let each = try group.compactMap { try evaluator($0) }
      let all = isFlat ? each.flatMap { CollectionValue.elements(of: $0)?.compactMap(\.self) ?? [$0] } : each
      let found = all.filter { !($0 is NSNull) }
      let values = ["sum:", "average:"].contains(name) ? found.map(Self.number) : found
      return try call(name, arguments: [values])
    case .function(let name, let parts):
      return try call(name, arguments: parts.map { try value($0, group: group) })
    }
  }

  /// The number that a database adds up for a value: of a text or of data the one that they begin
  /// with, 0 for none, and of a date its seconds.
  private static func number(_ value: Any) -> Any {
    switch value {
    case let text as String: NSNumber(value: LeadingNumber(text).value)
    case let data as Data: NSNumber(value: LeadingNumber(String(decoding: data, as: UTF8.self)).value)
    case let date as Date: NSNumber(value: date.timeIntervalSinceReferenceDate)
    default: value
    }
  }

  private static func call(_ name: String, arguments: [Any?]) throws -> Any? {
    let function = NSExpression(
      forFunction: name,
      arguments: arguments.map { NSExpression(forConstantValue: $0) }
    )
    return try ExpressionEvaluator(function)(nil)
  }
}

/// A predicate on groups: on the values in their dictionaries, and on functions over the values of their objects.
struct GroupPredicate {
  private let predicate: NSPredicate
  private let nulls: NullRule

  /// - Parameter nulls: the rule for nulls of the stores that have the objects.
  /// - Throws: an error when the predicate is nested too deeply.
  init(_ predicate: NSPredicate, nulls: NullRule) throws {
    try TreeHeight.check(predicate)
    self.predicate = predicate
    self.nulls = nulls
  }

  func holds(_ row: NSDictionary, group: [NSManagedObject]) throws -> Bool {
    try holds(predicate, isNegated: false, row: row, group: group)
  }

  /// - Parameter isNegated: true when the opposite is wanted.
  private func holds(
    _ predicate: NSPredicate,
    isNegated: Bool,
    row: NSDictionary,
    group: [NSManagedObject]
  ) throws -> Bool {
    func evaluate(_ predicate: NSPredicate, object: Any?, variables: [String: Any]? = nil) throws -> Bool {
      let wanted = isNegated ? NSCompoundPredicate(notPredicateWithSubpredicate: predicate) : predicate
      return try PredicateEvaluator(wanted, variables: variables, nulls: nulls)(object)
    }
    switch predicate.node {
    case .compound(.not, let parts):
      guard let part = parts.first else { return !isNegated }
      return try holds(part, isNegated: !isNegated, row: row, group: group)
    case .compound(let type, let parts):
      func fulfils(_ part: NSPredicate) throws -> Bool { try holds(part, isNegated: isNegated, row: row, group: group) }
      let flat = PredicateNode.flattened(type, parts: parts)
      return try (type == .and) != isNegated ? flat.allSatisfy(fulfils) : flat.contains(where: fulfils)
    case .comparison(let comparison):
      // Values are not inserted as literals, because a nil literal makes a comparison a test for nil.
      var values: [String: Any] = [:]
      func resolved(_ expression: NSExpression) throws -> NSExpression {
        switch expression.node {
        case .constant: return expression
        case .aggregate(let members): return NSExpression(forAggregate: try members.map(resolved))
        default: break
        }
        let name = "\(expression)"
        values[name] = try value(expression, row: row, group: group) ?? NSNull()
        return NSExpression(forVariable: name)
      }
      let asked = NSComparisonPredicate(
        leftExpression: try resolved(comparison.leftExpression),
        rightExpression: try resolved(comparison.rightExpression),
        modifier: comparison.comparisonPredicateModifier,
        type: comparison.predicateOperatorType,
        options: comparison.options
      )
      return try evaluate(asked, object: nil, variables: values)
    case .constant, .opaque: return try evaluate(predicate, object: row)
    }
  }

  private func value(_ expression: NSExpression, row: NSDictionary, group: [NSManagedObject]) throws -> Any? {
    switch expression.node {
    case .keyPath(let name) where row[name] != nil, .variable(let name) where row[name] != nil: row[name]
    default: try GroupExpression(expression, entity: group.first?.entity, nulls: nulls).value(of: group)
    }
  }
}
