/// The decision on the object that a record describes, which both writers carry out.
enum RecordDecision: Equatable {
  /// The run creates the object.
  case create
  /// The object exists, and the run updates it from the record.
  case update
  /// The run changes no object and creates none. The report counts the record as skipped.
  case leave
  /// The store already has the record's seed, so that the record does not change anything.
  case stand

  /// True if the run writes the record's values and relationships.
  var writes: Bool { self == .create || self == .update }

  /// Decides on a record.
  /// - Parameters:
  ///   - hasObject: True if the store or the run has the object of the record.
  ///   - isUnchangedSeed: True if the store already has the record's seed.
  ///   - isIdentifiable: True if the object can be found again: by its natural key, or by the owner of a nested record.
  ///   - isLeftOut: True if the record is skipped with its outer record, or because a user has deleted its owner.
  ///   - staysDeleted: True if a user has deleted the object, and it is not restored.
  static func decide(
    hasObject: Bool,
    isUnchangedSeed: Bool,
    isIdentifiable: Bool,
    isLeftOut: Bool,
    staysDeleted: @autoclosure () -> Bool,
    mode: SeedMode,
    pruning: SeedPruning
  ) -> RecordDecision {
    if isUnchangedSeed {
      // Without a natural key, nothing could protect the old object from being deleted.
      return !hasObject && !isIdentifiable && pruning == .all ? .create : .stand
    }
    if isLeftOut { return .leave }
    if hasObject { return mode == .createOnly ? .leave : .update }
    return staysDeleted() ? .leave : .create
  }
}

extension LedgerDraft {
  /// Decides on a record by the settings of the run and by the store's ledger.
  /// - Parameters:
  ///   - hasObject: True if the store or the run has the object of the record.
  ///   - isLeftOut: True if the record is skipped with its outer record, or because a user has deleted its owner.
  func decision(on record: PlannedRecord, hasObject: Bool, isLeftOut: Bool) -> RecordDecision {
    .decide(
      hasObject: hasObject,
      isUnchangedSeed: record.isUnchangedSeed,
      isIdentifiable: record.naturalKey != nil || record.isNested,
      isLeftOut: isLeftOut,
      staysDeleted: staysDeleted(record),
      mode: seeder.mode,
      pruning: seeder.effectivePruning
    )
  }
}
