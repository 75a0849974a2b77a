/// The rule for a value that both a user and the seed have changed, in the mode `merge`.
public enum SeedConflictPolicy: String, CaseIterable, Sendable {
  /// The value in the store stays. This is the default.
  case keepStore = "keep-store"

  /// The value of the seed is taken.
  case takeSeed = "take-seed"
}
