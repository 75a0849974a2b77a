import CoreData
import Foundation
import StoreExploration

/// Resolves the conflicts that a person has decided, and those that do not need a decision. If there is any
/// other conflict, the save fails before anything is resolved.
// Used only on the queue of the session's context, during one save.
final class SettlingMergePolicy: NSMergePolicy, @unchecked Sendable {
  private let state: EditingState
  private let decisions: [EditedObject: EditingConflict.Decision]
  /// The conflicts that the person has seen.
  private let seen: [EditedObject: EditingConflict]

  init(state: EditingState, decisions: [EditedObject: EditingConflict.Decision]) {
    self.state = state
    self.decisions = decisions
    seen = Dictionary(state.conflicts.map { ($0.object.object, $0) }) { first, _ in first }
    super.init(merge: .errorMergePolicyType)
  }

  override func resolve(optimisticLockingConflicts list: [NSMergeConflict]) throws {
    guard list.allSatisfy({ !VersionComparison($0).needsDecision || isDecided($0) }) else {
      return try NSMergePolicy.error.resolve(optimisticLockingConflicts: list)
    }
    for conflict in list { try resolve(conflict) }
  }

  override func resolve(constraintConflicts list: [NSConstraintConflict]) throws {
    guard list.allSatisfy({ side(of: $0) != nil }) else {
      return try NSMergePolicy.error.resolve(constraintConflicts: list)
    }
    for conflict in list {
      let policy =
        side(of: conflict) == .mine
        ? NSMergePolicy.mergeByPropertyObjectTrump : NSMergePolicy.mergeByPropertyStoreTrump
      try policy.resolve(constraintConflicts: [conflict])
    }
  }

  // MARK: - Decisions

  /// The decision about an object, if the store still has the values that the person has seen.
  private func decision(_ conflict: EditingConflict?) -> EditingConflict.Decision? {
    guard let conflict, let seen = seen[conflict.object.object], seen.kind == conflict.kind,
      Self.theirs(seen) == Self.theirs(conflict)
    else { return nil }
    return decisions[conflict.object.object]
  }

  /// The values of the other side, without object names, which may have been loaded since.
  private static func theirs(_ conflict: EditingConflict) -> [String: StagedValue] {
    Dictionary(
      conflict.properties.map { property in
        guard case .object(let link?) = property.theirs else { return (property.name, property.theirs) }
        return (property.name, .object(EditedLink(object: link.object, name: "")))
      }
    ) { first, _ in first }
  }

  private func isDecided(_ conflict: NSMergeConflict) -> Bool {
    let value = ConflictReader(state: state).conflict(conflict)
    return switch (value.kind, decision(value)) {
    case (.changed, .properties): true
    case (.deletedThere, .whole(.theirs)), (.deletedHere, .whole): true
    default: false
    }
  }

  private func side(of conflict: NSConstraintConflict) -> EditingConflict.Side? {
    let value = ConflictReader(state: state).conflict(conflict)
    guard conflict.conflictingObjects.count == 1, let value, case .whole(let side)? = decision(value),
      value.sides.contains(side)
    else { return nil }
    return side
  }

  // MARK: - Resolving

  private func resolve(_ conflict: NSMergeConflict) throws {
    let value = ConflictReader(state: state).conflict(conflict)
    switch (value.kind, decision(value)) {
    case (.deletedThere, .whole): try NSMergePolicy.rollback.resolve(optimisticLockingConflicts: [conflict])
    case (.deletedHere, .whole(.theirs)):
      try NSMergePolicy.rollback.resolve(optimisticLockingConflicts: [conflict])
      restoreTakenAlong(by: conflict.sourceObject)
    case (.changed, .properties(let sides)): try resolve(conflict, value: value, sides: sides)
    default:
      // Both sides deleted the object, the other side did not change it, or its staged deletion wins.
      try NSMergePolicy.mergeByPropertyObjectTrump.resolve(optimisticLockingConflicts: [conflict])
    }
  }

  /// Restores the objects that delete rules deleted together with an object, unless the person deleted them
  /// directly or decided about them separately.
  private func restoreTakenAlong(by object: NSManagedObject) {
    for other in state.takenAlong[object] ?? []
    where state.context.deletedObjects.contains(other) && !state.deletedByHand.contains(other)
      && decisions[state.edited(other)] == nil
    {
      state.context.refresh(other, mergeChanges: false)
    }
  }

  private func resolve(
    _ conflict: NSMergeConflict,
    value: EditingConflict,
    sides: [String: EditingConflict.Side]
  ) throws {
    let object = conflict.sourceObject
    let mine = Dictionary(value.properties.map { ($0.name, object.value(forKey: $0.name)) }) { first, _ in
      first
    }
    try NSMergePolicy.mergeByPropertyObjectTrump.resolve(optimisticLockingConflicts: [conflict])
    for property in value.properties {
      switch sides[property.name] ?? property.customarySide {
      case .mine where !property.isMineChanged: object.setValue(mine[property.name] ?? nil, forKey: property.name)
      case .theirs where property.isMineChanged:
        object.setValue(theirs(property.name, conflict: conflict), forKey: property.name)
      case .mine, .theirs: continue
      }
    }
  }

  private func theirs(_ key: String, conflict: NSMergeConflict) -> Any? {
    switch conflict.persistedSnapshot?[key] {
    case nil, is NSNull: nil
    case let id as NSManagedObjectID: state.context.object(with: id)
    case let value: value
    }
  }
}
