public import Foundation

/// Some work asked its stores more often than ``expectStatements(atMost:in:fileID:line:_:)`` allows.
public struct StatementCountError: LocalizedError, CustomStringConvertible, Sendable {
  /// The most statements that were expected.
  public let limit: Int
  /// The number of statements.
  public let count: Int
  /// The first 1,000 statements, such as `fault of Category, 1 row`.
  public let statements: [String]
  /// The place of the expectation, as `file:line`.
  let place: String

  /// The count, the limit, and a line for each statement.
  public var description: String {
    let head = "\(place): \(count) statements, and at most \(limit) \(limit == 1 ? "is" : "are") expected:"
    let lines = statements.enumerated().map { "  \($0 + 1). \($1)" }
    let more = count - statements.count
    return ([head] + lines + (more > 0 ? ["  and \(more) more"] : [])).joined(separator: "\n")
  }

  /// The description.
  public var errorDescription: String? { description }
}
