import CoreData

/// Updates an existing object from its record by the run's rules: create-only values are kept, and
/// in a merge a user's changes are, too.
struct RecordUpdate {
  let record: PlannedRecord
  let object: NSManagedObject
  let ledger: LedgerDraft
  let contents: SeedContents
  private(set) var conflicts: [SeedReport.Conflict] = []

  init(
    record: PlannedRecord,
    object: NSManagedObject,
    ledger: LedgerDraft,
    _ contents: SeedContents = SeedContents()
  ) {
    self.record = record
    self.object = object
    self.ledger = ledger
    self.contents = contents
  }

  /// - Returns: True when the object was changed.
  mutating func setValues() -> Bool {
    var differs = false
    for (attribute, value) in record.values {
      let present = object.value(forKey: attribute.name)
      guard !value.isEqual(to: present) else { continue }
      let outcome = ledger.decide(
        attribute,
        of: record,
        on: object,
        SeedDigest.of(value),
        over: PlannedValue.present(present, of: attribute).flatMap { SeedDigest.of($0.limited(to: value)) },
        isUntouched: attribute.isDefault(present)
      ) {
        (ValueWords.of(present) { _ in nil }, ValueWords.of(value.merged(into: present)) { _ in nil })
      }
      guard applies(outcome) else { continue }
      object.setValue(value.merged(into: present), forKey: attribute.name)
      differs = true
    }
    return differs
  }

  /// Returns true when other destinations are to be written than a relationship has.
  /// - Parameter others: The destinations that records of the other side add.
  mutating func applies(
    _ destinations: [NSManagedObject],
    for reference: PlannedRecord.Reference,
    with others: [NSManagedObject] = []
  ) -> Bool {
    let relationship = reference.relationship
    // Additions and removals state nothing about the other members, and are applied once.
    guard reference.removals == nil else {
      return !record.createOnly.contains(relationship.name)
        && !ledger.hasSaid(contents.said(reference), for: reference, of: record, on: object)
    }
    let present = ObjectWriting.members(relationship, of: object)
    let outcome = ledger.decide(
      relationship,
      of: record,
      on: object,
      contents.said(reference, with: others) ?? contents.present(destinations, reference: reference),
      over: contents.present(present, reference: reference),
      isUntouched: present.isEmpty
    ) {
      let name = { (object: NSManagedObject) in
        reference.destination.naturalKey?.values(of: object)?.words
      }
      return (
        ValueWords.of(relationship.isToMany ? NSOrderedSet(array: present) : present.first, name),
        ValueWords.of(relationship.isToMany ? NSOrderedSet(array: destinations) : destinations.first, name)
      )
    }
    return applies(outcome)
  }

  private mutating func applies(_ outcome: LedgerDraft.Outcome) -> Bool {
    switch outcome {
    case .apply: return true
    case .leave: return false
    case .applyInConflict(let conflict):
      conflicts.append(conflict)
      return true
    case .leaveInConflict(let conflict):
      conflicts.append(conflict)
      return false
    }
  }
}
