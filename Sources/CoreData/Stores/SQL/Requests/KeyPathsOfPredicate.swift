import Foundation
import Predicates

/// Collects the key paths that predicates follow from the object that they are asked of.
///
/// Variables of subqueries refer to elements of their collections. Collection operators are not keys.
struct KeyPathsOfPredicate {
  /// Each as its keys.
  private(set) var keyPaths: [[String]] = []

  mutating func add(_ keyPath: String) { add(Self.keys(keyPath)) }

  private mutating func add(_ keys: [String]) {
    if !keys.isEmpty, !keyPaths.contains(keys) { keyPaths.append(keys) }
  }

  /// - Parameter variables: the key paths to the elements that variables refer to.
  mutating func add(_ predicate: NSPredicate, variables: [String: [String]] = [:]) {
    switch predicate.node {
    case .constant, .opaque: break
    case .compound(let type, let parts):
      PredicateNode.flattened(type, parts: parts).forEach { add($0, variables: variables) }
    case .comparison(let comparison):
      add(comparison.leftExpression, variables: variables)
      add(comparison.rightExpression, variables: variables)
    }
  }

  /// Adds the key paths of an expression.
  ///
  /// - Returns: the one to its value; `nil` where it is calculated.
  @discardableResult
  mutating func add(_ expression: NSExpression, variables: [String: [String]] = [:]) -> [String]? {
    switch expression.node {
    case .constant, .anyKey, .fetch, .custom: return nil
    case .evaluatedObject: return []
    case .variable(let name): return variables[name]
    case .keyPath(let path):
      let keys = self.keys(path, variables: variables)
      if let keys { add(keys) }
      return keys
    case .function(_, let operand, let arguments):
      return add(messageTo: operand, arguments: arguments, variables: variables)
    case .set(_, let left, let right):
      add(left, variables: variables)
      add(right, variables: variables)
    case .subquery(let collection, let variable, let predicate):
      let keys = add(collection, variables: variables)
      var inner = variables
      inner[variable] = keys
      add(predicate, variables: inner)
      return keys
    case .aggregate(let expressions), .block(_, let expressions):
      expressions.forEach { add($0, variables: variables) }
    case .conditional(let predicate, let first, let second):
      add(predicate, variables: variables)
      add(first, variables: variables)
      add(second, variables: variables)
    }
    return nil
  }

  /// A key path that begins at a variable or at a subquery is a message to it.
  private mutating func add(
    messageTo operand: NSExpression?,
    arguments: [NSExpression],
    variables: [String: [String]]
  ) -> [String]? {
    guard let operand, let start = add(operand, variables: variables), arguments.count == 1 else {
      arguments.forEach { add($0, variables: variables) }
      return nil
    }
    let path: String
    switch arguments[0].node {
    case .keyPath(let name): path = name
    case .constant(let name as String): path = name
    default:
      add(arguments[0], variables: variables)
      return nil
    }
    let keys = start + Self.keys(path)
    add(keys)
    return keys
  }

  /// - Returns: `nil` for a path that begins at a variable without a value.
  private func keys(_ path: String, variables: [String: [String]]) -> [String]? {
    guard path.hasPrefix("$") else { return Self.keys(path) }
    let parts = path.dropFirst().split(separator: ".", maxSplits: 1).map(String.init)
    guard let start = parts.first.flatMap({ variables[$0] }) else { return nil }
    return start + (parts.count == 2 ? Self.keys(parts[1]) : [])
  }

  private static func keys(_ path: String) -> [String] {
    path.split(separator: ".").map(String.init).filter { !$0.hasPrefix("@") }
  }
}
