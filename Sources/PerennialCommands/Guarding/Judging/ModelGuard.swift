#if !canImport(Darwin)
  import CoreData
  import Foundation
  import ModelFormats

  /// Judges the versions of a model against those of an older package: the work of `perennial guard`.
  struct ModelGuard {
    /// The path of the `.xcdatamodeld`.
    let model: String
    /// A revision of git, or a folder; nil to judge the package alone.
    var reference: String?
    /// Mapping models, or folders that contain some, in addition to those around the package.
    var mappings: [String] = []
    /// The versions that the program migrates with its own code.
    var inCode: Set<String> = []
    /// The number of objects of each entity in trial migrations; nil for no trials.
    var trialCount: Int? = 8
    /// True when warnings are refused as well.
    var isStrict = false

    /// The report, and the documents of the two current versions if both exist.
    struct Judgement {
      let report: GuardReport
      let documents: (before: ModelDocument, after: ModelDocument)?
    }

    /// - Throws: a ``GuardDoubt`` when the model cannot be judged, or a `CommandFailure` for a wrong option.
    func judge() throws -> Judgement {
      let after = try package()
      let base = try GuardBase.find(reference, for: after)
      let before: PackageSnapshot? = if case .package(let found, _) = base { found } else { nil }
      try checkInCode(after)

      let (documents, unreadable) = read(after, before: before)
      var findings = about(base, after: after) + unreadable
      if let before { findings += released(before, after: after) }
      findings += CurrentVersionJudge(before: before, after: after, reference: words).findings()
      findings += twins(before, after: after, documents: documents)

      var ways: [GuardReport.Way] = []
      if let current = after.currentVersion, documents[current.name] != nil {
        let migrations = try MigrationJudge(
          before: before,
          after: after,
          documents: documents,
          models: models(documents, after: after),
          current: current,
          search: MappingSearch(around: model, others: mappings),
          inCode: inCode,
          trialCount: trialCount
        ).judge()
        findings += migrations.findings
        ways = migrations.ways
      }
      let report = GuardReport(
        model: model,
        reference: reference,
        current: after.currentName,
        ways: ways,
        findings: findings,
        isStrict: isStrict
      )
      let former = before?.currentVersion.flatMap { try? $0.document() }
      let latter = after.currentName.flatMap { documents[$0] }
      let documentsOfCurrent = former.flatMap { former in latter.map { (before: former, after: $0) } }
      return Judgement(report: report, documents: documentsOfCurrent)
    }

    private var words: String { reference ?? "the older model" }

    private func package() throws -> PackageSnapshot {
      var isFolder: ObjCBool = false
      guard FileManager.default.fileExists(atPath: model, isDirectory: &isFolder) else {
        throw GuardDoubt(
          problem: "\(model): there is no such model here",
          remedy: "check the path; a model that was removed on purpose needs no guard any more"
        )
      }
      guard isFolder.boolValue, URL(fileURLWithPath: model).pathExtension == "xcdatamodeld" else {
        throw GuardDoubt(
          problem: "\(model): this is not a package with versions of a model",
          remedy: "give an .xcdatamodeld; Xcode makes one of an .xcdatamodel by Editor > Add Model Version"
        )
      }
      return try PackageSnapshot(onDisk: model)
    }

    private func checkInCode(_ after: PackageSnapshot) throws {
      for name in inCode.sorted() where after.version(named: name) == nil {
        throw GuardDoubt(
          problem: "--in-code \(name): the package has no version of this name",
          remedy: "give one of \(after.versions.map(\.name).joined(separator: ", "))"
        )
      }
    }

    // MARK: - Reading

    private func read(
      _ after: PackageSnapshot,
      before: PackageSnapshot?
    ) -> (documents: [String: ModelDocument], findings: [GuardFinding]) {
      var documents: [String: ModelDocument] = [:]
      var findings: [GuardFinding] = []
      let hasReadable = after.versions.contains { $0.contents != nil }
      for version in after.versions {
        do {
          documents[version.name] = try version.document()
        } catch {
          let former = before?.version(named: version.name)
          let wasSo = former.map { $0.contents == version.contents } ?? false
          let severity: GuardFinding.Severity =
            if version.isOutdated { hasReadable ? .warning : .unjudged } else { wasSo ? .unjudged : .error }
          findings.append(
            GuardFinding(
              severity: severity,
              code: .unreadableVersion,
              file: version.file,
              line: error.line ?? 1,
              subject: ["version \(version.name)", error.element, error.attribute].compactMap { $0 }
                .joined(separator: ", "),
              problem: error.problem,
              remedy: "correct the file until perennial compile '\(model)' takes it"
            )
          )
        }
      }
      return (documents, findings)
    }

    private func models(
      _ documents: [String: ModelDocument],
      after: PackageSnapshot
    ) -> [String: NSManagedObjectModel] {
      var models: [String: NSManagedObjectModel] = [:]
      for version in after.versions where documents[version.name] != nil {
        let url = URL(fileURLWithPath: model).appendingPathComponent("\(version.name).xcdatamodel")
        models[version.name] = ModelFile.searching { NSManagedObjectModel(contentsOf: url) }
      }
      return models
    }

    // MARK: - Findings

    private func about(_ base: GuardBase, after: PackageSnapshot) -> [GuardFinding] {
      func note(_ code: GuardFinding.Code, problem: String, remedy: String) -> GuardFinding {
        GuardFinding(
          severity: .note,
          code: code,
          file: after.currentVersion?.file ?? after.path,
          subject: "the model",
          problem: problem,
          remedy: remedy
        )
      }
      switch base {
      case .none:
        return [
          note(
            .notCompared,
            problem: "it was compared with nothing, so that a changed version goes unseen",
            remedy: "give --against with the branch that the change goes to, such as origin/main"
          )
        ]
      case .new(let gone) where gone.isEmpty:
        return [
          note(.newModel, problem: "it is not at \(words): a new model", remedy: "nothing is to be done")
        ]
      case .new(let gone):
        return [
          note(
            .newModel,
            problem:
              "it is not at \(words), and shares no version with \(gone.joined(separator: ", ")), which is gone: a new model",
            remedy: "if it was made of that one, compare with it: give the older package to --against"
          )
        ]
      case .package(_, nil): return []
      case .package(_, let former?):
        return [
          note(
            .renamedPackage,
            problem: "at \(words) it is \(former); it was compared with that",
            remedy: "use the new name where programs load the model, and in paths of mapping models"
          )
        ]
      }
    }

    private func released(_ before: PackageSnapshot, after: PackageSnapshot) -> [GuardFinding] {
      ReleasedVersionsJudge(before: before, after: after, reference: words) { version in
        // The path of a version in a commit is REFERENCE:PATH.
        let file = version.file
        guard file.hasPrefix("\(words):") else { return "restore the file from \(file)" }
        return "restore it: git checkout \(words) -- ':/\(file.dropFirst(words.count + 1))'"
      }.findings()
    }

    /// The findings on new versions with the version hashes of another version: no store could tell the two apart.
    private func twins(
      _ before: PackageSnapshot?,
      after: PackageSnapshot,
      documents: [String: ModelDocument]
    ) -> [GuardFinding] {
      guard let before else { return [] }
      let hashes = documents.mapValues { ModelVersionHashes(document: $0).entityHashes }
      return after.versions.compactMap { version in
        guard before.version(named: version.name) == nil, let own = hashes[version.name] else { return nil }
        let twin = after.versions.first {
          $0.name != version.name && before.version(named: $0.name) != nil && hashes[$0.name] == own
        }
        guard let twin else { return nil }
        return GuardFinding(
          severity: .note,
          code: .sameHashes,
          file: version.file,
          line: 1,
          subject: "version \(version.name)",
          problem:
            "it is new, and its version hashes are those of \(twin.name): stores cannot tell the two apart",
          remedy: "remove it if it has no change of its own"
        )
      }
    }
  }
#endif
