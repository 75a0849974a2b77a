import CoreData

/// Updates an existing object from its record by the run's rules: create-only values are kept, and
/// in a merge a user's changes are, too.
struct RecordUpdate {
  let record: PlannedRecord
  let object: NSManagedObject
  let ledger: LedgerDraft
  let contents: SeedContents
  private(set) var conflicts: [SeedReport.Conflict] = []

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
      if let conflict = outcome.conflict { conflicts.append(conflict) }
      guard outcome.decision.applies else { continue }
      object.setValue(value.merged(into: present), forKey: attribute.name)
      differs = true
    }
    return differs
  }

  /// Decides whether a reference is written to the object, which has other members.
  /// - Parameters:
  ///   - destinations: The members that the reference leads to; nil if it also leads to records
  ///     whose objects are not known yet.
  ///   - others: The destinations that records of the other side add.
  mutating func applies(
    _ destinations: [NSManagedObject]?,
    for reference: PlannedRecord.Reference,
    with others: [NSManagedObject] = []
  ) -> Bool {
    let relationship = reference.relationship
    guard reference.removals == nil else {
      return ledger.decide(change: reference, of: record, on: object) { contents.said(reference) }.applies
    }
    // Only a merge compares the present value.
    guard ledger.seeder.mode == .merge else { return !record.createOnly.contains(relationship.name) }
    let present = ObjectWriting.members(relationship, of: object)
    if destinations == nil, !record.createOnly.contains(relationship.name),
      contents.said(reference) == contents.present(present, reference: reference)
    {
      // An object without an owner would be created again.
      return reference.owns
    }
    let outcome = ledger.decide(
      relationship,
      of: record,
      on: object,
      contents.said(reference, with: others)
        ?? destinations.map { contents.present($0, reference: reference) },
      over: contents.present(present, reference: reference),
      isUntouched: present.isEmpty
    ) {
      let name = { (object: NSManagedObject) in
        reference.destination.naturalKey?.values(of: object)?.words
      }
      func words(_ members: [NSManagedObject], isList: Bool) -> String {
        ValueWords.of(isList ? NSOrderedSet(array: members) : members.first, name)
      }
      guard let destinations else {
        let targets = reference.targets.map { $0.naturalKey?.words ?? "a \(reference.destination.name)" }
        return (words(present, isList: true), "[\(targets.joined(separator: ", "))]")
      }
      return (words(present, isList: relationship.isToMany), words(destinations, isList: relationship.isToMany))
    }
    if let conflict = outcome.conflict { conflicts.append(conflict) }
    return outcome.decision.applies
  }
}
