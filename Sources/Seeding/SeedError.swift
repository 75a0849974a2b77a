public import Foundation
import Texts

/// The reason that a store could not be seeded. When one is thrown, nothing of the seed was saved.
///
/// ```swift
/// do {
///   try await Seeder(source).run(in: container)
/// } catch let error as SeedError where error.code == .unknownKey {
///   print(error.position?.record ?? 0, error.problem, error.remedy)
/// }
/// ```
public struct SeedError: Error, Sendable {
  /// The kind of error. It is stable, so that a program can compare it.
  public let code: Code

  /// The step of a `SeedPlan` that failed; nil outside plans.
  public internal(set) var step: String?

  /// The position in the seed that caused the error; nil if there is no such position.
  public let position: SeedPosition?

  /// The problem, in words.
  public let problem: String

  /// The remedy, in words.
  public let remedy: String

  /// The error of Core Data or of the file system that lies beneath, if there is one.
  public let underlyingError: (any Error)?

  package init(
    code: Code,
    at position: SeedPosition? = nil,
    problem: String,
    remedy: String,
    underlying: (any Error)? = nil
  ) {
    self.code = code
    self.position = position
    self.problem = problem
    self.remedy = remedy
    self.underlyingError = underlying
  }

  /// The text can be parsed, but does not have the structure of a seed.
  static func wrongShape(at position: SeedPosition, problem: String, remedy: String) -> SeedError {
    SeedError(code: .wrongShape, at: position, problem: problem, remedy: remedy)
  }
}

extension SeedError: Hashable {
  /// Returns true if two errors have the same description, whatever their underlying errors.
  public static func == (left: SeedError, right: SeedError) -> Bool {
    (left.code, left.step, left.position, left.problem, left.remedy)
      == (right.code, right.step, right.position, right.problem, right.remedy)
  }

  /// Hashes the description.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(position)
    hasher.combine(problem)
  }
}

extension SeedError: CustomStringConvertible, LocalizedError {
  /// One line: the step of a plan, the position, the problem, the remedy. Parts that may come from the seed or the
  /// store are shortened, and their control characters are escaped as `\u{1B}`, so that the line can be shown anywhere.
  public var description: String {
    let place = (step.map { "step \"\($0)\": " } ?? "") + (position.map { "\($0): " } ?? "")
    return VisibleText(line: place + problem + "; " + remedy, atMost: 2000).description
  }

  /// The same line as `description`.
  public var errorDescription: String? { description }
}
