import Foundation

extension NSMergePolicy {
  static func error(for conflicts: [NSConstraintConflict]) -> NSError {
    let list = conflicts.prefix(3).map(\.inWords).joined(separator: "; ")
    return CocoaError.coreData(
      NSManagedObjectConstraintMergeError,
      message: """
        uniqueness constraints allow one object each, and there are several: \(list)\
        \(conflicts.count > 3 ? "; …" : ""). Change the values, delete the others, or set the context's mergePolicy.
        """,
      userInfo: [
        NSPersistentStoreSaveConflictsErrorKey: conflicts,
        NSAffectedObjectsErrorKey: conflicts.flatMap(\.conflictingObjects),
      ]
    )
  }

  /// Keeps one object with the values of a constraint: the store's object if there is one, because
  /// other objects may refer to it, or else the first one.
  final func resolve(_ conflict: NSConstraintConflict) {
    let objects = conflict.conflictingObjects.filter { !$0.isDeleted }
    guard let context = objects.first?.registry.context else { return }
    if let database = conflict.databaseObject, !database.isDeleted {
      for object in objects where object !== database {
        resolve(object, against: database, conflict: conflict, context: context)
      }
      return
    }
    guard let survivor = objects.first(where: { !$0.isInserted }) ?? objects.first else { return }
    for object in objects where object !== survivor { give(object, to: survivor, context: context) }
  }

  private func resolve(
    _ object: NSManagedObject,
    against database: NSManagedObject,
    conflict: NSConstraintConflict,
    context: NSManagedObjectContext
  ) {
    if object.isInserted { return give(object, to: database, context: context) }
    if contextWins {
      context.deleteObject(database)
    } else {
      object.revertChanges(of: mergeType == .rollbackMergePolicyType ? nil : conflict.constraint)
    }
  }

  /// Removes a new object. If the context is to win, the remaining object gets its values first.
  private func give(_ object: NSManagedObject, to survivor: NSManagedObject, context: NSManagedObjectContext) {
    if contextWins { survivor.copyContents(from: object, wholly: mergeType == .overwriteMergePolicyType) }
    context.deleteObject(object)
  }

  private var contextWins: Bool {
    mergeType == .overwriteMergePolicyType || mergeType == .mergeByPropertyObjectTrumpMergePolicyType
  }
}

extension NSManagedObject {
  /// Copies the values and the destinations of another object.
  ///
  /// - Parameter wholly: true when values that the other does not have, or only by default, are copied too.
  fileprivate final func copyContents(from other: NSManagedObject, wholly: Bool) {
    for slot in other.layout.slots.indices {
      let shape = other.layout.slots[slot]
      guard case .slot(let own)? = layout.places[shape.name], !shape.isTransient else { continue }
      let value = other.currentRow.value(slot)
      if shape.kind == .reference {
        if let destination = other.destination(slot) { setDestination(destination, slot: own) }
      } else if wholly || !other.hasDefault(slot) {
        writeSlot(value, slot: own)
      }
    }
    for index in other.layout.toMany.indices {
      guard case .toMany(let own)? = layout.places[other.layout.toMany[index].name] else { continue }
      for object in other.members(index) { insert(object, into: own) }
    }
  }

  private final func hasDefault(_ slot: Int) -> Bool { currentRow.hasEqualValue(layout.defaultRow, slot: slot) }

  /// Gives properties the values that they were fetched or last saved with: all of them when none are named.
  fileprivate final func revertChanges(of keys: [String]?) {
    guard let committed = committedRow else { return }
    for slot in layout.persistentSlots where keys?.contains(layout.slots[slot].name) ?? true {
      if case .reference(let reference) = committed.value(slot) {
        setDestination(registry.context?.object(for: reference), slot: slot)
      } else if layout.kind(slot) == .reference {
        setDestination(nil, slot: slot)
      } else {
        writeSlot(committed.value(slot), slot: slot)
      }
    }
  }
}
