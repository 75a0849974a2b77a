import CoreData
import Foundation
import TestSupport
import Testing

@testable import PerennialCommands
@testable import Seeding

@Suite("Random lives of seeded stores")
struct RandomSeedLivesTests {
  /// Lives of each way in one run of the tests.
  private static let lives = Soak.rounds(16)
  private static let steps = 14

  @Test(
    "end as a plain model says, whatever seeds, users and other processes do",
    arguments: SeedWay.allCases
  )
  func lives(way: SeedWay) throws {
    for number in 0..<Self.lives {
      let isAsExpected = try Life(way, seed: UInt64(number)).play(Self.steps)
      if !isAsExpected { return }
    }
  }

  /// One store, what it should have, and dice.
  private final class Life {
    private let way: SeedWay
    private let seed: UInt64
    private var store: TestStore
    private var other: TestStore?
    private var version = LifeModel.Version.first
    private var expected = SeedLife()
    private var dice: SplitMix
    private var versions: [String: [SeedLife.Content]] = [:]
    private var log: [String] = []

    init(_ way: SeedWay, seed: UInt64) throws {
      self.way = way
      self.seed = seed
      dice = SplitMix(seed: seed)
      store = try way.store(LifeModel.model(version))
    }

    /// - Returns: Whether the store was as expected after each step.
    func play(_ steps: Int) throws -> Bool {
      for _ in 0..<steps {
        do {
          try step()
        } catch {
          Issue.record("\(way), life \(seed): \(error)\n\(log.joined(separator: "\n"))")
          return false
        }
        let lines =
          try store.lines("Note", "title", "contents", "category.name", "tags.name")
          + store.values(version.tag, "name") + store.values("Category", "name")
        guard lines == expected.lines else {
          Issue.record(
            "\(way), life \(seed): \(lines)\nexpected: \(expected.lines)\n\(log.joined(separator: "\n"))"
          )
          return false
        }
      }
      return true
    }

    private func step() throws {
      switch Int.random(in: 0..<24, using: &dice) {
      case 0..<12: try runSeeds()
      case 12..<14: try editNote()
      case 14..<16: try delete()
      case 16..<18: try insert()
      case 18..<20: try renameTag()
      case 20: try reopen()
      case 21: try migrate()
      case 22: try moveByDump()
      default: try runSeedsAtOnce()
      }
    }

    // MARK: - Seeds

    private static let names = ["a.json", "b.json", "c.json"]

    /// Each seed has objects of its own, and some that others have as well, which are given in runs of one seed.
    private func newContent(_ name: String) -> SeedLife.Content {
      let letter = name.prefix(1)
      let isAlone = name == "c.json"
      let pool = isAlone ? ["a1", "b1", "c1", "c2"] : (1...4).map { "\(letter)\($0)" }
      func some(_ all: [String]) -> [String] { all.filter { _ in Bool.random(using: &dice) } }
      func maybe<Value>(_ value: Value) -> Value? { Int.random(in: 0..<4, using: &dice) > 0 ? value : nil }
      let tags = maybe(some(pool))
      let categories = maybe(some(pool))
      let notes = maybe(
        some(pool).map { title in
          var record = SeedLife.Record(title: title)
          record.contents = maybe(maybe("text \(Int.random(in: 0..<3, using: &dice))"))
          record.category = maybe((categories ?? []).randomElement(using: &dice))
          let members = Set(some(tags ?? []))
          record.tags = maybe(
            Bool.random(using: &dice)
              ? .set(members) : .change(added: members, removed: Set(some(pool)).subtracting(members))
          )
          return record
        }
      )
      return .init(tags: tags, categories: categories, notes: notes)
    }

    private func content(of name: String) -> SeedLife.Content {
      // Earlier versions come again.
      if let known = versions[name]?.randomElement(using: &dice), Bool.random(using: &dice) { return known }
      let content = newContent(name)
      versions[name, default: []].append(content)
      return content
    }

    private func runSeeds() throws {
      let names =
        [["a.json"], ["b.json"], ["a.json", "b.json"], ["c.json"]].randomElement(using: &dice) ?? []
      let seeds = names.map { name -> (name: String, content: SeedLife.Content, text: String) in
        let content = content(of: name)
        return (name, content, content.text(tagList: version.tagList))
      }
      let seeder = newSeeder(
        SeedProfile.allCases,
        [.upsert, .upsert, .merge, .merge, .createOnly, .replace],
        SeedPruning.allCases,
        seeds
      )
      expected.seed(seeds, seeder)
      if canStartProcesses, Int.random(in: 0..<4, using: &dice) == 0 {
        log.append("  by the command")
        try wait(for: try start(seeder, seeds))
      } else {
        try way.run(seeder, in: try coordinator())
      }
    }

    /// A seeder by a profile, or by settings that are chosen one by one.
    private func newSeeder(
      _ profiles: [SeedProfile],
      _ modes: [SeedMode],
      _ prunings: [SeedPruning],
      _ seeds: [(name: String, content: SeedLife.Content, text: String)]
    ) -> Seeder {
      let sources = seeds.map { SeedSource.data(Data($0.text.utf8), name: $0.name) }
      var seeder: Seeder
      if Int.random(in: 0..<3, using: &dice) == 0, let profile = profiles.randomElement(using: &dice) {
        seeder = Seeder(sources, profile: profile)
        seeder.allowsReset = true
      } else {
        seeder = Seeder(sources, mode: modes.randomElement(using: &dice) ?? .upsert)
        seeder.pruning = prunings.randomElement(using: &dice) ?? .none
        seeder.restoresDeletedObjects = Bool.random(using: &dice)
      }
      if seeder.mode == .merge {
        seeder.conflictPolicy = SeedConflictPolicy.allCases.randomElement(using: &dice) ?? .keepStore
      }
      log.append(
        "seed \(seeder.profile?.rawValue ?? "-") \(seeder.mode) pruning \(seeder.pruning) \(seeder.conflictPolicy) "
          + "restores \(seeder.restoresDeletedObjects)"
      )
      for seed in seeds { log.append("  \(seed.name): \(seed.text)") }
      return seeder
    }

