public import Foundation

extension PredicateFactory where Self: NSPredicate {
  /// Converts a predicate that the `#Predicate` macro made.
  ///
  /// ```swift
  /// let isShort = #Predicate<Note> { $0.isPinned && !$0.title.contains("draft") }
  /// guard let predicate = NSPredicate(isShort) else { fatalError("this has no format") }
  /// print(predicate)  // isPinned == 1 AND NOT title CONTAINS "draft"
  /// ```
  ///
  /// Key paths become names, as `AnyKeyPath._kvcKeyPathString` finds them; `contains(where:)`,
  /// `allSatisfy(_:)` and `filter(_:)` become `SUBQUERY`; a condition on an optional becomes false,
  /// or what `??` says, where there is no value.
  ///
  /// - Returns: `nil` when an operation has no counterpart in the format language, such as a cast to another type or
  ///   the number of characters of a text, or when a key path's names cannot be found.
  public init?<Input>(_ predicate: Foundation.Predicate<Input>) {
    var converter = MacroConverter()
    converter.variables[predicate.variable.key] = .expressionForEvaluatedObject()
    do throws(MacroConversionError) {
      guard let own = try converter.predicate(predicate.expression) as? Self else { return nil }
      self = own
    } catch {
      return nil
    }
  }
}

/// The error for a part of a macro's predicate that has no counterpart in the format language.
struct MacroConversionError: Error {}

/// The result of converting a part of a macro's predicate.
enum ConvertedPart {
  case expression(NSExpression)
  case predicate(NSPredicate)
  /// A predicate over an optional's value, which counts only where there is one.
  case optionalPredicate(value: NSExpression, NSPredicate)
  /// `lower..<upper` or `lower...upper`
  case range(lower: NSExpression, upper: NSExpression, isClosed: Bool)
}

/// A part of a macro's predicate that can be converted.
protocol MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart
}

/// Turns the tree of a macro's predicate into one of the format language.
struct MacroConverter {
  /// The expressions for the variables of closures.
  var variables: [PredicateExpressions.VariableID: NSExpression] = [:]
  private var elementCount = 0
  private var depth = 0

  /// Converts a part.
  mutating func part(_ part: Any) throws(MacroConversionError) -> ConvertedPart {
    guard let part = part as? any MacroPart, depth < TreeHeight.greatest else { throw MacroConversionError() }
    depth += 1
    defer { depth -= 1 }
    return try part.converted(by: &self)
  }

  /// Converts a part that is to be a predicate; a Boolean value is compared with true.
  mutating func predicate(_ part: Any) throws(MacroConversionError) -> NSPredicate {
    switch try self.part(part) {
    case .predicate(let predicate): return predicate
    case .optionalPredicate(let value, let predicate):
      return CoreComparison.all([CoreComparison.isPresent(value), predicate])
    case .expression(let expression):
      if case .constant(let value as Bool) = expression.node { return ConstantPredicate(value: value) }
      return CoreComparison.make(expression, type: .equalTo, right: NSExpression(forConstantValue: true))
    case .range: throw MacroConversionError()
    }
  }

  /// Converts a part that is to be a value; a predicate becomes true or false.
  mutating func expression(_ part: Any) throws(MacroConversionError) -> NSExpression {
    switch try self.part(part) {
    case .expression(let expression): return expression
    case .predicate(let predicate): return truth(of: predicate)
    case .optionalPredicate(let value, let predicate):
      return NSExpression(
        forConditional: CoreComparison.isPresent(value),
        trueExpression: truth(of: predicate),
        falseExpression: NSExpression(forConstantValue: nil)
      )
    case .range: throw MacroConversionError()
    }
  }

  /// Converts a closure's body over the elements of a collection.
  mutating func subquery(
    _ collection: Any,
    variable: PredicateExpressions.VariableID,
    body: Any,
    isNegated: Bool = false
  ) throws(MacroConversionError) -> NSExpression {
    let collection = try expression(collection)
    elementCount += 1
    let name = "element\(elementCount)"
    variables[variable] = NSExpression(forVariable: name)
    let condition = try predicate(body)
    return NSExpression(
      forSubquery: collection,
      usingIteratorVariable: name,
      predicate: isNegated ? CoreComparison.not(condition) : condition
    )
  }

  /// `expression.key`
  func key(_ key: String, of expression: NSExpression) -> NSExpression {
    switch expression.node {
    case .evaluatedObject: return NSExpression(forKeyPath: key)
    case .keyPath(let path): return NSExpression(forKeyPath: "\(path).\(key)")
    case .function("valueForKeyPath:", let operand?, let arguments):
      guard case .keyPath(let path)? = arguments.first?.node else { break }
      return Self.message(operand, path: "\(path).\(key)")
    default: break
    }
    return Self.message(expression, path: key)
  }

  private static func message(_ operand: NSExpression, path: String) -> NSExpression {
    NSExpression(node: .function("valueForKeyPath:", operand: operand, arguments: [NSExpression(forKeyPath: path)]))
  }

  /// The expression that is true where a predicate holds, and else false.
  func truth(of predicate: NSPredicate) -> NSExpression {
    NSExpression(
      forConditional: predicate,
      trueExpression: NSExpression(forConstantValue: true),
      falseExpression: NSExpression(forConstantValue: false)
    )
  }
}

/// The predicates from which conversions are built.
enum CoreComparison {
  static func make(_ left: NSExpression, type: NSComparisonPredicate.Operator, right: NSExpression) -> NSPredicate {
    NSComparisonPredicate(leftExpression: left, rightExpression: right, modifier: .direct, type: type)
  }

  static func isPresent(_ value: NSExpression) -> NSPredicate {
    make(value, type: .notEqualTo, right: NSExpression(forConstantValue: nil))
  }

  static func all(_ parts: [NSPredicate]) -> NSPredicate { CompoundPredicate(type: .and, subpredicates: parts) }

  static func any(_ parts: [NSPredicate]) -> NSPredicate { CompoundPredicate(type: .or, subpredicates: parts) }

  static func not(_ part: NSPredicate) -> NSPredicate { CompoundPredicate(type: .not, subpredicates: [part]) }
}
