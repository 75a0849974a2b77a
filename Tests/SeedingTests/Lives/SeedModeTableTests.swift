import CoreData
import Foundation
import Testing

@testable import Seeding

/// What the guide says of modes is what comes of them.
@Suite("The table of modes in the guide")
struct SeedModeTableTests {
  private struct Row: Sendable {
    let title: String
    let configure: @Sendable (inout Seeder) -> Void
  }

  private static let rows = [
    Row(title: "`upsert`") { _ in },
    Row(title: "`upsert`, the value is `$createOnly`") { $0.createOnly = ["Note": ["contents"]] },
    Row(title: "`upsert`, `restoresDeletedObjects` is false") { $0.restoresDeletedObjects = false },
    Row(title: "`upsert`, `pruning` is `.own`") { $0.pruning = .own },
    Row(title: "`createOnly`") { $0.mode = .createOnly },
    Row(title: "`merge`") { $0.mode = .merge },
    Row(title: "`merge`, `conflictPolicy` is `.takeSeed`") {
      $0.mode = .merge
      $0.conflictPolicy = .takeSeed
    },
    Row(title: "`prune`, or `pruning` is `.all`") { $0.mode = .prune },
    Row(title: "`replace`") { $0.mode = .replace },
    Row(title: "`insert`") { $0.mode = .insert },
  ]

  private static let head = """
    | mode | a value that a user has changed | that the seed has changed | that both have changed | an object that a user has made | that the seed has made, and has not any more | that a user has deleted |
    |---|---|---|---|---|---|---|
    """

  private func seed(_ notes: KeyValuePairs<String, String>) -> String {
    let records = notes.map { "{\"title\": \"\($0.key)\", \"contents\": \"\($0.value)\"}" }
    return "{\"notes\": [\(records.joined(separator: ", "))]}"
  }

  private func line(_ row: Row, _ way: SeedWay) throws -> String {
    let store = try way.store()
    let first = seed(["user": "old", "seed": "old", "both": "old", "gone": "old", "deleted": "old"])
    let second = seed(["user": "old", "seed": "new", "both": "new", "deleted": "old"])
    try way.seed(store, ["seed.json": first], row.configure)
    try store.insert("Note", ["title": "mine"])
    for title in ["user", "both"] { try store.set("Note", "title", title, "contents", to: "edited") }
    try store.delete("Note", "title", "deleted")
    try way.seed(store, ["seed.json": second], row.configure)
    let lines = try store.lines("Note", "title", "contents").map { $0.split(separator: "|").map(String.init) }
    func contents(_ title: String) -> [String] { lines.filter { $0[0] == title }.map { $0[1] } }
    func value(_ title: String) -> String {
      switch contents(title) {
      case ["edited"]: "stays"
      case ["new"]: "taken from the seed"
      case ["old"]: title == "user" ? "overwritten" : "stays"
      case let several: several.count > 1 ? "stays, in another object than the seed's" : "gone"
      }
    }
    func object(_ title: String) -> String { contents(title).isEmpty ? "deleted" : "stays" }
    let deleted = contents("deleted").isEmpty ? "stays deleted" : "made again"
    let cells = [
      row.title, value("user"), value("seed"), value("both"), object("mine"), object("gone"), deleted,
    ]
    return "| \(cells.joined(separator: " | ")) |"
  }

  @Test("has what each of them does", arguments: SeedWay.allCases)
  func table(way: SeedWay) throws {
    let table = ([Self.head] + (try Self.rows.map { try line($0, way) })).joined(separator: "\n") + "\n"
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let guide = try String(
      contentsOf: root.appendingPathComponent("Documentation/Seeding.md"),
      encoding: .utf8
    )
    let isInGuide = guide.contains(table)
    #expect(isInGuide, "the table is:\n\(table)")
  }
}
