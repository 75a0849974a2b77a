import Foundation
import Texts

/// The reason that an edit was refused. Nothing was staged by it.
package struct EditingFailure: Error, Hashable, Sendable {
  /// The kind of failure, by which a page can tell failures apart.
  package enum Code: String, Hashable, Sendable {
    /// The store can only be read.
    case readOnlyStore
    /// There are staged changes that have not been saved.
    case unsavedChanges
    /// The object is not there any more, or not in this session.
    case noSuchObject
    /// The property cannot be edited, or not in this way.
    case unsuitableProperty
    /// The edit would touch more objects than one edit may.
    case tooManyObjects
    /// The model does not allow the value.
    case wrongValue
    /// The model forbids the deletion.
    case forbiddenDeletion
    /// The time that was given for the edit has passed.
    case tookTooLong
  }

  package let code: Code
  /// The problem, in words.
  package let problem: String
  /// What can be done about it, in words.
  package let remedy: String

  package init(code: Code, problem: String, remedy: String) {
    self.code = code
    self.problem = problem
    self.remedy = remedy
  }
}

extension EditingFailure: CustomStringConvertible, LocalizedError {
  /// One line with the problem and the remedy. Control characters are spelled.
  package var description: String { VisibleText(line: "\(problem); \(remedy)", atMost: 2000).description }

  /// The same line as `description`.
  package var errorDescription: String? { description }
}
