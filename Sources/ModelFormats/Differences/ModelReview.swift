/// The changes from one model to another in a form for review: grouped by entity, followed by those
/// of the model as a whole, with a sentence about their consequences.
package struct ModelReview: Hashable, Sendable {
  /// The marks of changes, by which they are counted and coloured.
  package enum Mark: String, Hashable, Sendable, CaseIterable {
    case added, changed, removed
    /// A change that a lightweight migration cannot do.
    case blocked
    /// A change that is possible only if no object lacks a value.
    case conditional

    /// The words that follow the number of such changes.
    package var words: String {
      switch self {
      case .blocked: "in the way of a lightweight migration"
      case .conditional: "possible where no object lacks a value"
      default: rawValue
      }
    }
  }

  package struct Change: Hashable, Sendable {
    package let mark: Mark
    /// The thing that changed, without the name of its group.
    package let subject: String
    /// The change in words, if the mark and the values do not describe it.
    package let words: String
    /// A reason or a condition; empty without one.
    package let note: String
    package let values: ModelDifference.Values?
  }

  package struct Group: Hashable, Sendable {
    /// The name of the entity; `nil` for the model as a whole.
    package let entity: String?
    package let changes: [Change]
  }

  package let groups: [Group]
  /// The consequence of the changes, in a sentence.
  package let verdict: String

  package init(from old: ModelDocument, to new: ModelDocument) {
    let hashes = [old, new].map { ModelVersionHashes(document: $0).entityHashes }
    self.init(ModelDifference(from: old, to: new), opensAsItIs: hashes[0] == hashes[1])
  }

  /// - Parameter opensAsItIs: true when the models have the same version hashes, so that a store of the one
  ///   is a store of the other.
  package init(_ difference: ModelDifference, opensAsItIs: Bool) {
    verdict = difference.verdict(opensAsItIs: opensAsItIs)
    var changes: [String?: [Change]] = [:]
    var order: [String?] = []
    for change in difference.changes {
      if changes[change.entity] == nil { order.append(change.entity) }
      changes[change.entity, default: []].append(Change(change))
    }
    groups = order.map { Group(entity: $0, changes: changes[$0] ?? []) }
  }
}

extension ModelReview.Change {
  fileprivate init(_ change: ModelDifference.Change) {
    mark = ModelReview.Mark(of: change)
    subject = Self.subject(of: change)
    values = change.values
    words = change.values != nil || change.change == mark.rawValue ? "" : change.change
    note = change.obstacle ?? change.condition ?? ""
  }

  private static func subject(of change: ModelDifference.Change) -> String {
    guard let entity = change.entity else { return change.subject }
    if change.subject == "entity \(entity)" { return "the entity itself" }
    let start = "entity \(entity), "
    return change.subject.hasPrefix(start) ? String(change.subject.dropFirst(start.count)) : change.subject
  }
}

extension ModelReview.Mark {
  fileprivate init(of change: ModelDifference.Change) {
    self =
      if change.obstacle != nil {
        .blocked
      } else if change.condition != nil {
        .conditional
      } else {
        switch change.change {
        case "added": .added
        case "removed": .removed
        default: .changed
        }
      }
  }
}

extension ModelDifference {
  /// The consequence of the changes, in a sentence.
  ///
  /// - Parameter opensAsItIs: true when the version hashes are the same.
  package func verdict(opensAsItIs: Bool) -> String {
    if changes.isEmpty { return "The models are the same." }
    // Equal hashes open a store without a migration, whatever else changed.
    if opensAsItIs { return "No migration is needed: the version hashes are the same." }
    if isLightweight {
      return conditions.isEmpty
        ? "A lightweight migration can do it."
        : "A lightweight migration can do it where no object lacks what is now required."
    }
    let count = obstacles.count
    return
      "A lightweight migration cannot do it: \(count) of the changes \(count == 1 ? "stands" : "stand") in its way."
  }
}
