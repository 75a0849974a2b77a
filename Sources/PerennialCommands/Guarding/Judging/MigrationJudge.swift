#if !canImport(Darwin)
  import CoreData
  import Foundation
  import ModelFormats

  /// Judges whether stores of every version can be migrated to the current version, and what a migration loses.
  struct MigrationJudge {
    /// The older package; nil where there was none.
    let before: PackageSnapshot?
    let after: PackageSnapshot
    let documents: [String: ModelDocument]
    let models: [String: NSManagedObjectModel]
    let current: PackageSnapshot.Version
    let search: MappingSearch
    /// The versions that the program migrates with its own code.
    let inCode: Set<String>
    /// The number of objects of each entity in trial migrations; nil for no trials.
    let trialCount: Int?

    /// A finding with all versions that it applies to, so that it is reported once.
    private struct Notice: Hashable {
      var finding: GuardFinding
      var versions: [String]
    }

    func judge() throws -> (findings: [GuardFinding], ways: [GuardReport.Way]) {
      guard let target = documents[current.name] else { return ([], []) }
      let hashes = ModelVersionHashes(document: target).entityHashes
      let routes = MigrationRoutes(models: models, current: current.name, search: search)
      var notices: [Notice] = []
      var ways: [GuardReport.Way] = []
      for version in after.versions {
        guard let document = documents[version.name] else { continue }
        if version.name == current.name {
          ways.append(.init(version: version.name, words: "current", trial: ""))
          continue
        }
        if ModelVersionHashes(document: document).entityHashes == hashes {
          ways.append(.init(version: version.name, words: "opens as it is", trial: ""))
          continue
        }
        let (found, way) = try judge(version, document: document, target: target, routes: routes)
        ways.append(way)
        for finding in found { Self.add(finding, of: version.name, to: &notices) }
      }
      return (notices.map(Self.finding), ways)
    }

    // MARK: - One version

    private func judge(
      _ version: PackageSnapshot.Version,
      document: ModelDocument,
      target: ModelDocument,
      routes: MigrationRoutes
    ) throws -> ([GuardFinding], GuardReport.Way) {
      if inCode.contains(version.name) {
        let words = "the program migrates it by code of its own, which was not tried"
        return ([], .init(version: version.name, words: words, trial: ""))
      }
      guard let steps = routes.route(from: version.name) else {
        let findings = noWay(version, document: document, target: target).map { relaxed($0, version: version) }
        return (findings, .init(version: version.name, words: "no migration", trial: ""))
      }
      var findings = losses(steps) + conditions(steps) + renames(steps)
      if steps.count > 1 { findings.append(stages(version, steps: steps)) }
      let trial = try tried(
        version,
        steps: steps,
        hasConditions: findings.contains { $0.code == .requiredWithoutDefault }
      )
      findings += trial.findings
      let words = steps.map(\.words).joined(separator: ", ")
      return (
        findings.map { relaxed($0, version: version) },
        .init(version: version.name, words: words, trial: trial.words)
      )
    }

    /// Lowers a finding that was the same before the change, because released versions must not be changed.
    private func relaxed(_ finding: GuardFinding, version: PackageSnapshot.Version) -> GuardFinding {
      guard let before, let former = before.version(named: version.name), former.contents == version.contents,
        before.currentName == current.name, before.currentVersion?.contents == current.contents
      else { return finding }
      var finding = finding
      switch finding.severity {
      case .error: finding.severity = .warning
      case .warning: finding.severity = .note
      case .unjudged, .note: break
      }
      return finding
    }

    private func noWay(
      _ version: PackageSnapshot.Version,
      document: ModelDocument,
      target: ModelDocument
    ) -> [GuardFinding] {
      let remedy =
        "undo the change, add a mapping model from this version to \(current.name), migrate in stages with a version between "
        + "them, or, where the program does it by code of its own, give --in-code '\(version.name)'"
      let lines = DocumentLines(of: target)
      let difference = ModelDifference(from: document, to: target)
      let obstacles = difference.obstacles + difference.conditions
      if obstacles.isEmpty {
        return [
          finding(
            .error,
            code: .noMigration,
            line: 1,
            subject: "the way to \(current.name)",
            problem: "no mapping can be inferred, and there is no mapping model",
            remedy: remedy
          )
        ]
      }
      return obstacles.map { change in
        finding(
          .error,
          code: change.obstacle == nil ? .requiredWithoutDefault : .noMigration,
          line: lines.line(of: change),
          subject: change.subject,
          problem: "\(change.change): no migration can be inferred, because "
            + (change.obstacle ?? change.condition ?? "the versions differ too much"),
          remedy: remedy
        )
      }
    }

    private func finding(
      _ severity: GuardFinding.Severity,
      code: GuardFinding.Code,
      file: String? = nil,
      line: Int?,
      subject: String,
      problem: String,
      remedy: String
    ) -> GuardFinding {
      GuardFinding(
        severity: severity,
        code: code,
        file: file ?? current.file,
        line: line,
        subject: subject,
        problem: problem,
        remedy: remedy
      )
    }

    // MARK: - What stores lose

    /// The inferred steps. Steps with a mapping model are left out, because the mapping model decides about all data.
    private func inferred(_ steps: [MigrationStep]) -> [(step: MigrationStep, old: ModelDocument, new: ModelDocument)] {
      steps.filter { $0.mapping == nil }.compactMap { step in
        guard let old = documents[step.former], let new = documents[step.name] else { return nil }
        return (step, old, new)
      }
    }

    private func place(_ step: MigrationStep) -> (file: String, lines: DocumentLines)? {
      guard let version = after.version(named: step.name), let document = documents[step.name] else { return nil }
      return (version.file, DocumentLines(of: document))
    }

    private func losses(_ steps: [MigrationStep]) -> [GuardFinding] {
      inferred(steps).flatMap { step, old, new in
        let correspondence = ModelCorrespondence(from: old, to: new)
        let place = place(step)
        return ModelLoss(correspondence).parts.map { part in
          let entity = correspondence.entities.first { $0.value == part.entity }?.key
          let former = part.property?.split(separator: ".").dropFirst().first.map(String.init)
          let property = entity.flatMap { name in
            former.flatMap { former in correspondence.properties(of: name).first { $0.value == former }?.key }
          }
          return finding(
            .warning,
            code: .loss,
            file: place?.file,
            line: entity.flatMap { place?.lines.line(entity: $0, property: property) } ?? 1,
            subject: part.property.map { "property \($0)" } ?? "entity \(part.entity)",
            problem: "stores lose \(part.words)",
            remedy:
              "keep it in \(step.name), set a renaming identifier if it has another name there, or merge if it may be lost"
          )
        }
      }
    }

    private func conditions(_ steps: [MigrationStep]) -> [GuardFinding] {
      inferred(steps).flatMap { step, old, new in
        let place = place(step)
        return ModelDifference(from: old, to: new).conditions.map { change in
          finding(
            .error,
            code: .requiredWithoutDefault,
            file: place?.file,
            line: place?.lines.line(of: change),
            subject: change.subject,
            problem: "\(change.change): \(change.condition ?? "")",
            remedy: "make it optional or give it a default value, or add a mapping model that sets it"
          )
        }
      }
    }

    private func renames(_ steps: [MigrationStep]) -> [GuardFinding] {
      inferred(steps).flatMap { step, old, new in
        let place = place(step)
        return RenameSuspicion(from: old, to: new).pairs.map { pair in
          finding(
            .warning,
            code: .possibleRename,
            file: place?.file,
            line: place?.lines.line(entity: pair.entity, property: pair.property),
            subject: pair.kind == "entity"
              ? "entity \(pair.name)" : "entity \(pair.entity), \(pair.kind) \(pair.name)",
            problem:
              "it is new, and \(pair.former) is gone: without a renaming identifier a rename loses what stores have",
            remedy: "if it is \(pair.former) by another name, set its renaming identifier to \(pair.former) "
              + "(elementID=\"\(pair.former)\")"
          )
        }
      }
    }

    private func stages(_ version: PackageSnapshot.Version, steps: [MigrationStep]) -> GuardFinding {
      finding(
        .note,
        code: .stages,
        line: nil,
        subject: "the way to \(current.name)",
        problem:
          "stores cannot be migrated at once, only in stages: \(steps.map(\.words).joined(separator: ", "))",
        remedy: "open stores with an NSStagedMigrationManager that has these stages"
      )
    }

    // MARK: - Trials

    private func tried(
      _ version: PackageSnapshot.Version,
      steps: [MigrationStep],
      hasConditions: Bool
    ) throws -> (findings: [GuardFinding], words: String) {
      // A migration that fails for some stores is refused, whatever the generated data looks like.
      guard let trialCount, !hasConditions else { return ([], "") }
      let subject = "the trial"
      switch try MigrationTrial(steps: steps, count: trialCount).run() {
      case .passed(let objects): return ([], "tried with \(objects) objects")
      case .untried(let reason):
        let note = finding(
          .note,
          code: .untried,
          line: nil,
          subject: subject,
          problem: "nothing was tried: \(reason)",
          remedy: "test this migration in the program"
        )
        return ([note], "not tried")
      case .failed(let step, let reason):
        let failure = finding(
          .error,
          code: .failedTrial,
          file: step.mapping,
          line: nil,
          subject: "\(subject) of \(step.words)",
          problem: "a store with made data could not be migrated: \(reason)",
          remedy:
            "correct \(step.mapping ?? current.file), or, where the migration needs code of the program, "
            + "give --in-code '\(version.name)'"
        )
        return ([failure], "failed")
      case .changed(let step, let entity, let words):
        let place = place(step)
        let change = finding(
          .error,
          code: .changedContents,
          file: place?.file,
          line: place?.lines.line(entity: entity),
          subject: "\(subject) of \(step.words), entity \(entity)",
          problem: words,
          remedy: "look at the changes of \(entity), and at its renaming identifiers"
        )
        return ([change], "contents changed")
      }
    }

    // MARK: - Notices

    private static func add(_ finding: GuardFinding, of version: String, to notices: inout [Notice]) {
      if let index = notices.firstIndex(where: { $0.finding == finding }) {
        notices[index].versions.append(version)
      } else {
        notices.append(Notice(finding: finding, versions: [version]))
      }
    }

    private static func finding(_ notice: Notice) -> GuardFinding {
      let finding = notice.finding
      let word = notice.versions.count == 1 ? "version" : "versions"
      return GuardFinding(
        severity: finding.severity,
        code: finding.code,
        file: finding.file,
        line: finding.line,
        subject: "from \(word) \(notice.versions.joined(separator: ", ")): \(finding.subject)",
        problem: finding.problem,
        remedy: finding.remedy
      )
    }
  }
#endif
