import Foundation

extension MacroConverter {
  fileprivate func count(_ subquery: NSExpression, type: NSComparisonPredicate.Operator) -> ConvertedPart {
    .predicate(CoreComparison.make(key("@count", of: subquery), type: type, right: NSExpression(forConstantValue: 0)))
  }

  fileprivate mutating func extreme(_ name: String, elements: Any) throws(MacroConversionError) -> ConvertedPart {
    let arguments = [try expression(elements)]
    return .expression(NSExpression(node: .function(name, operand: nil, arguments: arguments)))
  }
}

extension PredicateExpressions.SequenceContains: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    // In the format language, the characters of a text are not elements of a collection.
    if LHS.Output.self == String.self { throw MacroConversionError() }
    let element = try converter.expression(element)
    switch try converter.part(sequence) {
    case .expression(let sequence): return .predicate(CoreComparison.make(element, type: .in, right: sequence))
    case .range(let lower, let upper, let isClosed):
      return .predicate(RangeTest.predicate(element, lower: lower, upper: upper, isClosed: isClosed))
    case .predicate, .optionalPredicate: throw MacroConversionError()
    }
  }
}

extension PredicateExpressions.RangeExpressionContains: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    let element = try converter.expression(element)
    guard case .range(let lower, let upper, let isClosed) = try converter.part(range) else {
      throw MacroConversionError()
    }
    return .predicate(RangeTest.predicate(element, lower: lower, upper: upper, isClosed: isClosed))
  }
}

extension PredicateExpressions.ClosedRange: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    .range(lower: try converter.expression(lower), upper: try converter.expression(upper), isClosed: true)
  }
}

extension PredicateExpressions.Range: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    .range(lower: try converter.expression(lower), upper: try converter.expression(upper), isClosed: false)
  }
}

extension PredicateExpressions.SequenceContainsWhere: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    converter.count(try converter.subquery(sequence, variable: variable.key, body: test), type: .greaterThan)
  }
}

extension PredicateExpressions.SequenceAllSatisfy: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    converter.count(
      try converter.subquery(sequence, variable: variable.key, body: test, isNegated: true),
      type: .equalTo
    )
  }
}

extension PredicateExpressions.Filter: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    .expression(try converter.subquery(sequence, variable: variable.key, body: filter))
  }
}

extension PredicateExpressions.SequenceMaximum: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    try converter.extreme("max:", elements: elements)
  }
}

extension PredicateExpressions.SequenceMinimum: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    try converter.extreme("min:", elements: elements)
  }
}

extension PredicateExpressions.CollectionContainsCollection: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    // Only of texts; the format language finds no list in a list.
    guard Base.Output.self == String.self else { throw MacroConversionError() }
    let sides = (try converter.expression(base), try converter.expression(other))
    return .predicate(CoreComparison.make(sides.0, type: .contains, right: sides.1))
  }
}

extension PredicateExpressions.SequenceStartsWith: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    guard Base.Output.self == String.self else { throw MacroConversionError() }
    let sides = (try converter.expression(base), try converter.expression(prefix))
    return .predicate(CoreComparison.make(sides.0, type: .beginsWith, right: sides.1))
  }
}

extension PredicateExpressions.DictionaryKeySubscript: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    let arguments = [try converter.expression(wrapped), try converter.expression(key)]
    return .expression(
      NSExpression(node: .function(PredicateFunction.subscriptName, operand: nil, arguments: arguments))
    )
  }
}

extension PredicateExpressions.CollectionIndexSubscript: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    let arguments = [try converter.expression(wrapped), try converter.expression(index)]
    return .expression(
      NSExpression(node: .function(PredicateFunction.subscriptName, operand: nil, arguments: arguments))
    )
  }
}

private enum RangeTest {
  static func predicate(
    _ element: NSExpression,
    lower: NSExpression,
    upper: NSExpression,
    isClosed: Bool
  ) -> NSPredicate {
    if isClosed {
      return CoreComparison.make(element, type: .between, right: NSExpression(node: .aggregate([lower, upper])))
    }
    return CoreComparison.all([
      CoreComparison.make(element, type: .greaterThanOrEqualTo, right: lower),
      CoreComparison.make(element, type: .lessThan, right: upper),
    ])
  }
}
