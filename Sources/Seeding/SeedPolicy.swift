import Foundation

/// The occasions on which a seed is taken in; on all others it is left out.
///
/// ```swift
/// let once = Seeder(.bundle(.module, "plants.json"), policy: .oncePerContent)
/// try await once.run(in: container)
/// let second = try await once.run(in: container)
/// print(second.seeds.map(\.wasSkipped))  // [true]
/// ```
public struct SeedPolicy: Hashable, Sendable {
  enum Kind: Hashable {
    case oncePerName
    case oncePerContent
    case oncePerFlag(key: String, suite: String?)
    case always
  }

  let kind: Kind

  /// Whenever the content is another than the store took in last under the seed's name: the store's
  /// ledger has it. The same file again is skipped; a changed one is taken in, an earlier version too.
  /// This is the default.
  public static let oncePerContent = SeedPolicy(kind: .oncePerContent)

  /// Once for each name, whatever becomes of the content: what has been seeded is never taken in
  /// again.
  public static let oncePerName = SeedPolicy(kind: .oncePerName)

  /// Every time. Records whose objects are in the store by natural key change them; records of
  /// entities without a natural key are inserted again.
  ///
  /// ```swift
  /// let seeder = Seeder(.bundle(.module, "plants.json"), policy: .always)
  /// try await seeder.run(in: container)
  /// let second = try await seeder.run(in: container)
  /// print(second)  // Plant: 2 unchanged
  /// ```
  public static let always = SeedPolicy(kind: .always)

  /// Once for each user: a flag in the user defaults, set after success, stops all further runs,
  /// also those of other content and other stores.
  /// - Parameters:
  ///   - key: The key of the flag.
  ///   - suite: The name of the user defaults' suite, nil for the standard one.
  public static func oncePerFlag(key: String = "didSeedPersistentStore", suite: String? = nil) -> SeedPolicy {
    SeedPolicy(kind: .oncePerFlag(key: key, suite: suite))
  }

  /// The entry of a seed in the ledger, when that is a reason to leave the seed out.
  func entry(of seed: LoadedSeed, in ledger: SeedLedger) -> SeedLedger.Entry? {
    switch kind {
    case .oncePerName: ledger.firstEntry(of: seed.name) ?? ledger.current(seed)
    case .oncePerContent: ledger.current(seed)
    case .oncePerFlag, .always: nil
    }
  }

  /// True when a content that has changed is no reason to take a seed in again.
  var isOnce: Bool {
    switch kind {
    case .oncePerName, .oncePerFlag: true
    case .oncePerContent, .always: false
    }
  }

  /// True when seeds that the store took in are to be read again.
  var rereads: Bool {
    switch kind {
    case .oncePerName, .oncePerContent: false
    case .oncePerFlag, .always: true
    }
  }

  /// True when the flag, if there is one, says that everything was done before.
  var isFlagSet: Bool {
    guard case .oncePerFlag(let key, let suite) = kind else { return false }
    return Self.defaults(suite).bool(forKey: key)
  }

  func setFlag() {
    guard case .oncePerFlag(let key, let suite) = kind else { return }
    let defaults = Self.defaults(suite)
    defaults.set(true, forKey: key)
    // Outside Apple's platforms nothing writes user defaults when a process ends.
    _ = defaults.synchronize()
  }

  private static func defaults(_ suite: String?) -> UserDefaults {
    suite.flatMap(UserDefaults.init(suiteName:)) ?? .standard
  }
}
