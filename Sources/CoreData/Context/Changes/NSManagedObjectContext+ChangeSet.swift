extension NSManagedObjectContext {
  /// The author and the name of this context, as the history of the stores records them.
  final var origin: ChangeOrigin { ChangeOrigin(author: transactionAuthor, contextName: name) }

  /// The changes as plain values. Objects that have come back to what they were are left out.
  final func changeSet(of objects: ContiguousArray<NSManagedObject>) -> ChangeSet {
    var changes = ChangeSet()
    changes.origin = origin
    changes.exchangesUniqueValues = exchangesUniqueValues
    let isForParent = parent != nil
    for object in objects {
      object.state.remove(.inChangeSet)
      switch (object.state.contains(.inserted), object.state.contains(.deleted)) {
      case (true, true): break
      case (true, false):
        object.state.insert(.inChangeSet)
        changes.inserted.append(object.change())
      case (false, true):
        if object.state.isDisjoint(with: [.inaccessible, .deletedElsewhere]) {
          changes.deleted.append(object.deletion(includesRelationships: isForParent))
        }
      case (false, false):
        if object.state.contains(.updated) {
          let change = object.change(includesTransient: isForParent)
          if change.changedSlots.isEmpty, change.toMany.isEmpty { break }
          object.state.insert(.inChangeSet)
          changes.updated.append(change)
        }
      }
    }
    return changes
  }
}

extension NSManagedObject {
  /// - Parameter includesTransient: true when transient attributes count, which a parent context
  ///   keeps and no store does.
  final func change(includesTransient: Bool = false) -> ObjectChange {
    let isInserted = state.contains(.inserted)
    return ObjectChange(
      reference: reference,
      layout: layout,
      row: rowAtHand,
      committed: committedRow,
      changedSlots: isInserted ? layout.persistentSlots : changedSlots(includesTransient: includesTransient),
      toMany: toManyChanges(includesOrder: true)
    )
  }

  /// - Parameter includesRelationships: true for a parent context. It applies delete rules of its own, which are not to
  ///   reach what this context has led elsewhere before it deleted the object.
  final func deletion(includesRelationships: Bool) -> ObjectChange {
    let slots = includesRelationships ? persistentChangedSlots().filter { layout.kind($0) == .reference } : []
    let row = slots.isEmpty ? nil : rowAtHand?.copy()
    for slot in slots where extras?.destination(slot)?.wasNeverKept == true { row?.setNull(slot) }
    return ObjectChange(
      reference: reference,
      layout: layout,
      row: row,
      committed: committedRow,
      changedSlots: slots,
      toMany: includesRelationships ? toManyChanges(includesOrder: false) : []
    )
  }

  /// Destinations that were not read so far are read here: an order that lacks some of them is not to be saved.
  private final func toManyChanges(includesOrder: Bool) -> [ToManyChange] {
    guard let extras, !extras.toMany.isEmpty else { return [] }
    return extras.toMany.enumerated().compactMap { index, relationship in
      guard let relationship, relationship.hasChanges, !layout.toMany[index].relationship.isTransient else {
        return nil
      }
      return ToManyChange(
        relationship: index,
        added: Self.references(relationship.added.objects),
        removed: Self.references(relationship.removed.objects),
        ordered: includesOrder && layout.toMany[index].isOrdered
          ? Self.references(members(index)) : nil
      )
    }
  }

  /// Objects that are deleted by the same save before they were ever kept are left out.
  private static func references(_ objects: [NSManagedObject]) -> [ObjectReference] {
    objects.filter { !$0.wasNeverKept }.map(\.reference)
  }

  /// True for an object that was deleted before it was ever kept.
  private final var wasNeverKept: Bool { state.isSuperset(of: [.inserted, .deleted]) }
}
