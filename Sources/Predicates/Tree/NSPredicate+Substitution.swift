public import Foundation

extension PredicateFactory where Self: NSPredicate {
  /// A copy of the predicate with the variables replaced by constants.
  ///
  /// Variables without a value stay, and so does the element of a SUBQUERY, which hides a variable
  /// of its name. A value that is an expression takes the variable's place itself.
  ///
  /// A predicate that is nested too deeply to be evaluated is returned unchanged.
  ///
  /// ```swift
  /// let byAuthor = NSPredicate(format: "author.name == $NAME")
  /// let byInes = byAuthor.withSubstitutionVariables(["NAME": "Ines"])
  /// print(byInes)  // author.name == "Ines"
  /// ```
  ///
  /// - Parameter variables: the values by the variables' names, without `$`.
  public func withSubstitutionVariables(_ variables: [String: Any]) -> Self {
    guard TreeHeight.isWithin(.predicate(self)) else { return self }
    return (VariableSubstitution(in: .predicate(self), variables: variables).predicate(self) as? Self) ?? self
  }
}

extension NSPredicate {
  /// A copy of the predicate with other constants; the predicate itself where it is nested too deeply to be evaluated.
  ///
  /// - Parameter replace: gives the value that takes a constant's place.
  package func replacingConstants(_ replace: @escaping (Any?) -> Any?) -> NSPredicate {
    guard TreeHeight.isWithin(.predicate(self)) else { return self }
    return VariableSubstitution(in: .predicate(self), constant: replace).predicate(self)
  }
}

/// Replaces variables and constants in a tree.
struct VariableSubstitution {
  private let variables: [String: Any]
  private let constant: ((Any?) -> Any?)?
  /// The expressions that take the place of others, by the identity of those.
  private let fetches: [ObjectIdentifier: NSExpression]
  /// True when chains of AND and of OR become lists, since they nest deeper than the parser reads and
  /// than a thread's stack may allow.
  private let listsChains: Bool

  init(
    in root: TreeNode,
    variables: [String: Any] = [:],
    constant: ((Any?) -> Any?)? = nil,
    fetches: [ObjectIdentifier: NSExpression] = [:]
  ) {
    self.init(variables: variables, constant, fetches: fetches, listsChains: !TreeHeight.isParsed(root))
  }

  private init(
    variables: [String: Any],
    _ constant: ((Any?) -> Any?)?,
    fetches: [ObjectIdentifier: NSExpression],
    listsChains: Bool
  ) {
    self.variables = variables
    self.constant = constant
    self.fetches = fetches
    self.listsChains = listsChains
  }

  func predicate(_ predicate: NSPredicate) -> NSPredicate {
    switch predicate.node {
    case .constant, .opaque: return predicate
    case .comparison(let comparison):
      return NSComparisonPredicate(
        leftExpression: expression(comparison.leftExpression),
        rightExpression: expression(comparison.rightExpression),
        modifier: comparison.comparisonPredicateModifier,
        type: comparison.predicateOperatorType,
        options: comparison.options
      )
    case .compound(let type, let parts):
      let parts = listsChains ? PredicateNode.flattened(type, parts: parts) : parts
      return CompoundPredicate(type: type, subpredicates: parts.map(self.predicate))
    }
  }

  func expression(_ expression: NSExpression) -> NSExpression {
    switch expression.node {
    case .constant(let value):
      return constant.map { NSExpression(node: .constant($0(value))) } ?? expression
    case .evaluatedObject, .anyKey, .custom: return expression
    case .keyPath(let path): return keyPath(path) ?? expression
    case .variable(let name): return variables[name].map(NSExpression.expression(for:)) ?? expression
    case .function(MessageFunction.valueForKeyPath.rawValue, .some(let operand), let arguments):
      return message(self.expression(operand), arguments: arguments.map(self.expression))
    case .function(let name, let operand, let arguments):
      return NSExpression(
        node: .function(name, operand: operand.map(self.expression), arguments: arguments.map(self.expression))
      )
    case .set(let operation, let left, let right):
      return NSExpression(node: .set(operation, self.expression(left), self.expression(right)))
    case .subquery(let collection, let name, let predicate):
      let inner = VariableSubstitution(
        variables: variables.filter { $0.key != name },
        constant,
        fetches: fetches,
        listsChains: listsChains
      )
      return NSExpression(
        node: .subquery(collection: self.expression(collection), variable: name, predicate: inner.predicate(predicate))
      )
    case .aggregate(let expressions): return NSExpression(node: .aggregate(expressions.map(self.expression)))
    case .block(let block, let arguments): return NSExpression(node: .block(block, arguments.map(self.expression)))
    case .conditional(let predicate, let first, let second):
      return NSExpression(
        node: .conditional(self.predicate(predicate), self.expression(first), self.expression(second))
      )
    case .fetch(let request, let context, let countOnly):
      if let result = fetches[ObjectIdentifier(expression)] { return result }
      return NSFetchRequestExpression.expression(
        forFetch: self.expression(request),
        context: self.expression(context),
        countOnly: countOnly
      )
    }
  }

  /// A key path that begins at a variable (`$name.key`, as some libraries spell it) from the variable's value
  /// on; `nil` for others.
  private func keyPath(_ path: String) -> NSExpression? {
    guard path.utf8.first == UInt8(ascii: "$") else { return nil }
    let parts = path.dropFirst().split(separator: ".", maxSplits: 1).map(String.init)
    guard let value = parts.first.flatMap({ variables[$0] }) else { return nil }
    let start = NSExpression.expression(for: value)
    return parts.count == 2 ? message(start, arguments: [NSExpression(forKeyPath: parts[1])]) : start
  }

  /// The key path of what stands before it. Where that is a key path of the evaluated object, both are one.
  private func message(_ operand: NSExpression, arguments: [NSExpression]) -> NSExpression {
    if arguments.count == 1, case .keyPath(let path) = arguments[0].node {
      switch operand.node {
      case .evaluatedObject: return arguments[0]
      case .keyPath(let first): return NSExpression(forKeyPath: "\(first).\(path)")
      default: break
      }
    }
    let name = MessageFunction.valueForKeyPath.rawValue
    return NSExpression(node: .function(name, operand: operand, arguments: arguments))
  }
}
