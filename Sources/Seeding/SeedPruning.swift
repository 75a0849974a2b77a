/// The objects without a record in the seeds of a run that the run deletes.
public enum SeedPruning: String, CaseIterable, Sendable {
  /// None. This is the default.
  case none

  /// Those that seeds have made, and that one of the run has brought and none brings any more:
  /// never a user's.
  ///
  /// The store's account of a seed knows them by their natural keys, from the run on that made
  /// them; objects without a natural key, and those of stores that were seeded before the account
  /// had this, stay. So does what another seed brings as well, and an object whose natural key a
  /// user has changed.
  case own

  /// All objects of the entities that the seeds of the run have lists of, whoever made them; where
  /// a list is empty, those are all objects of the entity. `SeedMode.prune` deletes the same.
  case all
}
