import Foundation

extension PredicateExpressions.Value: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    switch unwrapped(value) {
    case let range as any ConvertibleRange: range.converted
    case let raw as any RawRepresentable: .expression(NSExpression(forConstantValue: raw.rawValue))
    case let value: .expression(NSExpression(forConstantValue: value))
    }
  }
}

extension PredicateExpressions.NilLiteral: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    .expression(NSExpression(forConstantValue: nil))
  }
}

extension PredicateExpressions.Variable: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    guard let expression = converter.variables[key] else { throw MacroConversionError() }
    return .expression(expression)
  }
}

extension PredicateExpressions.KeyPath: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    let base = try converter.expression(root)
    if let kind { return try Self.common(kind, of: base, by: converter) }
    guard let name = KeyPathNames.name(of: keyPath) else { throw MacroConversionError() }
    return .expression(converter.key(name, of: base))
  }

  private static func common(
    _ kind: CommonKeyPathKind,
    of base: NSExpression,
    by converter: MacroConverter
  ) throws(MacroConversionError) -> ConvertedPart {
    if Root.Output.self == String.self {
      // The format language can neither count nor extract a text's characters.
      guard case .collectionIsEmpty = kind else { throw MacroConversionError() }
      return .predicate(CoreComparison.make(base, type: .equalTo, right: NSExpression(forConstantValue: "")))
    }
    let count = converter.key("@count", of: base)
    switch kind {
    case .collectionCount: return .expression(count)
    case .collectionIsEmpty:
      return .predicate(CoreComparison.make(count, type: .equalTo, right: NSExpression(forConstantValue: 0)))
    case .collectionFirst: return .expression(element(.first, of: base))
    case .bidirectionalCollectionLast: return .expression(element(.last, of: base))
    @unknown default: throw MacroConversionError()
    }
  }

  private static func element(_ index: CollectionIndex, of base: NSExpression) -> NSExpression {
    let arguments = [base, NSExpression(forConstantValue: index)]
    return NSExpression(node: .function(PredicateFunction.subscriptName, operand: nil, arguments: arguments))
  }
}

extension PredicateExpressions.ForcedUnwrap: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    try converter.part(inner)
  }
}

extension PredicateExpressions.OptionalFlatMap: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    let value = try converter.expression(wrapped)
    converter.variables[variable.key] = value
    switch try converter.part(transform) {
    // The value of a key path through null is null anyway.
    case .expression(let expression): return .expression(expression)
    case .predicate(let predicate), .optionalPredicate(_, let predicate):
      return .optionalPredicate(value: value, predicate)
    case .range: throw MacroConversionError()
    }
  }
}

extension PredicateExpressions.NilCoalesce: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    switch try converter.part(lhs) {
    case .optionalPredicate(let value, let predicate):
      let isPresent = CoreComparison.isPresent(value)
      let absent = CoreComparison.all([CoreComparison.not(isPresent), try converter.predicate(rhs)])
      return .predicate(CoreComparison.any([CoreComparison.all([isPresent, predicate]), absent]))
    case .expression(let expression):
      return .expression(
        NSExpression(
          forConditional: CoreComparison.isPresent(expression),
          trueExpression: expression,
          falseExpression: try converter.expression(rhs)
        )
      )
    case .predicate(let predicate): return .predicate(predicate)
    case .range: throw MacroConversionError()
    }
  }
}

extension PredicateExpressions.Conditional: MacroPart {
  func converted(by converter: inout MacroConverter) throws(MacroConversionError) -> ConvertedPart {
    let condition = try converter.predicate(test)
    let parts = (try converter.part(trueBranch), try converter.part(falseBranch))
    if case (.predicate(let first), .predicate(let second)) = parts {
      // Not as an OR: where the condition is unknown, to a database, neither side of it would hold.
      let choice = NSExpression(
        forConditional: condition,
        trueExpression: converter.truth(of: first),
        falseExpression: converter.truth(of: second)
      )
      return .predicate(CoreComparison.make(choice, type: .equalTo, right: NSExpression(forConstantValue: true)))
    }
    return .expression(
      NSExpression(
        forConditional: condition,
        trueExpression: try converter.expression(trueBranch),
        falseExpression: try converter.expression(falseBranch)
      )
    )
  }
}

/// `1...5` or `1..<5` that was captured as a value.
private protocol ConvertibleRange {
  var converted: ConvertedPart { get }
}

extension ClosedRange: ConvertibleRange {
  fileprivate var converted: ConvertedPart {
    .range(
      lower: NSExpression(forConstantValue: lowerBound),
      upper: NSExpression(forConstantValue: upperBound),
      isClosed: true
    )
  }
}

extension Range: ConvertibleRange {
  fileprivate var converted: ConvertedPart {
    .range(
      lower: NSExpression(forConstantValue: lowerBound),
      upper: NSExpression(forConstantValue: upperBound),
      isClosed: false
    )
  }
}
