import Foundation
import Texts

/// The reason why a question about a store has no answer.
package struct ExplorationFailure: Error, Hashable, Sendable {
  /// The kind of failure, which a program can compare.
  package enum Code: String, Hashable, Sendable, CaseIterable {
    /// The model does not have an entity or property with the name.
    case unknownName
    /// A predicate does not parse, or does not fit the model.
    case wrongPredicate
    /// The question does not apply to this kind of property.
    case unsuitableProperty
    /// The store does not track history.
    case noHistory
    /// The time that was given for the answer has passed.
    case tookTooLong
    /// The object is not in the store.
    case noSuchObject
    /// Two stores cannot be compared.
    case incomparable
    /// The answer would exceed its memory limit.
    case tooLarge
  }

  /// The kind of failure.
  package let code: Code
  /// The text of the problem.
  package let problem: String
  /// The text that suggests a solution.
  package let remedy: String

  package init(code: Code, problem: String, remedy: String) {
    self.code = code
    self.problem = problem
    self.remedy = remedy
  }
}

extension ExplorationFailure: CustomStringConvertible, LocalizedError {
  /// One line with the problem and the remedy. Control characters in names and values of a store are escaped.
  package var description: String { VisibleText(line: "\(problem); \(remedy)", atMost: 2000).description }

  /// The same line as `description`.
  package var errorDescription: String? { description }
}
