import Texts

/// The keys of a seed that no property has: a person who corrects one wants to know of the others.
struct UnknownKeys {
  private struct Key: Hashable {
    let entity: String
    let key: String
  }

  /// The error of the first key.
  private var first: SeedError?

  /// The largest number of unknown keys that an error names, and of further records that are read
  /// to find them.
  private static let mostNamed = 10
  static let mostRecords = 100_000

  private var keys: [Key] = []

  /// True when no more keys are named.
  var isFull: Bool { keys.count > Self.mostNamed + 1 }

  mutating func add(_ key: String, of entity: String, _ error: SeedError) {
    first = first ?? error
    let key = Key(entity: entity, key: key)
    if !isFull, !keys.contains(key) { keys.append(key) }
  }

  /// The error of the first of the keys, which names the others too; any other error as it is.
  func naming(_ error: SeedError) -> SeedError {
    guard error == first, keys.count > 1 else { return error }
    let named = keys[1...].prefix(Self.mostNamed).map { "\($0.entity) \"\($0.key.abbreviated)\"" }
    let more = isFull ? " and more" : ""
    return SeedError(
      error.code,
      at: error.position,
      "\(error.problem); the same is true of \(named.joined(separator: ", "))\(more)",
      remedy: error.remedy
    )
  }
}
