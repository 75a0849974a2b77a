/// What becomes of a value that both a user and the seed have changed, in the mode `merge`.
public enum SeedConflictPolicy: String, CaseIterable, Sendable {
  /// What is in the store stays. This is the default.
  case keepStore = "keep-store"

  /// What the seed says is taken.
  case takeSeed = "take-seed"
}
