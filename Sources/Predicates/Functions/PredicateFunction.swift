import Foundation

/// The predefined functions of expressions, by the names of Apple's documentation of
/// `NSExpression.init(forFunction:arguments:)`, and the two that the format language writes in its own way.
package struct PredicateFunction: Sendable {
  /// The number of arguments that a function takes.
  enum Arity: Sendable {
    case exactly(Int)
    case atLeast(Int)

    func accepts(_ count: Int) -> Bool {
      switch self {
      case .exactly(let number): count == number
      case .atLeast(let number): count >= number
      }
    }
  }

  /// A name that no function has, or a wrong number of arguments.
  struct UnknownFunction: Error {
    let message: String
    let expected: String
  }

  /// The name with its colons.
  package let name: String
  let arity: Arity

  /// `tags[FIRST]`
  package static let subscriptName = "objectFrom:withIndex:"
  /// `CAST(value, "NSDate")`
  package static let castName = "castObject:toType:"

  /// Finds a function by name, without regard to case; the colon of a single argument may be left
  /// out, as in `sum(prices)`.
  static func named(_ name: String, argumentCount: Int) throws(UnknownFunction) -> PredicateFunction {
    let key = name.hasSuffix(":") ? String(name.dropLast()) : name
    guard let candidates = byKey[key.lowercased()] else {
      throw UnknownFunction(
        message: "There is no function named \(name)",
        expected: "one of \(all.map(\.name).joined(separator: " "))"
      )
    }
    if let match = candidates.first(where: { $0.arity.accepts(argumentCount) }) { return match }
    let counts = candidates.map { candidate in
      switch candidate.arity {
      case .exactly(let number): "\(number)"
      case .atLeast(let number): "at least \(number)"
      }
    }
    throw UnknownFunction(
      message: "The function \(name) has \(argumentCount) arguments",
      expected: counts.joined(separator: " or ")
    )
  }

  private static let byKey: [String: [PredicateFunction]] = Dictionary(grouping: all) { function in
    (function.name.hasSuffix(":") ? String(function.name.dropLast()) : function.name).lowercased()
  }

  package static let all: [PredicateFunction] = {
    let aggregates = ["sum:", "count:", "min:", "max:", "average:", "median:", "mode:", "stddev:"]
    let pairs = [
      "add:to:", "from:subtract:", "multiply:by:", "divide:by:", "modulus:by:", "raise:toPower:",
      "bitwiseAnd:with:", "bitwiseOr:with:", "bitwiseXor:with:", "leftshift:by:", "rightshift:by:",
      subscriptName, castName,
    ]
    let singles = [
      "sqrt:", "log:", "ln:", "exp:", "floor:", "ceiling:", "abs:", "trunc:", "onesComplement:",
      "uppercase:", "lowercase:", "canonical:", "length:", "distinct:", "noindex:", "random:", "randomn:",
    ]
    let constants = ["now", "random"]
    return aggregates.map { PredicateFunction(name: $0, arity: .atLeast(1)) }
      + pairs.map { PredicateFunction(name: $0, arity: .exactly(2)) }
      + singles.map { PredicateFunction(name: $0, arity: .exactly(1)) }
      + constants.map { PredicateFunction(name: $0, arity: .exactly(0)) }
  }()
}
