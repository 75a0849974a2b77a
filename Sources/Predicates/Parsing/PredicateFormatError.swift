public import Foundation

/// The reason that a predicate format could not be read.
///
/// ```swift
/// do {
///   _ = try NSPredicate(parsing: typed)
/// } catch {
///   print("\(typed.prefix(error.position))⚠️", error.localizedDescription)
/// }
/// ```
public struct PredicateFormatError: LocalizedError, Hashable, Sendable {
  /// The fields are in a separate object, because every level of the parser's recursion reserves
  /// stack memory for an error.
  private final class Storage: Hashable, Sendable {
    let message: String
    let position: Int
    let format: String
    let expected: String
    let offset: Int

    init(message: String, position: Int, format: String, expected: String, offset: Int) {
      self.message = message
      self.position = position
      self.offset = offset
      self.format = format
      self.expected = expected
    }

    static func == (first: Storage, second: Storage) -> Bool {
      first.message == second.message && first.position == second.position
        && first.format == second.format && first.expected == second.expected
    }

    func hash(into hasher: inout Hasher) {
      hasher.combine(message)
      hasher.combine(position)
    }
  }

  private let storage: Storage

  /// The problem in words, such as `The format ends too early`.
  public var message: String { storage.message }

  /// The position of the fault: the number of characters in front of it.
  ///
  /// ```swift
  /// do {
  ///   let predicate = try NSPredicate(parsing: "rating > AND isPinned == YES")
  ///   print(predicate)
  /// } catch {
  ///   print(error.message, "at", error.position)
  /// }
  /// ```
  public var position: Int { storage.position }

  /// The position of the fault as a number of bytes in UTF-8, as the lexer counts.
  package var offset: Int { storage.offset }

  /// The format that was read.
  public var format: String { storage.format }

  /// The kind of text that would have been right there, such as `an expression`; empty when that cannot be said.
  public var expected: String { storage.expected }

  /// Makes an error.
  public init(message: String, position: Int, format: String, expected: String = "") {
    let index = format.index(format.startIndex, offsetBy: max(0, position), limitedBy: format.endIndex)
    storage = Storage(
      message: message,
      position: position,
      format: format,
      expected: expected,
      offset: format.utf8.distance(from: format.startIndex, to: index ?? format.endIndex)
    )
  }

  /// Makes an error at a byte of a format that begins a token.
  init(message: String, offset: Int, format: String, expected: String) {
    let index = format.utf8.index(format.startIndex, offsetBy: offset)
    storage = Storage(
      message: message,
      position: format.distance(from: format.startIndex, to: index),
      format: format,
      expected: expected,
      offset: offset
    )
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
