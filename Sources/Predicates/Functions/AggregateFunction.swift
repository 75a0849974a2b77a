import Foundation

/// Functions over many values; nulls do not count.
enum AggregateFunction {
  /// The sum, 0 of none.
  static func sum(_ values: [EvaluatedValue]) throws -> EvaluatedValue {
    .number(sum(try numbers(values)))
  }

  /// The mean, null of none.
  static func average(_ values: [EvaluatedValue]) throws -> EvaluatedValue {
    let numbers = try numbers(values)
    if numbers.isEmpty { return .null }
    let sum = sum(numbers)
    if case .decimal = sum {
      return Arithmetic.divide(sum, .integer(Int64(numbers.count))).map { .number($0) } ?? .null
    }
    return .number(.double(sum.double / Double(numbers.count)))
  }

  /// The sum of numbers, 0 for no numbers. Whole numbers are added without a loss, in any order. A
  /// sum that does not fit 64 bits is a floating-point number, as in all of ``Arithmetic``.
  private static func sum(_ numbers: [NumberValue]) -> NumberValue {
    var whole = WholeSum()
    var rest: NumberValue?
    if let decimals = decimals(numbers) { return decimals }
    for number in numbers {
      guard case .integer(let integer) = number else {
        rest = rest.map { Arithmetic.add($0, number) } ?? number
        continue
      }
      whole.add(integer)
    }
    return rest.map { Arithmetic.add(whole.total, $0) } ?? whole.total
  }

  /// The sum of decimal numbers; `nil` where there are others, or the sum has too many digits.
  private static func decimals(_ numbers: [NumberValue]) -> NumberValue? {
    var sum = DecimalSum()
    for number in numbers {
      guard case .decimal(let decimal) = number else { return nil }
      sum.add(decimal)
    }
    return sum.count == 0 ? nil : sum.total.map { .decimal($0) }
  }

  /// The value that comes before all others in the given direction, null of none.
  static func extreme(_ values: [EvaluatedValue], direction: ComparisonResult) throws -> EvaluatedValue {
    var best = EvaluatedValue.null
    for value in values where !value.isNull {
      guard !best.isNull else {
        best = value
        continue
      }
      guard let order = value.compare(best) ?? bytesOrder(value, other: best) else {
        if case (.number, .number) = (value, best) { continue }
        throw PredicateEvaluationError("Values that are \(value.typeName) and \(best.typeName) have no order")
      }
      if order == direction { best = value }
    }
    return best
  }

  /// The order of data by their bytes, as in a database, where one of many is wanted; `nil` for other values.
  private static func bytesOrder(_ value: EvaluatedValue, other: EvaluatedValue) -> ComparisonResult? {
    guard case .object(let a as Data) = value, case .object(let b as Data) = other else { return nil }
    if a == b { return .orderedSame }
    return a.lexicographicallyPrecedes(b) ? .orderedAscending : .orderedDescending
  }

  /// The middle value, or the mean of the two in the middle; null of none.
  static func median(_ values: [EvaluatedValue]) throws -> EvaluatedValue {
    let sorted = try numbers(values).map(\.double).sorted()
    if sorted.isEmpty { return .null }
    let middle = sorted.count / 2
    if sorted.count.isMultiple(of: 2) { return .number(.double((sorted[middle - 1] + sorted[middle]) / 2)) }
    return .number(.double(sorted[middle]))
  }

  /// The values that occur most often, in the order of their first occurrence.
  static func mode(_ values: [EvaluatedValue]) throws -> EvaluatedValue {
    let keys = try numbers(values).map { ValueKey(EvaluatedValue.number($0)) }
    let counts = Dictionary(keys.map { ($0, 1) }, uniquingKeysWith: +)
    let greatest = counts.values.max() ?? 0
    let modes = distinct(keys.filter { counts[$0] == greatest }.map(\.value))
    return .object(modes.map(\.any))
  }

  /// The standard deviation of a population, null of none.
  static func standardDeviation(_ values: [EvaluatedValue]) throws -> EvaluatedValue {
    let numbers = try numbers(values).map(\.double)
    if numbers.isEmpty { return .null }
    let mean = numbers.reduce(0, +) / Double(numbers.count)
    let squares = numbers.map { ($0 - mean) * ($0 - mean) }
    return .number(.double((squares.reduce(0, +) / Double(numbers.count)).squareRoot()))
  }

  /// Each value once, in the order of the first occurrence.
  static func distinct(_ values: [EvaluatedValue]) -> [EvaluatedValue] {
    var seen = Set<ValueKey>()
    return values.filter { seen.insert(ValueKey($0)).inserted }
  }

  private static func numbers(_ values: [EvaluatedValue]) throws -> [NumberValue] {
    try values.compactMap { value in
      switch value {
      case .null: return nil
      case .number(let number): return number
      default: throw PredicateEvaluationError("A value that is \(value.typeName) stands where a number is needed")
      }
    }
  }
}
