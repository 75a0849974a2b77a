import ModelFormats

/// The changes of one version of a model since an older time, including those that version hashes do not cover.
struct VersionChanges {
  /// The renaming identifiers, whose changes a comparison of versions misses because it uses them to match elements.
  private struct Identifiers {
    /// The renaming identifiers, by a description of the element that has them.
    let values: [String: (entity: String, identifier: String?)]

    init(_ document: ModelDocument) {
      var values: [String: (entity: String, identifier: String?)] = [:]
      for entity in document.entities {
        let place = "entity \(entity.name)"
        values[place] = (entity.name, entity.elementID)
        for found in entity.attributes { values["\(place), attribute \(found.name)"] = (entity.name, found.elementID) }
        for found in entity.relationships {
          values["\(place), relationship \(found.name)"] = (entity.name, found.elementID)
        }
        for found in entity.fetchedProperties {
          values["\(place), fetched property \(found.name)"] = (entity.name, found.elementID)
        }
      }
      self.values = values
    }
  }

  /// All changes: first those of entities, sorted by entity name, then the rest.
  let all: [ModelDifference.Change]
  /// The names of entities whose version hashes differ, or which only one of the two versions has.
  let entities: Set<String>

  /// True when the changed version can no longer open stores of the older one.
  var breaksStores: Bool { !entities.isEmpty }

  /// True for a change of an entity whose version hash differs.
  func breaksStores(_ change: ModelDifference.Change) -> Bool { change.entity.map(entities.contains) ?? false }

  init(from old: ModelDocument, to new: ModelDocument) {
    let hashes = [old, new].map { ModelVersionHashes(document: $0).entityHashes }
    entities = Set(hashes[0].keys).union(hashes[1].keys).filter { hashes[0][$0] != hashes[1][$0] }
    all =
      ModelDifference(from: old, to: new).changes + Self.identifiers(old, new: new)
      + Self.compoundIndexes(old, new: new)
  }

  private static func identifiers(_ old: ModelDocument, new: ModelDocument) -> [ModelDifference.Change] {
    let (before, after) = (Identifiers(old).values, Identifiers(new).values)
    return after.keys.sorted().compactMap { subject in
      guard let former = before[subject], let present = after[subject],
        former.identifier != present.identifier
      else { return nil }
      let words = [former.identifier, present.identifier].map { $0 ?? "none" }
      return .changed(subject, change: "renaming identifier: \(words[0]) -> \(words[1])", in: present.entity)
    }
  }

  private static func compoundIndexes(_ old: ModelDocument, new: ModelDocument) -> [ModelDifference.Change] {
    new.entities.compactMap { entity in
      guard let former = old.entity(named: entity.name),
        (former.compoundIndexes ?? []) != (entity.compoundIndexes ?? [])
      else { return nil }
      return .changed("entity \(entity.name)", change: "compound indexes changed", in: entity.name)
    }
  }
}
