import ModelFormats

/// Judges the current version of a package: it must exist, and be the same as before or a later version.
struct CurrentVersionJudge {
  /// The older package; nil where there was none.
  let before: PackageSnapshot?
  let after: PackageSnapshot
  /// The name of the revision or folder that the model is compared with.
  let reference: String

  func findings() -> [GuardFinding] { list() + presence() + (before.map(order) ?? []) }

  private var names: String { after.versions.map(\.name).joined(separator: ", ") }

  private func finding(
    _ severity: GuardFinding.Severity,
    code: GuardFinding.Code,
    problem: String,
    remedy: String
  ) -> GuardFinding {
    GuardFinding(
      severity: severity,
      code: code,
      file: after.currentPath,
      line: after.current == .absent ? nil : 1,
      subject: "current version",
      problem: problem,
      remedy: remedy
    )
  }

  /// The findings on folders of the package that Xcode and the compiler skip.
  private func list() -> [GuardFinding] {
    after.unlisted.map { folder in
      GuardFinding(
        severity: .error,
        code: .unlistedFolder,
        file: "\(after.path)/\(folder)/contents",
        line: 1,
        subject: "folder \(folder)",
        problem:
          "it has a model in it and is not in the list of versions, because its name does not end in .xcdatamodel",
        remedy: "rename the folder, or make the version with perennial add-version '\(after.path)'"
      )
    }
  }

  private func presence() -> [GuardFinding] {
    if after.versions.isEmpty {
      return [
        finding(
          before?.versions.isEmpty == false ? .error : .unjudged,
          code: .missingCurrentVersion,
          problem: "the package has no version in it",
          remedy: "restore the folders that end in .xcdatamodel"
        )
      ]
    }
    switch after.current {
    case .named(let name) where after.version(named: name) == nil:
      return [
        finding(
          .error,
          code: .missingCurrentVersion,
          problem: "\(name) is named, and is not in the package's list of versions: \(names)",
          remedy:
            "restore \(name).xcdatamodel, or add a version with perennial add-version '\(after.path)' '\(name)' "
            + "after naming one that is there"
        )
      ]
    case .named: return []
    case .unnamed:
      let was = before.map { if case .named = $0.current { true } else { false } } ?? false
      let last = after.versions.last?.name ?? ""
      if after.versions.count < 2, !was { return [] }
      return [
        finding(
          was ? .error : .warning,
          code: .unnamedCurrentVersion,
          problem: "the file names no version, so \(last) is taken, the last one by name",
          remedy: "choose the current version in Xcode, which writes its name into the file"
        )
      ]
    case .absent where after.versions.count == 1: return []
    case .absent:
      return [
        finding(
          .error,
          code: .unnamedCurrentVersion,
          problem: "none of the \(after.versions.count) versions is marked as current (\(names))",
          remedy: "choose one in Xcode, which writes .xccurrentversion"
        )
      ]
    case .broken:
      return [
        finding(
          .error,
          code: .unnamedCurrentVersion,
          problem: "the file is not a property list with a name under \(PackageSnapshot.currentKey)",
          remedy: "restore the file, or choose the current version in Xcode"
        )
      ]
    }
  }

  private func order(_ before: PackageSnapshot) -> [GuardFinding] {
    guard let former = before.currentName, let name = after.currentName else { return [] }
    let added = after.versions.map(\.name).filter { before.version(named: $0) == nil }
    if name == former {
      let later = added.filter { PackageSnapshot.comesBefore(name, other: $0) && !isRenamed($0, before: before) }
      guard let new = later.last else { return [] }
      return [
        finding(
          .error,
          code: .forgottenCurrentVersion,
          problem: "\(new) was added since \(reference), and \(name) is still the current version",
          remedy: "make \(new) the current version in Xcode, or remove it until it is used"
        )
      ]
    }
    let isNew = before.version(named: name) == nil
    let comesAfter = PackageSnapshot.comesBefore(former, other: name)
    if !isNew, !comesAfter {
      return [
        finding(
          .error,
          code: .rolledBack,
          problem:
            "\(name) is an older version than \(former), the current one at \(reference); programs would refuse stores of \(former)",
          remedy: "make \(former) the current version again; to undo its changes, add a version with "
            + "perennial add-version '\(after.path)'"
        )
      ]
    }
    if isNew, !comesAfter {
      return [
        finding(
          .warning,
          code: .orderOfNames,
          problem: "\(name) is new, and its name comes before \(former), the current version at \(reference)",
          remedy:
            "give it a name that comes after \(former), so that readers do not take it for an older version"
        )
      ]
    }
    return []
  }

  /// True for a new folder with the contents of a missing one. Another finding reports it as a renamed version.
  private func isRenamed(_ name: String, before: PackageSnapshot) -> Bool {
    guard let contents = after.version(named: name)?.contents else { return false }
    return before.versions.contains { $0.contents == contents && after.version(named: $0.name) == nil }
  }
}