    /// At times another stack seeds the same file, which learns of what was done before from there.
    private func coordinator() throws -> TestStore {
      guard let url = store.url, Bool.random(using: &dice) else { return store }
      if other == nil { other = try TestStore(opening: url, LifeModel.model(version)) }
      log.append("  by another")
      return other ?? store
    }

    // MARK: - Other processes

    /// Where the program is, and the store a file.
    private var canStartProcesses: Bool { way == .transaction && LifeProcess.program != nil }

    /// Two processes seed at the same time what does not depend on the order.
    private func runSeedsAtOnce() throws {
      guard canStartProcesses else { return }
      log.append("at once")
      let processes = try ["a.json", "b.json"].map { name in
        let content = content(of: name)
        let seeds = [(name: name, content: content, text: content.text(tagList: version.tagList))]
        let seeder = newSeeder(
          [.reference, .starter, .sync],
          [.upsert, .merge, .createOnly],
          [.none, .own],
          seeds
        )
        expected.seed(seeds, seeder)
        return try start(seeder, seeds)
      }
      for process in processes { try wait(for: process) }
    }

    private func start(
      _ seeder: Seeder,
      _ seeds: [(name: String, content: SeedLife.Content, text: String)]
    ) throws -> LifeProcess {
      try LifeProcess(
        seeder,
        seeds.map { ($0.name, $0.text) },
        store: try #require(store.url),
        model: LifeModel.url(version)
      )
    }

    private func wait(for process: LifeProcess) throws {
      let errors = try process.wait()
      if let errors { throw LifeProcess.Failure(errors: errors) }
    }

    // MARK: - Users

    private func editNote() throws {
      guard let title = expected.notes.keys.sorted().randomElement(using: &dice) else { return }
      let contents = ["mine", "text 0", nil].randomElement(using: &dice) ?? nil
      let category =
        (expected.categories.sorted().map(Optional.some) + [nil]).randomElement(using: &dice) ?? nil
      let tags = Set(expected.tags.sorted().filter { _ in Bool.random(using: &dice) })
      log.append("edit \(title): \(contents ?? "-") \(category ?? "-") \(tags.sorted())")
      expected.edit(title) { $0 = .init(contents: contents, category: category, tags: tags) }
      let tag = version.tag
      try store.edit("Note", where: "title", is: title) { note, context in
        func all(_ entity: String, _ names: Set<String>) throws -> Set<NSManagedObject> {
          let request = NSFetchRequest<NSManagedObject>(entityName: entity)
          request.predicate = NSPredicate(format: "name IN %@", names.sorted() as NSArray)
          return Set(try context.fetch(request))
        }
        note.setValue(contents, forKey: "contents")
        note.setValue(try category.flatMap { try all("Category", [$0]).first }, forKey: "category")
        note.setValue(try all(tag, tags), forKey: "tags")
      }
    }

    private var keys: [SeedLife.Key] {
      expected.tags.sorted().map { .init(entity: "Tag", name: $0) }
        + expected.categories.sorted().map { .init(entity: "Category", name: $0) }
        + expected.notes.keys.sorted().map { .init(entity: "Note", name: $0) }
    }

    private func entityName(_ key: SeedLife.Key) -> String { key.entity == "Tag" ? version.tag : key.entity }

    private func delete() throws {
      guard let key = keys.randomElement(using: &dice) else { return }
      log.append("delete \(key.entity) \(key.name)")
      expected.delete(key)
      try store.delete(entityName(key), key.entity == "Note" ? "title" : "name", key.name)
    }

    private func insert() throws {
      let entity = ["Tag", "Category", "Note"].randomElement(using: &dice) ?? "Tag"
      let key = SeedLife.Key(
        entity: entity,
        name: ["a1", "b2", "mine"].randomElement(using: &dice) ?? "mine"
      )
      guard !expected.has(key) else { return }
      log.append("insert \(key.entity) \(key.name)")
      expected.insert(key)
      try store.insert(entityName(key), [key.entity == "Note" ? "title" : "name": key.name])
    }

    private func renameTag() throws {
      guard let name = expected.tags.sorted().randomElement(using: &dice), !expected.tags.contains("other")
      else {
        return
      }
      log.append("rename \(name)")
      expected.renameTag(name, to: "other")
      try store.set(version.tag, "name", name, "name", to: "other")
    }

    /// A new version of the application comes, or an old one again.
    private func migrate() throws {
      guard store.url != nil else { return }
      version = version.next
      log.append("migrate to \(version)")
      try other?.close()
      other = nil
      try store.migrate(to: LifeModel.model(version))
    }

    /// The store is dumped, and the dump loaded into a new store.
    private func moveByDump() throws {
      log.append("dump")
      let dump = try StoreDump(store.coordinator).seed()
      let data = try JSONSeedText().data(of: dump, namedAfter: nil)
      try other?.close()
      other = nil
      store = try way.store(LifeModel.model(version))
      try way.run(Seeder(.data(data, name: "dump.json")), in: store)
      // Of two relationships of many to many, the dump has the one whose name comes first.
      expected.moveToNewStore(bySeed: "dump.json", tagsHaveNotes: version.tag < "Note")
    }

    private func reopen() throws {
      guard store.url != nil else { return }
      log.append("reopen")
      try store.close()
      try store.open()
    }
  }
}
