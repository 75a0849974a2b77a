import Foundation

/// A finding of `perennial guard` on a model: its subject, the problem, and the remedy.
struct GuardFinding: Hashable {
  /// How serious a finding is.
  enum Severity: String, Comparable, CaseIterable {
    /// The change is refused: the exit status is 1.
    case error
    /// Something could not be judged: the exit status is 2, unless another finding refuses the change.
    case unjudged
    /// A person has to look at the change. With `--strict` it is refused.
    case warning
    /// A fact that is useful to know.
    case note

    static func < (left: Severity, right: Severity) -> Bool { left.order < right.order }

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The kinds of findings. Their names are stable, because JSON and the titles of annotations contain them.
  enum Code: String, CaseIterable {
    case changedVersion = "changed-version"
    case hiddenChange = "hidden-change"
    case deletedVersion = "deleted-version"
    case renamedVersion = "renamed-version"
    case rolledBack = "rolled-back"
    case missingCurrentVersion = "missing-current-version"
    case unnamedCurrentVersion = "unnamed-current-version"
    case forgottenCurrentVersion = "forgotten-current-version"
    case orderOfNames = "order-of-names"
    case unlistedFolder = "unlisted-folder"
    case unreadableVersion = "unreadable-version"
    case sameHashes = "same-hashes"
    case noMigration = "no-migration"
    case requiredWithoutDefault = "required-without-default"
    case loss
    case possibleRename = "possible-rename"
    case failedTrial = "failed-trial"
    case changedContents = "changed-contents"
    case untried
    case stages
    case renamedPackage = "renamed-package"
    case newModel = "new-model"
    case notCompared = "not-compared"
  }

  var severity: Severity
  let code: Code
  /// The file of the finding, as a path that the user can open.
  let file: String
  /// The line of the file, counted from 1.
  var line: Int?
  /// The subject of the finding: `version Notes 2, entity Note, attribute title`.
  let subject: String
  /// The problem, as a clause after the subject.
  let problem: String
  /// What the author can do about the problem.
  let remedy: String

  /// The subject and the problem, in a sentence without the remedy.
  var statement: String { "\(subject): \(problem)" }
}
