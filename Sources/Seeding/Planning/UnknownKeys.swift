import Texts

/// The keys of a seed without a property. An error lists several of them, so that a person can correct them together.
struct UnknownKeys {
  private struct Key: Hashable {
    let entity: String
    let key: String
  }

  /// The error of the first key.
  private var first: SeedError?

  /// The largest number of unknown keys that an error names, and of further records that are read to find them.
  private static let mostNamed = 10
  static let mostRecords = 100_000

  private var keys: [Key] = []

  /// True if the list of keys is full.
  var isFull: Bool { keys.count > Self.mostNamed + 1 }

  mutating func add(_ key: String, of entity: String, error: SeedError) {
    first = first ?? error
    let key = Key(entity: entity, key: key)
    if !isFull, !keys.contains(key) { keys.append(key) }
  }

  /// The error of the first unknown key, extended with the others; any other error unchanged.
  func naming(_ error: SeedError) -> SeedError {
    guard error == first, keys.count > 1 else { return error }
    let named = keys[1...].prefix(Self.mostNamed).map { "\($0.entity) \"\($0.key.abbreviated)\"" }
    let more = isFull ? " and more" : ""
    return SeedError(
      code: error.code,
      at: error.position,
      problem: "\(error.problem); the same is true of \(named.joined(separator: ", "))\(more)",
      remedy: error.remedy
    )
  }
}
