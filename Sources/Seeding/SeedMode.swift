/// The effect of a seed on objects that are in the store: a setting for experts, which each `SeedProfile` has.
///
/// Objects are identified by their natural keys. A record without a complete natural key is
/// inserted in every mode, unless it is nested in a list that owns its objects: a relationship with
/// the delete rule Cascade, or one under `$replace`. Such records are matched with the owner's
/// objects, and objects that the list does not contain are deleted.
///
/// ```swift
/// let seeder = Seeder(.bundle(.module, "plants.json"), mode: .createOnly)
/// let report = try await seeder.run(in: container)
/// print(report.total.created, report.total.skipped)  // 1 1: what a user has changed stays
/// ```
public enum SeedMode: String, CaseIterable, Sendable {
  /// Inserts missing objects, and updates existing objects only where they differ from their
  /// records. This is the default.
  case upsert

  /// Inserts missing objects and leaves existing objects unchanged: all properties are treated like the create-only
  /// properties that `Seeder.createOnly` names. A user's changes are never overwritten.
  case createOnly = "create-only"

  /// Inserts missing objects. In existing objects, updates only the values that the seed itself has
  /// changed since its last import, so that a user's changes remain. If both have changed a value,
  /// `Seeder.conflictPolicy` decides, and the report has the conflict.
  ///
  /// In every mode, the store's ledger keeps the values of the seed, in 8 bytes for each property of each object. If no
  /// seed has given a property a value, the property is treated as changed by the user when its value differs from that
  /// of a new object. With `SeedPruning.own`, a user's change to an object conflicts with the object's deletion.
  case merge

  /// Deletes all objects of the entities that the seed has lists for, and then inserts the records. An empty list, or a
  /// table without rows, leaves its entity without objects. The model's delete rules remove references from objects of
  /// other entities to deleted objects. Nothing remains to be pruned.
  case replace
}

/// The objects without a record in the seeds of a run that the run deletes.
public enum SeedPruning: String, CaseIterable, Sendable {
  /// None. This is the default.
  case none

  /// Deletes objects that seeds have created, that the run's seeds contained earlier, and that no
  /// seed contains any more; never a user's objects.
  ///
  /// If a record of the run refers to such an object, the run ends with an error. The store's ledger identifies the
  /// objects by their natural keys, beginning with the run that created them. Objects without a natural key, and
  /// objects of stores that were seeded before the ledger had this, are kept. Objects that another seed also contains,
  /// and objects whose natural key a user has changed, are kept, too.
  case own

  /// All objects of the entities that the seeds of the run have lists of, users' own too; where a list
  /// is empty, those are all objects of the entity.
  case all
}

/// The rule for a value that both a user and the seed have changed, in the mode `merge`.
public enum SeedConflictPolicy: String, CaseIterable, Sendable {
  /// The value in the store stays. This is the default.
  case keepStore = "keep-store"

  /// The seed's value wins.
  case takeSeed = "take-seed"
}
