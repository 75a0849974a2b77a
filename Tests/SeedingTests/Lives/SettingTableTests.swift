import CoreData
import Foundation
import Testing

@testable import Seeding

/// The profiles and settings do what the guides' tables say.
@Suite("The tables of profiles and settings in the guides")
struct SettingTableTests {
  private struct Row: Sendable {
    let title: String
    let profile: SeedProfile?
    let configure: @Sendable (inout Seeder) -> Void

    init(_ title: String, _ configure: @escaping @Sendable (inout Seeder) -> Void = { _ in }) {
      self.title = title
      profile = nil
      self.configure = configure
    }

    init(_ profile: SeedProfile) {
      title = "`\(profile.rawValue)`"
      self.profile = profile
      configure = { _ in }
    }
  }

  private static let profileRows = SeedProfile.allCases.map { Row($0) }

  private static let settingRows = [
    Row("`upsert`"),
    Row("`upsert`, the value is `$createOnly`") { $0.createOnly = ["Note": ["contents"]] },
    Row("`upsert`, `restoresDeletedObjects` is false") { $0.restoresDeletedObjects = false },
    Row("`upsert`, `pruning` is `.own`") { $0.pruning = .own },
    Row("`upsert`, `pruning` is `.all`") { $0.pruning = .all },
    Row("`createOnly`") { $0.mode = .createOnly },
    Row("`merge`") { $0.mode = .merge },
    Row("`merge`, `conflictPolicy` is `.takeSeed`") {
      $0.mode = .merge
      $0.conflictPolicy = .takeSeed
    },
    Row("`replace`") { $0.mode = .replace },
  ]

  private static let valueHead = """
    | profile | only the user has changed it | only the seed has changed it | both have changed it |
    |---|---|---|---|
    """
  private static let objectHead = """
    | profile | new in the seed | no longer in the seed | deleted by a user | made by a user |
    |---|---|---|---|---|
    """
  private static let settingHead = """
    | mode | a value that a user has changed | that the seed has changed | that both have changed | an object that a user has made | that the seed has made, and has not any more | that a user has deleted |
    |---|---|---|---|---|---|---|
    """

  private func seed(_ notes: KeyValuePairs<String, String>) -> String {
    let records = notes.map { "{\"title\": \"\($0.key)\", \"contents\": \"\($0.value)\"}" }
    return "{\"notes\": [\(records.joined(separator: ", "))]}"
  }

  private func seed(_ store: TestStore, _ text: String, _ row: Row, _ way: SeedWay) throws {
    if let profile = row.profile {
      try way.seed(store, ["seed.json": text], profile: profile)
    } else {
      try way.seed(store, ["seed.json": text], row.configure)
    }
  }

  /// The outcomes of values and of objects, by their titles.
  private struct Outcome {
    let contents: [String: String]

    func value(_ title: String) -> String {
      switch contents[title] {
      case "edited": "stays"
      case "new": "taken from the seed"
      case "old": title == "user" ? "overwritten" : "stays"
      default: "gone"
      }
    }

    /// The owner of a value.
    func owner(_ title: String) -> String {
      switch contents[title] {
      case "edited": "the user's"
      case "new": "the seed's"
      case "old": title == "user" ? "the seed's" : "as it was"
      default: "gone"
      }
    }

    func object(_ title: String) -> String { contents[title] == nil ? "deleted" : "stays" }

    var deleted: String { contents["deleted"] == nil ? "stays deleted" : "made again" }
  }

  private func outcome(_ row: Row, _ way: SeedWay) throws -> Outcome {
    let store = try way.store()
    let first = seed([
      "user": "old", "seed": "old", "both": "old", "gone": "old", "edited": "old", "deleted": "old",
    ])
    let second = seed(["user": "old", "seed": "new", "both": "new", "new": "new", "deleted": "old"])
    try seed(store, first, row, way)
    try store.insert("Note", ["title": "mine"])
    for title in ["user", "both", "edited"] {
      try store.set("Note", "title", title, "contents", to: "edited")
    }
    try store.delete("Note", "title", "deleted")
    try seed(store, second, row, way)
    let lines = try store.lines("Note", "title", "contents").map { $0.split(separator: "|").map(String.init) }
    return Outcome(contents: Dictionary(uniqueKeysWithValues: lines.map { ($0[0], $0[1]) }))
  }

  private func expect(_ head: String, _ lines: [[String]], in guide: String) throws {
    let table = ([head] + lines.map { "| \($0.joined(separator: " | ")) |" }).joined(separator: "\n") + "\n"
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent("Documentation/\(guide)"), encoding: .utf8)
    let isInGuide = text.contains(table)
    #expect(isInGuide, "the table is:\n\(table)")
  }

  @Test("the guides' table of profiles says what each profile does", arguments: SeedWay.allCases)
  func profiles(way: SeedWay) throws {
    let rows = try Self.profileRows.map { (title: $0.title, outcome: try outcome($0, way)) }
    let values = rows.map { row in [row.title] + ["user", "seed", "both"].map(row.outcome.owner) }
    try expect(Self.valueHead, values, in: "Seeding.md")
    let objects = rows.map { title, outcome in
      let isEditedKept = outcome.object("gone") == "deleted" && outcome.object("edited") == "stays"
      return [
        title,
        outcome.contents["new"] == nil ? "not made" : "made",
        outcome.object("gone") + (isEditedKept ? ", unless a user has changed it" : ""),
        outcome.deleted,
        outcome.object("mine") == "deleted" ? "deleted, if the seed has a list of its entity" : "stays",
      ]
    }
    try expect(Self.objectHead, objects, in: "Seeding.md")
  }

  @Test("the guides' table of settings says what each setting does", arguments: SeedWay.allCases)
  func settings(way: SeedWay) throws {
    let rows = try Self.settingRows.map { row in
      let outcome = try outcome(row, way)
      let values = ["user", "seed", "both"].map(outcome.value)
      return [row.title] + values + [outcome.object("mine"), outcome.object("gone"), outcome.deleted]
    }
    try expect(Self.settingHead, rows, in: "Seeding/SeedSettings.md")
  }
}
