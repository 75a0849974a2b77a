import Foundation

/// Turns calls of the predefined functions into closures.
enum FunctionCompiler {
  static func value(_ name: String, arguments: [NSExpression]) throws -> ValueClosure {
    let values = try arguments.map(ExpressionCompiler.value)
    if let aggregate = aggregates[name] {
      return { try aggregate(collected(values, scope: $0)) }
    }
    if values.count == 2, let operation = pairs[name] {
      let (first, second) = (values[0], values[1])
      return { scope in
        guard let a = try number(first(scope), function: name),
          let b = try number(second(scope), function: name)
        else { return .null }
        return try operation(a, b).map { .number($0) } ?? .null
      }
    }
    if values.count == 1, let operation = singles[name] {
      let argument = values[0]
      return { scope in
        guard let number = try number(argument(scope), function: name) else { return .null }
        return .number(try operation(number))
      }
    }
    if values.count == 1, let operation = TextFunction(rawValue: name) {
      let argument = values[0]
      return { try operation.apply(to: argument($0)) }
    }
    switch (name, values.count) {
    case ("now", 0): return { _ in .date(Date().timeIntervalSinceReferenceDate) }
    case ("random", 0): return { _ in .number(.integer(.random(in: 0...Int64(Int32.max)))) }
    case ("noindex:", 1): return values[0]
    case (PredicateFunction.subscriptName, 2): return subscripted(values[0], index: values[1])
    case (PredicateFunction.castName, 2): return try cast(values[0], type: arguments[1])
    default: throw PredicateEvaluationError("There is no function \(name) with \(values.count) arguments")
    }
  }

  /// The result of a function of one or two numbers.
  static func number(_ name: String, numbers: [NumberValue]) throws -> NumberValue? {
    if numbers.count == 1, let operation = singles[name] { return try operation(numbers[0]) }
    if numbers.count == 2, let operation = pairs[name] { return try operation(numbers[0], numbers[1]) }
    throw PredicateEvaluationError("\(name) is not a function of \(numbers.count) numbers")
  }

  // MARK: - Arguments

  /// The values of an aggregate function: the elements of its one argument, or its arguments.
  private static func collected(
    _ arguments: [ValueClosure],
    scope: borrowing EvaluationScope
  ) throws -> [EvaluatedValue] {
    if arguments.count == 1, let only = arguments.first {
      let value = try only(scope)
      if let elements = value.elements { return elements.map(EvaluatedValue.init) }
      return value.isNull ? [] : [value]
    }
    var values: [EvaluatedValue] = []
    for argument in arguments { values.append(try argument(scope)) }
    return values
  }

  /// The number; `nil` for null.
  private static func number(_ value: EvaluatedValue, function: String) throws -> NumberValue? {
    switch value {
    case .null: return nil
    case .number(let number): return number
    // Dates are numbers of seconds here, so that a date can be moved and two dates can be subtracted.
    case .date(let seconds): return .double(seconds)
    default: throw PredicateEvaluationError("\(function) needs a number, not a value that is \(value.typeName)")
    }
  }

  private static func integer(_ number: NumberValue) throws -> Int64 {
    guard let integer = number.truncated else {
      throw PredicateEvaluationError("\(number.any) does not fit the 64 bits of a bitwise function")
    }
    return Int64(integer)
  }

  // MARK: - The functions

  private typealias Aggregate = @Sendable ([EvaluatedValue]) throws -> EvaluatedValue
  private typealias Pair = @Sendable (NumberValue, NumberValue) throws -> NumberValue?
  private typealias Single = @Sendable (NumberValue) throws -> NumberValue

  private static let aggregates: [String: Aggregate] = [
    "sum:": { try AggregateFunction.sum($0) },
    "count:": { .number(.integer(Int64($0.count))) },
    "min:": { try AggregateFunction.extreme($0, direction: .orderedAscending) },
    "max:": { try AggregateFunction.extreme($0, direction: .orderedDescending) },
    "average:": { try AggregateFunction.average($0) },
    "median:": { try AggregateFunction.median($0) },
    "mode:": { try AggregateFunction.mode($0) },
    "stddev:": { try AggregateFunction.standardDeviation($0) },
    "distinct:": { .object(AggregateFunction.distinct($0).map(\.any)) },
  ]

