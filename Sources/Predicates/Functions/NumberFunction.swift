/// A single predefined function of one or two numbers, for stores that call it for each row.
package struct NumberFunction: Sendable {
  /// The name with its colons.
  package let name: String
  /// One or two.
  package let argumentCount: Int

  /// The functions that SQL has no operator for with the same results.
  package static let all: [NumberFunction] = {
    let singles = [
      "sqrt:", "log:", "ln:", "exp:", "floor:", "ceiling:", "trunc:", "abs:", "onesComplement:",
    ]
    let pairs = [
      "modulus:by:", "raise:toPower:", "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:",
      "leftshift:by:", "rightshift:by:",
    ]
    return singles.map { NumberFunction(name: $0, argumentCount: 1) }
      + pairs.map { NumberFunction(name: $0, argumentCount: 2) }
  }()

  /// The function of a name; `nil` for any other.
  package static func named(_ name: String) -> NumberFunction? {
    all.first { $0.name == name }
  }

  /// The result; `nil` for none, as of a division by zero.
  ///
  /// - Throws: `PredicateEvaluationError` for a number that the function does not take.
  package func callAsFunction(_ numbers: [NumberValue]) throws -> NumberValue? {
    try FunctionCompiler.number(name, numbers: numbers)
  }
}
