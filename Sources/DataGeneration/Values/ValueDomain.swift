/// The values that an attribute may have, numbered from 0.
struct ValueDomain: Sendable {
  /// The number of values; as many as fit where they are not counted.
  let size: UInt64

  /// True if different numbers have different values.
  var isDistinct = true

  let generate: @Sendable (UInt64) -> GeneratedValue

  /// Values from a random sequence, unordered and possibly repeated.
  static func random(_ generate: @escaping @Sendable (inout RandomNumbers) -> GeneratedValue) -> ValueDomain {
    ValueDomain(size: .max, isDistinct: false) { number in
      var random = RandomNumbers(number)
      return generate(&random)
    }
  }

  static func choice(_ values: [GeneratedValue]) -> ValueDomain {
    ValueDomain(size: UInt64(values.count)) { values[Int($0)] }
  }

  static func integers(_ range: ClosedRange<Int64>) -> ValueDomain {
    let count = UInt64(bitPattern: range.upperBound &- range.lowerBound)
    return ValueDomain(size: count == .max ? .max : count + 1) { number in
      .integer(range.lowerBound &+ Int64(bitPattern: number))
    }
  }

  func callAsFunction(_ number: UInt64) -> GeneratedValue { generate(number) }
}

extension UInt64 {
  /// The product, or the largest number if the product overflows.
  func saturatingProduct(_ other: UInt64) -> UInt64 {
    let (product, isOver) = multipliedReportingOverflow(by: other)
    return isOver ? .max : product
  }

  func saturatingSum(_ other: UInt64) -> UInt64 {
    let (sum, isOver) = addingReportingOverflow(other)
    return isOver ? .max : sum
  }
}

/// A generated value, as a seed spells it.
enum GeneratedValue: Hashable, Sendable {
  case null
  case bool(Bool)
  case integer(Int64)
  case real(Double)
  case text(String)
  case list([GeneratedValue])
  case fields([Field])

  struct Field: Hashable, Sendable {
    let key: String
    let value: GeneratedValue
  }
}