  private static let pairs: [String: Pair] = [
    "add:to:": { Arithmetic.add($0, $1) },
    "from:subtract:": { Arithmetic.subtract($0, $1) },
    "multiply:by:": { Arithmetic.multiply($0, $1) },
    "divide:by:": { Arithmetic.divide($0, $1) },
    "modulus:by:": { Arithmetic.remainder($0, $1) },
    "raise:toPower:": { Arithmetic.power($0, $1) },
    "bitwiseAnd:with:": { .integer(try integer($0) & integer($1)) },
    "bitwiseOr:with:": { .integer(try integer($0) | integer($1)) },
    "bitwiseXor:with:": { .integer(try integer($0) ^ integer($1)) },
    "leftshift:by:": { .integer(try integer($0) << integer($1)) },
    "rightshift:by:": { .integer(try integer($0) >> integer($1)) },
  ]

  private static let singles: [String: Single] = [
    "sqrt:": { .double($0.double.squareRoot()) },
    "log:": { .double(log10($0.double)) },
    "ln:": { .double(log($0.double)) },
    "exp:": { .double(exp($0.double)) },
    "floor:": { rounded($0, rule: .down) },
    "ceiling:": { rounded($0, rule: .up) },
    "trunc:": { rounded($0, rule: .towardZero) },
    "abs:": { absolute($0) },
    "onesComplement:": { .integer(~(try integer($0))) },
    "random:": { .integer(try randomNumber(below: $0)) },
    "randomn:": { .integer(try randomNumber(below: $0)) },
  ]

  private static func rounded(_ number: NumberValue, rule: FloatingPointRoundingRule) -> NumberValue {
    switch number {
    case .integer, .unsigned: number
    case .double(let number): .double(number.rounded(rule))
    case .decimal(let number): .decimal(Self.rounded(number, rule: rule))
    }
  }

  private static func rounded(_ number: Decimal, rule: FloatingPointRoundingRule) -> Decimal {
    var number = number
    var whole = Decimal()
    let isUp = rule == .up || (rule == .towardZero && number.isSignMinus)
    NSDecimalRound(&whole, &number, 0, isUp ? .up : .down)
    return whole
  }

  private static func absolute(_ number: NumberValue) -> NumberValue {
    switch number {
    case .integer(let number): NumberValue(number.magnitude)
    case .unsigned: number
    case .double(let number): .double(abs(number))
    case .decimal(let number): .decimal(abs(number))
    }
  }

  private static func randomNumber(below limit: NumberValue) throws -> Int64 {
    let limit = try integer(limit)
    guard limit > 0 else { throw PredicateEvaluationError("random: needs a number above 0, not \(limit)") }
    return .random(in: 0..<limit)
  }

  // MARK: - Subscripts and casts

  private static func subscripted(_ collection: @escaping ValueClosure, index: @escaping ValueClosure) -> ValueClosure {
    { scope in
      let index = try index(scope)
      let base = try collection(scope)
      if base.isNull { return .null }
      if case .object(let dictionary) = base, dictionary is any DictionaryValue, case .text(let key) = index {
        return try KeyPathReader(key).value(from: base)
      }
      guard let elements = base.elements else {
        throw PredicateEvaluationError("A subscript needs a collection, not a value that is \(base.typeName)")
      }
      switch index {
      case .object(let symbol as CollectionIndex):
        switch symbol {
        case .first: return EvaluatedValue(elements.first ?? nil)
        case .last: return EvaluatedValue(elements.last ?? nil)
        case .size: return .number(.integer(Int64(elements.count)))
        }
      case .number(let number):
        guard let place = number.truncated, elements.indices.contains(place) else { return .null }
        return EvaluatedValue(elements[place])
      default: throw PredicateEvaluationError("A subscript needs a number, FIRST, LAST or SIZE, not \(index.typeName)")
      }
    }
  }

  private static func cast(_ argument: @escaping ValueClosure, type: NSExpression) throws -> ValueClosure {
    guard case .constant(let name as String) = type.node, let type = CastType(rawValue: name) else {
      throw PredicateEvaluationError("CAST needs one of the types \(CastType.list)")
    }
    return { scope in
      guard let value = try argument(scope).any else { return .null }
      return EvaluatedValue(try type.converted(value))
    }
  }
}

/// Functions of one text.
private enum TextFunction: String {
  case uppercase = "uppercase:"
  case lowercase = "lowercase:"
  /// Without case and marks, as `[cd]` compares.
  case canonical = "canonical:"
  /// The number of UTF-16 codes, as `NSString` counts.
  case length = "length:"

  func apply(to value: EvaluatedValue) throws -> EvaluatedValue {
    switch value {
    case .null: return .null
    case .text(let text):
      switch self {
      case .uppercase: return .text(text.uppercased())
      case .lowercase: return .text(text.lowercased())
      case .canonical: return .text(TextOptions([.caseInsensitive, .diacriticInsensitive]).folded(text))
      case .length: return .number(.integer(Int64(text.utf16.count)))
      }
    default: throw PredicateEvaluationError("\(rawValue) needs text, not a value that is \(value.typeName)")
    }
  }
}
