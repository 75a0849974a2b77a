public import Foundation

/// Why a predicate format could not be read.
public struct PredicateFormatError: LocalizedError, Hashable, Sendable {
  /// What is wrong, such as `"==" has nothing on its right side`.
  public let message: String
  /// Where it is wrong: the number of characters in front of it.
  public let position: Int
  /// The format that was read.
  public let format: String
  /// What would have been right there, such as `an expression`; empty when that cannot be said.
  public let expected: String

  /// Makes an error.
  public init(message: String, position: Int, format: String, expected: String = "") {
    self.message = message
    self.position = position
    self.format = format
    self.expected = expected
  }

  /// The message with position, expectation and format, in one line.
  public var errorDescription: String? { description }
}

extension PredicateFormatError: CustomStringConvertible {
  public var description: String {
    let expectation = expected.isEmpty ? "" : ", expected \(expected)"
    return "\(message) at position \(position)\(expectation), in the predicate format: \(format)"
  }
}
