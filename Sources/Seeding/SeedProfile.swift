/// The way that a seed and a store's users go together, as one choice of four: a mode, a pruning, what
/// becomes of deletions, and a policy.
///
/// ```swift
/// let seeder = Seeder(.bundle(.module, "plants.json"), profile: .sync)
/// let report = try await seeder.run(in: container)
/// print(report)  // Plant: 1 created, 1 unchanged: what a user has changed stays
/// ```
///
/// To set the mode and the other settings individually, leave out the profile. A setting that a
/// profile already contains is an error of the run. A policy, `Seeder.createOnly` and
/// `Seeder.conflictPolicy` can be combined with the profiles that use them.
public enum SeedProfile: String, CaseIterable, Sendable {
  /// The store follows the seed, and users only read its objects: a list of stations, units, tax rates. Users' changes
  /// to these objects are overwritten, and objects that users have deleted are created again. Objects that an earlier
  /// version of the seed created are deleted if the seed does not contain them any more. Users' own objects remain.
  case reference

  /// The seed gives examples, which belong to the user from then on: notes to try an application
  /// with. Existing objects are not changed, and objects that a user has deleted stay deleted.
  /// Later versions of the seed add their new objects.
  case starter

  /// Both the seed and the user continue to change the data: the recipes of an application that is updated. Values that
  /// only the seed has changed are updated, values that only a user has changed remain, and a value that both have
  /// changed is a conflict (`Seeder.conflictPolicy`). Objects that the seed does not contain any more are deleted
  /// unless a user has changed them, and objects that a user has deleted remain deleted.
  case sync

  /// The store begins anew at each run: demonstrations, and data to develop with. **All objects of the
  /// seed's entities are deleted, those of users too**, and made again. It is refused outside of
  /// development (see `Seeder.allowsReset`).
  case reset
}

extension SeedProfile {
  /// The effect of a record on its object in the store.
  public var mode: SeedMode {
    switch self {
    case .reference: .upsert
    case .starter: .createOnly
    case .sync: .merge
    case .reset: .replace
    }
  }

  /// The objects without a record that are deleted. The mode `replace` deletes all of them.
  public var pruning: SeedPruning {
    switch self {
    case .reference, .sync: .own
    case .starter, .reset: .none
    }
  }

  /// True if objects that a user has deleted are created again.
  public var restoresDeletedObjects: Bool {
    switch self {
    case .reference, .reset: true
    case .starter, .sync: false
    }
  }

  /// The conditions under which a seed is imported again.
  public var policy: SeedPolicy {
    switch self {
    case .reference, .starter, .sync: .oncePerContent
    case .reset: .always
    }
  }
}

extension SeedProfile {
  /// A setting that is given next to a profile.
  package enum Setting {
    case mode, pruning, deletions, createOnly, conflictPolicy, once
  }

  /// The reason that a setting cannot be given next to the profile; nil where it can.
  package func objection(to setting: Setting) -> String? {
    switch setting {
    case .mode: "\(rawValue) has the mode \(mode.rawValue)"
    case .pruning:
      self == .reset ? "\(rawValue) deletes all objects" : "\(rawValue) has the pruning \(pruning.rawValue)"
    case .deletions: "\(rawValue) \(restoresDeletedObjects ? "makes again" : "leaves deleted") what users have deleted"
    case .createOnly:
      switch self {
      case .reference, .sync: nil
      case .starter: "\(rawValue) gives values to new objects alone"
      case .reset: "\(rawValue) makes all objects anew"
      }
    case .conflictPolicy: self == .sync ? nil : "\(rawValue) has no conflicts"
    case .once:
      switch self {
      case .starter: nil
      case .reference, .sync: "\(rawValue) follows the versions of a seed"
      case .reset: "\(rawValue) begins anew at each run"
      }
    }
  }
}

extension Seeder {
  /// Checks that the settings go with the profile, and that the profile may be used here.
  /// - Parameter isPreview: True if nothing will be written.
  func checkProfile(isPreview: Bool) throws {
    guard let profile else { return }
    for (setting, words) in settingsNextToProfile(profile) {
      guard let objection = profile.objection(to: setting) else { continue }
      throw SeedError(
        code: .wrongPlan,
        problem: "the profile \(profile.rawValue) and \(words) do not go together: \(objection)",
        remedy: "leave one of them out"
      )
    }
    guard profile != .reset || allowsReset || isPreview || isInDevelopment else {
      throw SeedError(
        code: .notInDevelopment,
        problem:
          "the profile reset deletes all objects of the seeds' entities, and this is not known to be a development machine",
        remedy:
          "set \(Development.variable)=\(Development.value) where stores may be lost, or force it (allowsReset, --force)"
      )
    }
  }

  /// The settings that differ from the profile's own, in words.
  private func settingsNextToProfile(_ profile: SeedProfile) -> [(SeedProfile.Setting, String)] {
    var settings: [(SeedProfile.Setting, String)] = []
    if mode != profile.mode { settings.append((.mode, "the mode \(mode.rawValue)")) }
    if pruning != profile.pruning { settings.append((.pruning, "the pruning \(pruning.rawValue)")) }
    if restoresDeletedObjects != profile.restoresDeletedObjects {
      settings.append((.deletions, "restoresDeletedObjects = \(restoresDeletedObjects)"))
    }
    if !createOnly.isEmpty { settings.append((.createOnly, "createOnly")) }
    if conflictPolicy != .keepStore {
      settings.append((.conflictPolicy, "the conflict policy \(conflictPolicy.rawValue)"))
    }
    if policy.isOnce { settings.append((.once, "a policy that takes a seed in once")) }
    return settings
  }
}
