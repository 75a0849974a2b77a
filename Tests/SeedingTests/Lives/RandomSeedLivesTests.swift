import CoreData
import Foundation
import Testing

@testable import Seeding

/// SplitMix64.
private struct Generator: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var value = state
    value = (value ^ (value >> 30)) &* 0xBF58_476D_1CE4_E5B9
    value = (value ^ (value >> 27)) &* 0x94D0_49BB_1331_11EB
    return value ^ (value >> 31)
  }
}

@Suite("Random lives of seeded stores")
struct RandomSeedLivesTests {
  /// Lives of each way in one run of the tests.
  private static let lives = 16 * Soak.factor
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
    private let store: TestStore
    private var other: TestStore?
    private var expected = SeedLife()
    private var dice: Generator
    private var versions: [String: [SeedLife.Content]] = [:]
    private var log: [String] = []

    init(_ way: SeedWay, seed: UInt64) throws {
      self.way = way
      self.seed = seed
      dice = Generator(state: seed)
      store = try way.store()
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
          + store.values("Tag", "name") + store.values("Category", "name")
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
      switch Int.random(in: 0..<10, using: &dice) {
      case 0..<5: try runSeeds()
      case 5: try editNote()
      case 6: try delete()
      case 7: try insert()
      case 8: try renameTag()
      default: try reopen()
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
        return (name, content, content.text)
      }
      var seeder = Seeder(
        seeds.map { .data(Data($0.text.utf8), name: $0.name) },
        mode: [.upsert, .upsert, .merge, .merge, .createOnly, .prune, .replace].randomElement(using: &dice)
          ?? .upsert
      )
      seeder.pruning = SeedPruning.allCases.randomElement(using: &dice) ?? .none
      seeder.conflictPolicy = SeedConflictPolicy.allCases.randomElement(using: &dice) ?? .keepStore
      seeder.restoresDeletedObjects = Bool.random(using: &dice)
      log.append(
        "seed \(seeder.mode) pruning \(seeder.pruning) \(seeder.conflictPolicy) restores \(seeder.restoresDeletedObjects)"
      )
      for seed in seeds { log.append("  \(seed.name): \(seed.text)") }
      expected.seed(seeds, seeder)
      try way.run(seeder, in: try coordinator())
    }

    /// At times another process seeds the same file, which learns of what was done before from there.
    private func coordinator() throws -> TestStore {
      guard let url = store.url, Bool.random(using: &dice) else { return store }
      if other == nil { other = try TestStore(opening: url) }
      log.append("  by another")
      return other ?? store
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
      try store.edit("Note", where: "title", is: title) { note, context in
        func all(_ entity: String, _ names: Set<String>) throws -> Set<NSManagedObject> {
          let request = NSFetchRequest<NSManagedObject>(entityName: entity)
          request.predicate = NSPredicate(format: "name IN %@", names.sorted() as NSArray)
          return Set(try context.fetch(request))
        }
        note.setValue(contents, forKey: "contents")
        note.setValue(try category.flatMap { try all("Category", [$0]).first }, forKey: "category")
        note.setValue(try all("Tag", tags), forKey: "tags")
      }
    }

    private var keys: [SeedLife.Key] {
      expected.tags.sorted().map { .init(entity: "Tag", name: $0) }
        + expected.categories.sorted().map { .init(entity: "Category", name: $0) }
        + expected.notes.keys.sorted().map { .init(entity: "Note", name: $0) }
    }

    private func delete() throws {
      guard let key = keys.randomElement(using: &dice) else { return }
      log.append("delete \(key.entity) \(key.name)")
      expected.delete(key)
      try store.delete(key.entity, key.entity == "Note" ? "title" : "name", key.name)
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
      try store.insert(key.entity, [key.entity == "Note" ? "title" : "name": key.name])
    }

    private func renameTag() throws {
      guard let name = expected.tags.sorted().randomElement(using: &dice), !expected.tags.contains("other")
      else {
        return
      }
      log.append("rename \(name)")
      expected.renameTag(name, to: "other")
      try store.set("Tag", "name", name, "name", to: "other")
    }

    private func reopen() throws {
      guard store.url != nil else { return }
      log.append("reopen")
      try store.close()
      try store.open()
    }
  }
}
