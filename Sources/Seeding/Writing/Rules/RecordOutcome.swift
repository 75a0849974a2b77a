/// The outcome of a record, which the report counts and the ledger records.
enum RecordOutcome: Equatable {
  /// The run created an object from the record.
  case created
  /// The object differed from the record, and has the record's values now.
  case updated
  /// The object had the record's values.
  case unchanged
  /// The object is unchanged or absent, whatever the record has.
  case left
  /// The store already has the record's seed.
  case standing

  /// True if the run writes the record's values and relationships.
  var isWritten: Bool { self == .created || self == .updated || self == .unchanged }

  /// Returns true if the record states a property. A record states nothing about the create-only
  /// properties of an existing object.
  func states(_ property: String, of record: PlannedRecord) -> Bool {
    self == .created || !record.createOnly.contains(property)
  }
}

extension [String: SeedReport.Counts] {
  /// Counts the outcome of a record of an entity.
  mutating func count(_ outcome: RecordOutcome, of entity: String, by number: Int = 1) {
    switch outcome {
    case .created: self[entity, default: .init()].created += number
    case .updated: self[entity, default: .init()].updated += number
    case .unchanged: self[entity, default: .init()].unchanged += number
    case .left: self[entity, default: .init()].skipped += number
    case .standing: break
    }
  }

  /// Counts deleted objects, by entity.
  mutating func count(deleted: [String: Int]) {
    for (entity, count) in deleted where count > 0 { self[entity, default: .init()].deleted += count }
  }

  /// Counts conflicts.
  mutating func count(_ conflicts: [SeedReport.Conflict]) {
    for conflict in conflicts { self[conflict.entity, default: .init()].conflicts += 1 }
  }
}
