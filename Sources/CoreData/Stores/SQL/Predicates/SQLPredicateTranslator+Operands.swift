import Foundation
import Predicates

extension SQLPredicateTranslator {
  /// The operand of an expression.
  ///
  /// - Throws: an error that names the expression, when it has no SQL.
  func operand(_ expression: NSExpression) throws -> SQLOperand {
    if expression.isConstant { return .constant(try SQLConstants.value(expression)) }
    switch expression.node {
    case .evaluatedObject: return .scalar(SQLPosition(root: scope).scalar)
    case .keyPath(let keyPath): return try self.keyPath(keyPath)
    case .variable(let name): return .scalar(try variable(name).scalar)
    case .function(let name, let operand?, let arguments):
      return try message(name, to: operand, arguments: arguments, expression: expression)
    case .function(let name, nil, let arguments):
      return .scalar(
        try SQLFunctionTranslator(translator: self, expression: expression).scalar(name, arguments: arguments)
      )
    case .subquery(let collection, let variable, let predicate):
      return .collection(try subquery(collection, variable: variable, predicate: predicate))
    case .aggregate(let expressions): return .list(try expressions.map(operand))
    case .conditional(let predicate, let first, let second):
      return .scalar(try conditional(predicate, first: first, second: second, expression: expression))
    case .constant, .set, .anyKey, .block, .fetch, .custom:
      throw SQLTranslationFailure.error("\(expression)", reason: "it can only be evaluated in memory")
    }
  }

  /// A key path from the evaluated object; `$name.key` begins at a variable.
  private func keyPath(_ path: String) throws -> SQLOperand {
    guard path.utf8.first == UInt8(ascii: "$") else {
      return try follow(path, from: .object(SQLPosition(root: scope)))
    }
    let parts = path.dropFirst().split(separator: ".", maxSplits: 1).map(String.init)
    guard let name = parts.first else { throw SQLTranslationFailure.error(path, reason: "it names no variable") }
    let element = try variable(name)
    return parts.count == 2 ? try follow(parts[1], from: element) : .scalar(element.scalar)
  }

  private func follow(_ path: String, from element: SQLElement) throws -> SQLOperand {
    var resolver = SQLKeyPathResolver(path)
    return try resolver.operand(from: element)
  }

  private func variable(_ name: String) throws -> SQLElement {
    guard let element = variables[name] else {
      throw SQLTranslationFailure.error(
        "$\(name)",
        reason: "the variable has no value; give it one with withSubstitutionVariables(_:)"
      )
    }
    return element
  }

  /// A key path that begins at a variable or at a subquery.
  private func message(
    _ name: String,
    to operand: NSExpression,
    arguments: [NSExpression],
    expression: NSExpression
  ) throws -> SQLOperand {
    guard name == "valueForKeyPath:" || name == "valueForKey:", arguments.count == 1,
      let path = Self.path(arguments[0])
    else {
      throw SQLTranslationFailure.error("\(expression)", reason: "the message \(name) can only be sent in memory")
    }
    switch operand.node {
    case .evaluatedObject: return try keyPath(path)
    case .variable(let variable): return try follow(path, from: try self.variable(variable))
    case .subquery(let collection, let variable, let predicate)
    where path == "@count" && collection.isConstant:
      return .scalar(try count(SQLConstants.value(collection), variable: variable, predicate: predicate))
    default: break
    }
    guard case .collection(let collection) = try self.operand(operand), path.hasPrefix("@") else {
      throw SQLTranslationFailure.error("\(expression)", reason: "\(path) cannot be asked of what stands before it")
    }
    let keys = path.split(separator: ".").map(String.init)
    return .scalar(
      try SQLAggregate(name: keys[0], rest: Array(keys.dropFirst()), keyPath: "\(expression)").scalar(over: collection)
    )
  }

  private static func path(_ expression: NSExpression) -> String? {
    switch expression.node {
    case .keyPath(let path): path
    case .constant(let path as String): path
    default: nil
    }
  }

  private func subquery(_ collection: NSExpression, variable: String, predicate: NSPredicate) throws -> SQLCollection {
    guard case .collection(var found) = try operand(collection) else {
      throw SQLTranslationFailure.error("\(collection)", reason: "SUBQUERY needs a to-many relationship")
    }
    var inner = self
    inner.variables[variable] = found.element
    found.conditions.append(try inner.condition(predicate))
    return found
  }

  /// The number of elements of a constant collection that fulfil a predicate, which is about the object of the row
  /// too: a condition for each element.
  private func count(_ collection: EvaluatedValue, variable: String, predicate: NSPredicate) throws -> SQLScalar {
    let elements = collection.elements ?? []
    let conditions = try elements.map { element in
      try condition(predicate.withSubstitutionVariables([variable: element ?? NSNull()]))
    }
    return SQLScalar(.integer, width: SQLIntegerWidth.count) { try Self.writeCount(of: conditions[...], to: &$0) }
  }

  /// Writes how many conditions hold. A database may take a long sum for nested ones, as it does conditions.
  private static func writeCount(of conditions: ArraySlice<SQLCondition>, to writer: inout SQLWriter) throws {
    writer.write("(")
    if conditions.count > writer.dialect.longestRowOfConditions {
      let middle = conditions.startIndex + conditions.count / 2
      try writeCount(of: conditions[..<middle], to: &writer)
      writer.write(" + ")
      try writeCount(of: conditions[middle...], to: &writer)
    } else if conditions.isEmpty {
      writer.write("0")
    } else {
      for (index, condition) in conditions.enumerated() {
        writer.write(index > 0 ? " + CASE WHEN " : "CASE WHEN ")
        try condition.writeAsAtom(to: &writer)
        writer.write(" THEN 1 ELSE 0 END")
      }
    }
    writer.write(")")
  }

  private func conditional(
    _ predicate: NSPredicate,
    first: NSExpression,
    second: NSExpression,
    expression: NSExpression
  ) throws -> SQLScalar {
    let condition = try condition(predicate)
    let values = (try scalar(first), try scalar(second))
    guard values.0.kind == values.1.kind || values.0.kind.isNumber && values.1.kind.isNumber else {
      throw SQLTranslationFailure.error("\(expression)", reason: "both values must be of one kind")
    }
    let kinds = [values.0.kind, values.1.kind]
    let kind = kinds[0] == kinds[1] ? kinds[0] : (kinds.contains(.decimal) ? .decimal : .real)
    return SQLScalar(kind, width: max(values.0.width, values.1.width)) { writer in
      writer.write("CASE WHEN ")
      try condition.writeAsAtom(to: &writer)
      writer.write(" THEN ")
      try values.0.write(&writer)
      writer.write(" ELSE ")
      try values.1.write(&writer)
      writer.write(" END")
    }
  }

  /// An expression that has one value for each row.
  func scalar(_ expression: NSExpression) throws -> SQLScalar {
    switch try operand(expression) {
    case .scalar(let scalar): return scalar
    case .constant(let value):
      guard let kind = SQLConstants.kind(of: value),
        let bound = SQLConstants.binding(value, as: kind, store: scope.store, dialect: dialect)
      else { break }
      return SQLScalar(kind, width: SQLIntegerWidth.width(of: value)) { $0.bind(bound, as: kind) }
    case .collection, .list: break
    }
    throw SQLTranslationFailure.error("\(expression)", reason: "one value is wanted here")
  }
}
