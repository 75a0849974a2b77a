import ModelFormats

/// Judges whether the older versions still exist and are unchanged.
struct ReleasedVersionsJudge {
  let before: PackageSnapshot
  let after: PackageSnapshot
  /// The name of the revision or folder that the model is compared with: `origin/main`.
  let reference: String
  /// The remedy that restores a version's file.
  let restoring: (PackageSnapshot.Version) -> String

  /// The largest number of changes of a version that are listed one by one.
  private static let most = 50

  func findings() -> [GuardFinding] {
    before.versions.flatMap { former in
      guard let version = after.version(named: former.name) else { return [missing(former)] }
      if former.contents == version.contents, former.isOutdated == version.isOutdated { return [] }
      return compare(former, version: version)
    }
  }

  private func missing(_ former: PackageSnapshot.Version) -> GuardFinding {
    let added = after.versions.filter { before.version(named: $0.name) == nil }
    let same = former.contents == nil ? nil : added.first { isSame(former, version: $0) }
    let restore = restoring(former)
    if let same {
      return GuardFinding(
        severity: .error,
        code: .renamedVersion,
        file: same.file,
        line: 1,
        subject: "version \(former.name)",
        problem:
          "it is called \(same.name) now; mapping models and stages name versions, and so do older branches",
        remedy: "give the folder its name \(former.name).xcdatamodel back"
      )
    }
    return GuardFinding(
      severity: .error,
      code: .deletedVersion,
      file: after.currentPath,
      subject: "version \(former.name)",
      problem: "it is at \(reference) and is missing here, so a store of that version cannot be migrated",
      remedy: "\(restore), or merge \(reference) into this branch if the version was added there since"
    )
  }

  private func isSame(_ former: PackageSnapshot.Version, version: PackageSnapshot.Version) -> Bool {
    if former.contents == version.contents { return true }
    guard let old = try? former.document(), let new = try? version.document() else { return false }
    return !VersionChanges(from: old, to: new).breaksStores && !old.entities.isEmpty
  }

  private func compare(
    _ former: PackageSnapshot.Version,
    version: PackageSnapshot.Version
  ) -> [GuardFinding] {
    let old: ModelDocument
    do {
      old = try former.document()
    } catch {
      return [
        GuardFinding(
          severity: .unjudged,
          code: .unreadableVersion,
          file: version.file,
          line: 1,
          subject: "version \(version.name)",
          problem: "it differs from \(reference), where it cannot be read: \(error.problem)",
          remedy: restoring(former)
        )
      ]
    }
    // Another finding reports a version that cannot be read now.
    guard let new = try? version.document() else { return [] }
    let changes = VersionChanges(from: old, to: new)
    let lines = DocumentLines(of: new)
    var findings = changes.all.prefix(Self.most).map { change in
      finding(
        change,
        version: version,
        former: former,
        lines: lines,
        isBreaking: changes.breaksStores(change)
      )
    }
    if changes.all.count > Self.most || (changes.breaksStores && !findings.contains { $0.severity == .error }) {
      let rest =
        changes.all.count > Self.most
        ? "\(changes.all.count - Self.most) more changes since \(reference)"
        : "its version hashes differ from \(reference) in \(changes.entities.sorted().joined(separator: ", "))"
      findings.append(
        GuardFinding(
          severity: changes.breaksStores ? .error : .warning,
          code: changes.breaksStores ? .changedVersion : .hiddenChange,
          file: version.file,
          line: 1,
          subject: "version \(version.name)",
          problem: rest,
          remedy: restoring(former)
        )
      )
    }
    return findings
  }

  private func finding(
    _ change: ModelDifference.Change,
    version: PackageSnapshot.Version,
    former: PackageSnapshot.Version,
    lines: DocumentLines,
    isBreaking: Bool
  ) -> GuardFinding {
    let subject = "version \(version.name), \(change.subject)"
    if isBreaking {
      return GuardFinding(
        severity: .error,
        code: .changedVersion,
        file: version.file,
        line: lines.line(of: change),
        subject: subject,
        problem: "\(change.change), since \(reference): a store of this version cannot be opened any more",
        remedy:
          "\(restoring(former)), and make the change in a new version: perennial add-version '\(after.path)'"
      )
    }
    return GuardFinding(
      severity: .warning,
      code: .hiddenChange,
      file: version.file,
      line: lines.line(of: change),
      subject: subject,
      problem: "\(change.change), since \(reference): the version hashes do not see this change",
      remedy:
        "make sure that stores and the code of released programs can do with it, or \(restoring(former))"
    )
  }
}
