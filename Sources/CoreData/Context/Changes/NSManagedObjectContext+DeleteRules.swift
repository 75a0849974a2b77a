extension NSManagedObjectContext {
  /// One destination that a delete rule is applied to.
  private struct DeletionStep {
    let source: NSManagedObject
    let relationship: NSRelationshipDescription
    let destination: NSManagedObject
  }

  /// Deletes an object in this context, without what its delete rules do.
  final func markAsDeleted(_ object: NSManagedObject) {
    object.prepareForDeletion()
    object.fireFaultIfNeeded()
    object.announceChanges()
    if !object.state.contains(.eventRecorded) { object.recordEventSnapshot() }
    object.state.insert(.deleted)
    recordChange(of: object)
  }

  /// Applies the delete rules of the objects that the event has deleted, and of the objects that those rules delete.
  final func applyDeleteRulesOfEvent() {
    var index = 0
    while index < pendingForEvent.count {
      let object = pendingForEvent[index]
      if object.isDeleted { applyDeleteRules(of: object) }
      index += 1
    }
  }

  /// Applies the delete rules that could not be applied before, since relationships could not be read.
  final func applyWaitingDeleteRules() {
    hasUnpropagatedDeletions = false
    for object in Array(pending) where object.isDeleted { applyDeleteRules(of: object) }
  }

  /// Applies the delete rules of a deleted object to the destinations that the store has now.
  ///
  /// - Parameter prepare: called with each destination before a rule is applied to it.
  final func applyDeleteRulesAnew(of object: NSManagedObject, preparing prepare: (NSManagedObject) -> Void) {
    object.state.remove(.deletionPropagated)
    applyDeleteRules(of: object, preparing: prepare)
  }

  /// Applies the delete rules of a deleted object, and of the objects that they delete. The rules of one destination
  /// and of all objects below it are applied before those of the next destination.
  ///
  /// The data determine the length of a chain of cascades. The objects that wait are therefore in an array, and not on
  /// the stack.
  final func applyDeleteRules(
    of object: NSManagedObject,
    preparing prepare: (NSManagedObject) -> Void = { _ in }
  ) {
    var steps = deletionSteps(of: object)
    while let step = steps.popLast() {
      if step.destination.isDeleted { continue }
      prepare(step.destination)
      if step.destination.isDeleted { continue }
      if step.relationship.deleteRule == .cascadeDeleteRule {
        markAsDeleted(step.destination)
        steps += deletionSteps(of: step.destination)
      } else if let inverse = step.relationship.frozenInverse {
        step.destination.lose(step.source, inverse: inverse)
      }
    }
  }

  /// The destinations of a deleted object to which its rules are to be applied, the first of them last. They are
  /// asked for once.
  private final func deletionSteps(of object: NSManagedObject) -> [DeletionStep] {
    guard object.state.insert(.deletionPropagated).inserted, object.layout.hasRelationships else { return [] }
    let (destinations, hasFailed) = noticingReadFailures { object.destinationsForDeletion() }
    if hasFailed {
      object.state.remove(.deletionPropagated)
      hasUnpropagatedDeletions = true
      return []
    }
    var steps: [DeletionStep] = []
    for (relationship, destinations) in destinations.reversed()
    where relationship.deleteRule == .cascadeDeleteRule || relationship.deleteRule == .nullifyDeleteRule {
      for destination in destinations.reversed() {
        steps.append(DeletionStep(source: object, relationship: relationship, destination: destination))
      }
    }
    return steps
  }
}
