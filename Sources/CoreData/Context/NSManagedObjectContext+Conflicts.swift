import Foundation

/// Between what a store found and the merge policy.
extension NSManagedObjectContext {
  private final var policy: NSMergePolicy { mergePolicy as? NSMergePolicy ?? .error }

  /// - Returns: the objects of the conflicts, as they were before the policy changed them.
  @discardableResult
  final func resolve(_ conflicts: [VersionConflict]) throws -> [ConflictedObject] {
    let conflicts = conflicts.map { conflict in
      NSMergeConflict(source: object(for: conflict.reference), persisted: conflict.persisted)
    }
    let conflicted = conflicts.map { conflict in
      ConflictedObject(conflict.sourceObject, persisted: conflict.persisted, in: self)
    }
    try policy.resolve(mergeConflicts: conflicts)
    for conflict in conflicts where conflict.sourceObject.state.contains(.registered) {
      withoutRecordingChanges(of: conflict.sourceObject) {
        conflict.sourceObject.awake(fromSnapshotEvents: .mergePolicy)
      }
    }
    return conflicted
  }

  final func resolve(_ violations: [ConstraintViolation]) throws {
    if violations.isEmpty { return }
    let conflicts = violations.map { violation in
      let database = violation.holder.map { holder in
        let object = object(for: holder)
        return (object: object, snapshot: violation.persisted.map(object.snapshot(of:)) ?? [:])
      }
      return NSConstraintConflict(
        violation.constraint,
        database: database,
        conflicting: [object(for: violation.reference)]
      )
    }
    try policy.resolve(mergeConflicts: conflicts)
  }

  /// Resolves the conflicts that objects have among themselves before a store is asked.
  ///
  /// - Returns: true when there were any.
  final func resolveConflictsAmongPending() throws -> Bool {
    let conflicts = conflictsAmongPending()
    if conflicts.isEmpty { return false }
    try policy.resolve(mergeConflicts: conflicts)
    return true
  }

  private final func conflictsAmongPending() -> [NSConstraintConflict] {
    let candidates = pending.filter { !$0.isDeleted && !$0.layout.constraints.isEmpty && $0.hasChanges }
    if candidates.count < 2 { return [] }
    var holders: [UniqueValues: (constraint: ConstraintLayout, objects: [NSManagedObject])] = [:]
    for object in candidates {
      guard let row = object.rowAtHand else { continue }
      for constraint in object.layout.constraints {
        guard let values = constraint.values(of: row) else { continue }
        holders[values, default: (constraint, [])].objects.append(object)
      }
    }
    return holders.values.filter { $0.objects.count > 1 }.map { holder in
      NSConstraintConflict(holder.constraint, database: nil, conflicting: holder.objects)
    }
  }

  /// The conflicts over objects that the context watches without having changed them, and that another context or
  /// process has changed or deleted. A fault has no values that could be out of date.
  final func conflictsOfWatched() throws -> [VersionConflict] {
    let channel = try connectedChannel()
    return try watched.filter { !$0.hasChanges && !$0.isFault }.compactMap { object in
      let persisted = try channel.row(of: object.reference, layout: object.layout)?.row
      if let persisted, persisted.version == object.committedRow?.version { return nil }
      return VersionConflict(reference: object.reference, persisted: persisted)
    }
  }
}
