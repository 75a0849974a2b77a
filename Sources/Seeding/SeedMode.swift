/// The effect of a seed on objects that are in the store: a setting for experts, which each
/// `SeedProfile` has.
///
/// Objects are known by their natural keys. Records of entities without one, or that do not give
/// all of theirs, are inserted in every mode, but for those within a list that owns its objects: a
/// relationship with the delete rule Cascade, or one under `$replace`. They are matched with what the
/// owner has, and what the list does not name is deleted.
///
/// ```swift
/// let seeder = Seeder(.bundle(.module, "plants.json"), mode: .createOnly)
/// let report = try await seeder.run(in: container)
/// print(report.total.created, report.total.skipped)  // 1 1: what a user has changed stays
/// ```
public enum SeedMode: String, CaseIterable, Sendable {
  /// Inserts what is not there, and changes what is there only where it differs from its record.
  /// This is the default.
  case upsert

  /// Inserts missing objects and leaves existing objects unchanged: all properties are treated like
  /// the create-only properties that `Seeder.createOnly` names. A user's changes are never
  /// overwritten.
  case createOnly = "create-only"

  /// Inserts missing objects. In existing objects, updates only the values that the seed itself has
  /// changed since its last import, so that a user's changes remain. If both have changed a value,
  /// `Seeder.conflictPolicy` decides, and the report has the conflict.
  ///
  /// In every mode, the store's ledger keeps the values of the seed, in 8 bytes for each property
  /// of each object. If no seed has given a property a value, the property is treated as changed by
  /// the user when its value differs from that of a new object. With `SeedPruning.own`, a user's
  /// change to an object conflicts with the object's deletion.
  case merge

  /// Deletes all objects of the entities that the seed has lists for, and then inserts the records.
  /// An empty list, or a table without rows, leaves its entity without objects. The model's delete
  /// rules remove references from objects of other entities to deleted objects. Nothing remains to
  /// be pruned.
  case replace
}

/// The objects without a record in the seeds of a run that the run deletes.
public enum SeedPruning: String, CaseIterable, Sendable {
  /// None. This is the default.
  case none

  /// Those that seeds have made, and that one of the run has brought and none brings any more:
  /// never a user's.
  ///
  /// An object that a record of the run refers to is an error. The store's ledger knows them by their
  /// natural keys, from the run on that made them; objects without a natural key, and those of stores
  /// that were seeded before the ledger had this, stay. So does what another seed brings as well, and
  /// an object whose natural key a user has changed.
  case own

  /// All objects of the entities that the seeds of the run have lists of, users' own too; where a list
  /// is empty, those are all objects of the entity.
  case all
}

/// The rule for a value that both a user and the seed have changed, in the mode `merge`.
public enum SeedConflictPolicy: String, CaseIterable, Sendable {
  /// The value in the store stays. This is the default.
  case keepStore = "keep-store"

  /// The value of the seed is taken.
  case takeSeed = "take-seed"
}
