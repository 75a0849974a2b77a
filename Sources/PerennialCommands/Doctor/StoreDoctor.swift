#if !canImport(Darwin)
  import CoreData
  import Foundation
  import Seeding

  /// Examines a store: its type, the model it was made with, whether it opens, and what is wrong in it.
  struct StoreDoctor {
    let store: StoreLocation
    /// The path of the model that the store should fit; nil for the model next to the store or in it.
    let model: String?
    /// The store options, which limit the wait for other programs.
    let options: [String: any Sendable]

    var diagnoses: [Diagnosis] {
      var found: [Diagnosis] = []
      do {
        let metadata = try ClosedStore.metadata(of: store, options: options)
        found.append(kind(metadata))
        found.append(try fit(metadata))
        if let loss = loss(metadata) { found.append(loss) }
        if found.contains(where: { $0.state == .wrong }) { return found }
        try OpenedStore.reading(store, model: model, options: options) { _ in }
        found.append(.right("store", words: "it opens"))
        found += try contents(metadata)
      } catch {
        found.append(.wrong("store", words: ClosedStore.failure(store, error: error).description))
      }
      return found
    }

    private func kind(_ metadata: [String: Any]) -> Diagnosis {
      let type = metadata[NSStoreTypeKey] as? String ?? "unknown"
      let identity = metadata[NSStoreUUIDKey] as? String ?? "none"
      return .right("store", words: "\(store): of type \(type), with the identity \(identity)")
    }

    /// The finding on whether the store fits its model.
    private func fit(_ metadata: [String: Any]) throws -> Diagnosis {
      if let model {
        if try ModelFile(model).model(of: metadata) != nil { return .right("store", words: "\(model) fits it") }
        return .wrong(
          "store",
          words: "it was made with another model than \(model)",
          remedy: "give that one, or see what perennial migrate --dry-run \(store) --to \(model) says"
        )
      }
      if let found = ModelSearch.adjacent(to: store, metadata: metadata) {
        return .right("store", words: "\(found.path) fits it")
      }
      if CachedModel.read(store, options: options, metadata: metadata) != nil {
        return .right("store", words: "its model is in it")
      }
      if CachedModel.reduced(store) != nil {
        return .note(
          "store",
          words: "there is no model of it in its folder or in it; its tables alone tell of its entities"
        )
      }
      return .wrong(
        "store",
        words: "there is no model of it in its folder or in it",
        remedy: "name its model before it: perennial doctor MODEL \(store)"
      )
    }

    /// The finding on the data that a migration to the given model would lose. Nil where it would lose nothing, or where
    /// the loss cannot be determined; `perennial migrate --dry-run` reports it then.
    private func loss(_ metadata: [String: Any]) -> Diagnosis? {
      guard let model,
        let versions = try? StoreVersions(
          of: store,
          metadata: metadata,
          older: nil,
          newer: model,
          options: options
        ),
        let source = versions.source,
        let plan = try? MigrationPlan(from: source, to: versions.destination, mapping: nil),
        let loss = try? StoreLoss(of: store, plan: plan, options: options), !loss.isEmpty
      else { return nil }
      return .wrong("store", words: "a migration to \(model) would lose \(loss.words)", remedy: loss.remedy)
    }

    private func contents(_ metadata: [String: Any]) throws -> [Diagnosis] {
      guard StoreChecks.canCheck(store) else {
        return [
          .note("store", words: "it is read as a whole whenever it is opened; there is nothing else to check")
        ]
      }
      let check = try StoreChecks.check(of: store, model: model, options: options)
      let findings = try check.findings()
      // A store that cannot be read has no notes: the findings give the reason.
      let notes = ((try? check.notes()) ?? []).map { Diagnosis.note("store", words: "\($0.words); \($0.advice)") }
      if findings.isEmpty { return [.right("store", words: "nothing is wrong in it")] + notes }
      return notes
        + findings.map { finding in
          let remedy =
            finding.isRepairable ? "perennial check \(store) --repair can \(finding.remedy)" : finding.remedy
          return .wrong("store", words: "\(finding.kind.rawValue): \(finding.problem)", remedy: remedy)
        }
    }
  }
#endif
