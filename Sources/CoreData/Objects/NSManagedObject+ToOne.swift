import Foundation

extension NSManagedObject {
  /// The object that a to-one relationship leads to.
  final func destination(_ slot: Int) -> NSManagedObject? {
    recordAccess(slot)
    if let known = extras?.destination(slot) { return known }
    let base = currentBase()
    // An object that was deleted for good has no destinations.
    guard EntityLayout.hasValue(base, slot: slot), !state.contains(.inaccessible), let context = registry.context else {
      checkFailure(slot)
      return nil
    }
    let reference = (base + layout.offset(slot)).load(as: ObjectReference.self)
    let object = context.object(for: reference)
    ensureExtras().setDestination(object, slot: slot)
    if let faultWatch = context.faultWatch, object.isFault {
      faultWatch.reached([object], by: layout.slots[slot].name, of: self)
    }
    return object
  }

  /// Leads a to-one relationship to another object, and keeps the other sides in step.
  final func setDestination(_ object: NSManagedObject?, slot: Int) {
    let previous = destination(slot)
    guard let relationship = layout.slots[slot].relationship else { return }
    if previous === object { return }
    if let object { checkDestination(object, of: relationship) }
    writeReference(object, slot: slot)
    guard let inverse = relationship.frozenInverse else { return }
    previous?.lose(self, inverse: inverse)
    object?.gain(self, inverse: inverse)
  }

  /// Sets one side alone.
  final func writeReference(_ object: NSManagedObject?, slot: Int) {
    announceChange(slot)
    let row = writableRow()
    if let object {
      row.set(.reference(object.reference), slot: slot)
    } else {
      row.setNull(slot)
    }
    ensureExtras().setDestination(object, slot: slot)
    recordChange()
  }

  /// Called on the object at the other end of a relationship that an object has left.
  final func lose(_ object: NSManagedObject, inverse: NSRelationshipDescription) {
    guard let index = layout.names.index(of: inverse.name) else { return }
    if index < 0 {
      withdraw(object, index: -1 - index)
    } else if destination(index) === object {
      writeReference(nil, slot: index)
    }
  }

  /// Called on the object at the other end of a relationship that an object has entered.
  final func gain(_ object: NSManagedObject, inverse: NSRelationshipDescription) {
    guard let index = layout.names.index(of: inverse.name) else { return }
    if index < 0 {
      place(object, index: -1 - index, isNew: true)
      return
    }
    let previous = destination(index)
    if previous === object { return }
    writeReference(object, slot: index)
    if let previous, let back = inverse.frozenInverse { previous.lose(self, inverse: back) }
  }

  /// Stops the program when an object cannot be at the end of a relationship.
  final func checkDestination(_ object: NSManagedObject, of relationship: NSRelationshipDescription) {
    let entity = object.layout.entity
    if let wanted = relationship.frozenDestination, entity !== wanted, !entity.isKindOf(entity: wanted) {
      fatalError(
        """
        \(layout.entity.name ?? "").\(relationship.name) leads to \(wanted.name ?? ""), and cannot be set to an \
        object of \(object.layout.entity.name ?? ""); set it to an object of \(wanted.name ?? "").
        """
      )
    }
    if registry !== object.registry, let context = managedObjectContext,
      let other = object.managedObjectContext, context !== other
    {
      fatalError(
        """
        \(layout.entity.name ?? "").\(relationship.name) cannot lead to an object of another context; get it \
        in this one by context.object(with: object.objectID).
        """
      )
    }
  }
}
