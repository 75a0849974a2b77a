import Foundation

/// The conditions under which a seed is imported; otherwise it is skipped.
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

  /// Imports the seed if its content differs from the last import under the seed's name in the
  /// store's ledger. The same file is skipped the next time, and a changed file is imported, even
  /// if it is an earlier version. This is the default.
  public static let oncePerContent = SeedPolicy(kind: .oncePerContent)

  /// Imports the seed once for each name. A change of its content does not import it again.
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

  /// True if a changed content does not import a seed again.
  var isOnce: Bool {
    switch kind {
    case .oncePerName, .oncePerFlag: true
    case .oncePerContent, .always: false
    }
  }

  /// True if imported seeds are read again.
  var rereads: Bool {
    switch kind {
    case .oncePerName, .oncePerContent: false
    case .oncePerFlag, .always: true
    }
  }

  /// True if a flag exists and is set.
  var isFlagSet: Bool {
    guard case .oncePerFlag(let key, let suite) = kind else { return false }
    return Self.defaults(suite).bool(forKey: key)
  }

  func setFlag() {
    guard case .oncePerFlag(let key, let suite) = kind else { return }
    let defaults = Self.defaults(suite)
    defaults.set(true, forKey: key)
    // Outside Apple's platforms, user defaults are not written when a process ends.
    _ = defaults.synchronize()
  }

  private static func defaults(_ suite: String?) -> UserDefaults {
    suite.flatMap(UserDefaults.init(suiteName:)) ?? .standard
  }
}
