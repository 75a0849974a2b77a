import CoreData
import Foundation
import Testing

@testable import Seeding

/// What the guides say of profiles and of settings is what comes of them.
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

  private static func head(_ word: String) -> String {
    """
    | \(word) | a value that a user has changed | that the seed has changed | that both have changed | an object that a user has made | that the seed has made, and has not any more | that a user has deleted |
    |---|---|---|---|---|---|---|
    """
  }

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

  private func line(_ row: Row, _ way: SeedWay) throws -> String {
    let store = try way.store()
    let first = seed(["user": "old", "seed": "old", "both": "old", "gone": "old", "deleted": "old"])
    let second = seed(["user": "old", "seed": "new", "both": "new", "deleted": "old"])
    try seed(store, first, row, way)
    try store.insert("Note", ["title": "mine"])
    for title in ["user", "both"] { try store.set("Note", "title", title, "contents", to: "edited") }
    try store.delete("Note", "title", "deleted")
    try seed(store, second, row, way)
    let lines = try store.lines("Note", "title", "contents").map { $0.split(separator: "|").map(String.init) }
    func contents(_ title: String) -> [String] { lines.filter { $0[0] == title }.map { $0[1] } }
    func value(_ title: String) -> String {
      switch contents(title) {
      case ["edited"]: "stays"
      case ["new"]: "taken from the seed"
      case ["old"]: title == "user" ? "overwritten" : "stays"
      default: "gone"
      }
    }
    func object(_ title: String) -> String { contents(title).isEmpty ? "deleted" : "stays" }
    let deleted = contents("deleted").isEmpty ? "stays deleted" : "made again"
    let cells = [
      row.title, value("user"), value("seed"), value("both"), object("mine"), object("gone"), deleted,
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }

  private func expect(_ rows: [Row], _ word: String, in guide: String, _ way: SeedWay) throws {
    let table = ([Self.head(word)] + (try rows.map { try line($0, way) })).joined(separator: "\n") + "\n"
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: root.appendingPathComponent("Documentation/\(guide)"), encoding: .utf8)
    let isInGuide = text.contains(table)
    #expect(isInGuide, "the table is:\n\(table)")
  }

  @Test("have what each profile does", arguments: SeedWay.allCases)
  func profiles(way: SeedWay) throws {
    try expect(Self.profileRows, "profile", in: "Seeding.md", way)
  }

  @Test("have what each setting does", arguments: SeedWay.allCases)
  func settings(way: SeedWay) throws {
    try expect(Self.settingRows, "mode", in: "Seeding/SeedSettings.md", way)
  }
}
