import CoreData
import Foundation
import TestModels
import Testing

@testable import Seeding

@Suite("Combinations of settings, relationships, formats and ways")
struct CombinationTests {
  @Test(
    "every pair of levels is among the rows, except pairs that a seed cannot express or the guide does not define"
  )
  func pairs() {
    let rows = Combination.rows
    #expect(rows.count >= 100)
    let missing = Combination.allPairs.subtracting(rows.flatMap(\.pairs)).sorted()
    #expect(
      missing.map(\.description) == [
        "kind added × side both", "kind added × side items", "kind owned × event emptied",
        "kind ownedWithoutKey × event emptied", "kind ownedWithoutKey × place byReference",
        "kind ownedWithoutKey × side both", "kind ownedWithoutKey × side items", "kind replaced × side both",
        "kind replaced × side items", "kind replacedWithoutKey × event deletedAlbum",
        "kind replacedWithoutKey × event emptied", "kind replacedWithoutKey × place byReference",
        "kind replacedWithoutKey × side both", "kind replacedWithoutKey × side items",
        "side both × place nested", "side items × place nested",
      ]
    )
  }

  @Test(
    "two seeding runs end as the guide says, the preview predicts this, and a third run changes nothing",
    arguments: Combination.rows
  )
  func outcome(row: Combination) throws {
    let store = try row.store()
    let first = CombinationContent.first(row.kind)
    var expected = CombinationModel(row, first)
    let created = try row.run(first, in: store)
    let atFirst = created.total
    #expect(atFirst.created > 0 && atFirst.updated == 0 && atFirst.deleted == 0 && atFirst.skipped == 0)
    try row.expect(expected, in: store)

    try row.happen(in: store)
    expected.happen(row.event)
    try row.expect(expected, in: store)

    let second = row.hasSecondContent ? CombinationContent.second(row.kind) : first
    let preview = try row.seeder(second).preview(in: store.coordinator)
    try row.expect(expected, in: store)
    let report = try row.run(second, in: store)
    expected.take(second, after: first)
    try row.expect(expected, in: store)
    #expect(report.total.conflicts == expected.conflicts, "\(report.conflicts)")
    #expect(row.comparable(report) == row.comparable(preview.report))
    if row.kind.isCascading, row.place == .nested {
      let owners = try store.lines("Item", "albums.name")
      #expect(!owners.contains("-"), "an item has no owner")
    }

    let again = try row.run(second, in: store)
    expected.take(second, after: second)
    try row.expect(expected, in: store)
    guard row.setting != .replace else { return }
    let total = again.total
    let changes = total.created + total.updated + total.deleted + total.conflicts
    #expect(changes == 0, "\(again)")
  }
}

extension Combination: CustomTestStringConvertible {
  var testDescription: String {
    "\(setting) \(kind) by \(side) \(place), \(event), \(format), \(way)"
  }
}

extension Combination {
  fileprivate var hasSecondContent: Bool { event == .changed || event == .edited }

  private var keyOfItems: String { kind.hasKey ? "name" : "text" }

  /// The way of the run. Without a server in the environment, the server's rows are imported in chunks.
  private var seedWay: SeedWay {
    switch way {
    case .oneSave: .oneSave
    case .transaction, .operation: .transaction
    case .pieces: .pieces
    case .parent: .parent
    case .server: TestStore.Kind.server == nil ? .pieces : .server
    }
  }

  fileprivate func store() throws -> TestStore { try seedWay.store(model) }

  /// The entities Album (`name`) and Item (`name`, or without a key).
  private var model: NSManagedObjectModel {
    let album = makeEntity(
      "Album",
      makeAttribute("name", .stringAttributeType, optional: false),
      makeAttribute("note", .stringAttributeType)
    )
    let item = makeEntity("Item", makeAttribute(keyOfItems, .stringAttributeType, optional: false))
    relate(
      album,
      "items",
      isToMany: !kind.isToOne,
      isOrdered: kind.isOrdered,
      item,
      "albums",
      isToMany: kind.isShared
    )
    if kind.isCascading { album.relationshipsByName["items"]?.deleteRule = .cascadeDeleteRule }
    if kind == .ownedWithoutKey { item.relationshipsByName["albums"]?.isOptional = false }
    return makeModel([album, item])
  }

  // MARK: - Runs

  /// The seeder for a content. It also imports a seed that the store already has.
  fileprivate func seeder(_ content: CombinationContent) -> Seeder {
    let sources = files(content).map { SeedSource.data(Data($0.text.utf8), name: $0.name) }
    switch setting {
    case .upsert: return Seeder(sources, mode: .upsert, policy: .always)
    case .createOnly: return Seeder(sources, mode: .createOnly, policy: .always)
    case .merge: return Seeder(sources, mode: .merge, policy: .always)
    case .replace: return Seeder(sources, mode: .replace, policy: .always)
    case .reference: return Seeder(sources, profile: .reference, policy: .always)
    case .starter: return Seeder(sources, profile: .starter, policy: .always)
    case .sync: return Seeder(sources, profile: .sync, policy: .always)
    }
  }

  fileprivate func run(_ content: CombinationContent, in store: TestStore) throws -> SeedReport {
    let seeder = seeder(content)
    guard way == .operation else { return try seedWay.run(seeder, in: store) }
    let operation = SeedOperation(with: store.newContext(), seeder: seeder)
    operation.start()
    return try #require(try operation.result?.get())
  }

  /// Applies a user's changes between the runs to the store.
  fileprivate func happen(in store: TestStore) throws {
    switch event {
    case .same, .changed: break
    case .edited: try store.set("Album", "name", "a", "note", to: "mine")
    case .emptied:
      try store.edit("Album", where: "name", is: "b") { album, _ in
        if kind.isToOne {
          album.setValue(nil, forKey: "items")
        } else if kind.isOrdered {
          album.setValue(NSOrderedSet(), forKey: "items")
        } else {
          album.setValue(Set<NSManagedObject>(), forKey: "items")
        }
      }
    case .deletedAlbum: try store.delete("Album", "name", "b")
    case .deletedItem: try store.delete("Item", keyOfItems, "y")
    }
  }

  // MARK: - Outcomes

  fileprivate func expect(
    _ expected: CombinationModel,
    in store: TestStore,
    at place: SourceLocation = #_sourceLocation
  ) throws {
    let albums = try store.lines("Album", "name", "note", "items.\(keyOfItems)")
    let items = try store.values("Item", keyOfItems)
    let found = albums.map { line -> String in
      guard kind.isOrdered, !expected.keepsOrder, let list = line.split(separator: "|").dropFirst(2).first
      else { return line }
      return String(line.dropLast(list.count)) + list.split(separator: ",").sorted().joined(separator: ",")
    }
    #expect(found == expected.albumLines, sourceLocation: place)
    #expect(items == expected.itemLines, sourceLocation: place)
  }

  /// The counts that a run and its preview have in common. In a chunked import, if both sides state
  /// a link, either of the two records may be the one that changes it.
  fileprivate func comparable(_ report: SeedReport) -> [String: SeedReport.Counts] {
    guard seedWay == .pieces || seedWay == .server, side == .both else { return report.entities }
    return report.entities.mapValues { counts in
      var counts = counts
      counts.unchanged += counts.updated
      counts.updated = 0
      return counts
    }
  }
}
