import Foundation

/// Something that `perennial guard` says about a model: what it is about, what is wrong with it, and what to do.
struct GuardFinding: Hashable {
  /// How much a finding counts.
  enum Severity: String, Comparable, CaseIterable {
    /// The change is refused: the exit status is 1.
    case error
    /// Something could not be judged: the exit status is 2, unless something else is refused.
    case unjudged
    /// Somebody has to look at it. With `--strict` it is refused.
    case warning
    /// It is good to know.
    case note

    static func < (left: Severity, right: Severity) -> Bool { left.order < right.order }

    private var order: Int { Self.allCases.firstIndex(of: self) ?? 0 }
  }

  /// The kinds of findings. Their names are stable: JSON and the titles of annotations have them.
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
  /// The file that it is about, as the user can give it to a program.
  let file: String
  /// The line of the file, from 1 on.
  var line: Int?
  /// The thing that it is about: `version Notes 2, entity Note, attribute title`.
  let subject: String
  /// What is wrong.
  let problem: String
  /// What can be done.
  let remedy: String

  init(
    _ severity: Severity,
    code: Code,
    file: String,
    line: Int? = nil,
    subject: String,
    problem: String,
    remedy: String
  ) {
    self.severity = severity
    self.code = code
    self.file = file
    self.line = line
    self.subject = subject
    self.problem = problem
    self.remedy = remedy
  }

  /// The subject and the problem, in a sentence without the remedy.
  var statement: String { "\(subject): \(problem)" }
}
