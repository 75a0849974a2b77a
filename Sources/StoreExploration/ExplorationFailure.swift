public import Foundation
import Texts

/// The reason that a question about a store could not be answered.
public struct ExplorationFailure: Error, Hashable, Sendable {
  /// The kind of failure, by which a program can tell failures apart.
  public enum Code: String, Hashable, Sendable, CaseIterable {
    /// The model has no entity or property of the name.
    case unknownName
    /// A predicate does not parse, or does not fit to the model.
    case wrongPredicate
    /// The property is of a kind that the question cannot be asked of.
    case unsuitableProperty
    /// The store cannot answer a question of this kind.
    case unsuitableStore
    /// The store keeps no history.
    case noHistory
    /// The time that was given for the answer has passed.
    case tookTooLong
    /// The object is not in the store.
    case noSuchObject
    /// Two stores cannot be compared.
    case incomparable
    /// The answer would take more memory than there is for one.
    case tooLarge
  }

  /// The kind of failure.
  public let code: Code
  /// The problem, in words.
  public let problem: String
  /// What can be done about it, in words.
  public let remedy: String

  package init(code: Code, problem: String, remedy: String) {
    self.code = code
    self.problem = problem
    self.remedy = remedy
  }
}

extension ExplorationFailure: CustomStringConvertible, LocalizedError {
  /// One line with the problem and the remedy. Control characters, which names and values of a store
  /// may have, are spelled.
  public var description: String { VisibleText(line: "\(problem); \(remedy)", atMost: 2000).description }

  /// The same line as `description`.
  public var errorDescription: String? { description }
}
