public import ArgumentParser
public import Seeding

/// The options for how seeds and a store's users share the data: a profile, or its settings one by one.
struct ProfileOptions: ParsableArguments {
  @Option(
    help: """
      How the seeds and the users of the store go together. Without it, what a changed file says overwrites what differs, and \
      nothing is deleted.
      """
  )
  var profile: SeedProfile?

  @Flag(help: "Let --profile reset delete objects outside of development.") var force = false

  @Option(
    help:
      "In place of --profile: what happens to objects that are in the store. \(SeedMode.choice); upsert without it.",
    completion: .list(SeedMode.words),
    transform: { try SeedMode(option: $0) }
  )
  var mode: SeedMode?

  @Option(help: "In place of --profile: which objects to delete that the seeds have no record of.")
  var prune: SeedPruning?

  @Flag(help: "In place of --profile: do not insert again what the seed has made and a user has deleted.")
  var keepDeleted = false

  @Option(
    help:
      "What becomes of a value that both a user and the seed have changed, with --profile sync or --mode merge."
  )
  var onConflict: SeedConflictPolicy?

  @Option(
    help: ArgumentHelp("A property that records give to new objects alone.", valueName: "Entity.property"),
    completion: .properties
  )
  var createOnly: [String] = []

  func validate() throws {
    for property in createOnly where Self.property(property) == nil {
      throw ValidationError("--create-only \(property): give an entity and a property, such as Note.title.")
    }
    guard !force || profile == .reset else { throw ValidationError("--force is for --profile reset.") }
    if let profile { return try check(nextTo: profile) }
    if mode == .replace, let prune, prune != .none {
      throw ValidationError(
        "--prune \(prune.rawValue): --mode replace deletes all objects of the seeds' entities; leave one of them out."
      )
    }
    if let onConflict, mode != .merge {
      throw ValidationError(
        "--on-conflict \(onConflict.rawValue): there are conflicts with --profile sync or --mode merge alone."
      )
    }
  }

  private func check(nextTo profile: SeedProfile) throws {
    if let mode { try Self.check(profile, setting: .mode, option: "--mode \(mode.rawValue)") }
    if let prune { try Self.check(profile, setting: .pruning, option: "--prune \(prune.rawValue)") }
    if keepDeleted { try Self.check(profile, setting: .deletions, option: "--keep-deleted") }
    if let property = createOnly.first {
      try Self.check(profile, setting: .createOnly, option: "--create-only \(property)")
    }
    if let onConflict {
      try Self.check(profile, setting: .conflictPolicy, option: "--on-conflict \(onConflict.rawValue)")
    }
  }

  /// Refuses an option that contradicts a profile.
  static func check(_ profile: SeedProfile, setting: SeedProfile.Setting, option: String) throws {
    guard let objection = profile.objection(to: setting) else { return }
    throw ValidationError(
      "--profile \(profile.rawValue) and \(option) do not go together: \(objection); leave one of them out."
    )
  }

  /// The option that makes a run delete objects; nil if none does.
  var deletion: String? {
    if let profile { return profile == .starter ? nil : "--profile \(profile.rawValue)" }
    if mode == .replace { return "--mode replace" }
    return prune.flatMap { $0 == .none ? nil : "--prune \($0.rawValue)" }
  }

  /// A seeder with these settings.
  /// - Parameter policy: nil for the profile's policy.
  func seeder(_ sources: [SeedSource], policy: SeedPolicy?, onFailure: SeedFailureHandling) -> Seeder {
    var seeder: Seeder
    if let profile {
      seeder = Seeder(sources, profile: profile, policy: policy, onFailure: onFailure)
    } else {
      seeder = Seeder(sources, mode: mode ?? .upsert, policy: policy ?? .oncePerContent, onFailure: onFailure)
      seeder.pruning = prune ?? .none
      seeder.restoresDeletedObjects = !keepDeleted
    }
    seeder.allowsReset = force
    seeder.conflictPolicy = onConflict ?? .keepStore
    for (entity, name) in createOnly.compactMap(Self.property) { seeder.createOnly[entity, default: []].insert(name) }
    return seeder
  }

  private static func property(_ argument: String) -> (entity: String, name: String)? {
    let parts = argument.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } ? (parts[0], parts[1]) : nil
  }
}

extension SeedMode {
  /// The modes as values of the option.
  static let words = allCases.map(\.rawValue)

  /// The modes as an enumeration for messages.
  static let choice = words.dropLast().joined(separator: ", ") + " or \(words.last ?? "")"

  /// Parses the value of the option.
  ///
  /// - Throws: An error for any other word. For the name of a former mode, it says what replaces the mode.
  init(option word: String) throws {
    if let mode = SeedMode(rawValue: word) {
      self = mode
    } else if SeedProfile(rawValue: word) != nil {
      throw ValidationError("it is a profile; give --profile \(word).")
    } else if word == "prune" {
      throw ValidationError("give --prune all in place of this mode, or --prune own.")
    } else if word == "insert" {
      throw ValidationError(
        "in place of this mode, let the seed's header declare that there is no natural key: \"$keys\": {\"notes\": []}."
      )
    } else {
      throw ValidationError("give \(Self.choice).")
    }
  }
}

extension SeedProfile: ExpressibleByArgument {}

extension SeedPruning: ExpressibleByArgument {}

extension SeedConflictPolicy: ExpressibleByArgument {}
