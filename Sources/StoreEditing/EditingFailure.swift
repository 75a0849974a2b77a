import Foundation
import Texts

/// The reason why an edit was refused. A refused edit stages nothing.
package struct EditingFailure: Error, Hashable, Sendable {
  /// The kind of failure, which a page can compare.
  package enum Code: String, Hashable, Sendable {
    /// The store can only be read.
    case readOnlyStore
    /// There are staged changes that have not been saved.
    case unsavedChanges
    /// The object does not exist any more, or not in this session.
    case noSuchObject
    /// The property cannot be edited, or not in this way.
    case unsuitableProperty
    /// The edit would change more objects than the limit allows.
    case tooManyObjects
    /// The model does not allow the value.
    case wrongValue
    /// The model forbids the deletion.
    case forbiddenDeletion
    /// The time that was given for the edit has passed.
    case tookTooLong
    /// A save of the session has not ended yet.
    case saveInProgress
  }

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

extension EditingFailure {
  /// The refusal of edits while a save waits for another program.
  static let saveIsWaiting = EditingFailure(
    code: .saveInProgress,
    problem: "nothing can be changed while a save waits for another program that writes the store",
    remedy: "wait for the end of the save, or cancel it, and try again"
  )

  /// The refusal of decisions about conflicts while another save is under way.
  static let saveIsUnderWay = EditingFailure(
    code: .saveInProgress,
    problem: "another save is under way, and your decisions are not part of it",
    remedy: "wait for its end, and look at the conflicts again"
  )
}

extension EditingFailure: CustomStringConvertible, LocalizedError {
  /// One line with the problem and the remedy. Control characters are escaped.
  package var description: String { VisibleText(line: "\(problem); \(remedy)", atMost: 2000).description }

  /// The same line as `description`.
  package var errorDescription: String? { description }
}
