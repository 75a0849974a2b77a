import Foundation

extension MacroConverter {
  fileprivate mutating func comparison(
    _ left: Any,
    type: NSComparisonPredicate.Operator,
    right: Any
  ) throws(MacroConversionError) -> ConvertedPart {
    let right = try expression(right)
    if type == .equalTo || type == .notEqualTo, case .constant(let value as Bool) = right.node {
      return .predicate(try truth(left, is: value == (type == .equalTo)))
    }
    return .predicate(CoreComparison.make(try expression(left), type: type, right: right))
  }

  /// `condition == true`; what an optional that is missing is neither.
  private mutating func truth(_ part: Any, is value: Bool) throws(MacroConversionError) -> NSPredicate {
    switch try self.part(part) {
    case .predicate(let predicate): return value ? predicate : isFalse(predicate)
    case .optionalPredicate(let wrapped, let predicate):
      let condition = value ? predicate : isFalse(predicate)
      return CoreComparison.all([CoreComparison.isPresent(wrapped), condition])
    case .expression(let expression):
      return CoreComparison.make(expression, type: .equalTo, right: NSExpression(forConstantValue: value))
    case .range: throw MacroConversionError()
    }
  }

  /// `condition == false`, which holds also where the condition is unknown to a database.
  private func isFalse(_ predicate: NSPredicate) -> NSPredicate {
    CoreComparison.make(truth(of: predicate), type: .equalTo, right: NSExpression(forConstantValue: false))
  }

  fileprivate mutating func function(_ name: String, parts: [Any]) throws(MacroConversionError) -> ConvertedPart {
    var arguments: [NSExpression] = []
    for part in parts { arguments.append(try expression(part)) }
    return .expression(NSExpression(node: .function(name, operand: nil, arguments: arguments)))
  }
}

extension PredicateExpressions.Equal: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    try converter.comparison(lhs, type: .equalTo, right: rhs)
  }
}

extension PredicateExpressions.NotEqual: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    try converter.comparison(lhs, type: .notEqualTo, right: rhs)
  }
}

extension PredicateExpressions.Comparison: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    let type: NSComparisonPredicate.Operator =
      switch op {
      case .lessThan: .lessThan
      case .lessThanOrEqual: .lessThanOrEqualTo
      case .greaterThan: .greaterThan
      case .greaterThanOrEqual: .greaterThanOrEqualTo
      @unknown default: throw MacroConversionError()
      }
    return try converter.comparison(lhs, type: type, right: rhs)
  }
}

extension PredicateExpressions.Conjunction: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    .predicate(CoreComparison.all([try converter.predicate(lhs), try converter.predicate(rhs)]))
  }
}

extension PredicateExpressions.Disjunction: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    .predicate(CoreComparison.any([try converter.predicate(lhs), try converter.predicate(rhs)]))
  }
}

extension PredicateExpressions.Negation: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    .predicate(CoreComparison.not(try converter.predicate(wrapped)))
  }
}

extension PredicateExpressions.Arithmetic: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    let name =
      switch op {
      case .add: "add:to:"
      case .subtract: "from:subtract:"
      case .multiply: "multiply:by:"
      @unknown default: throw MacroConversionError()
      }
    return try converter.function(name, parts: [lhs, rhs])
  }
}

extension PredicateExpressions.FloatDivision: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    try converter.function("divide:by:", parts: [lhs, rhs])
  }
}

extension PredicateExpressions.IntDivision: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    try converter.function("divide:by:", parts: [lhs, rhs])
  }
}

extension PredicateExpressions.IntRemainder: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    try converter.function("modulus:by:", parts: [lhs, rhs])
  }
}

extension PredicateExpressions.UnaryMinus: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    let zero = NSExpression(forConstantValue: 0)
    let arguments = [zero, try converter.expression(wrapped)]
    return .expression(NSExpression(node: .function("from:subtract:", operand: nil, arguments: arguments)))
  }
}
