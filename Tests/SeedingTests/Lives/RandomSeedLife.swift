import CoreData
import Foundation
import TestSupport
import Testing

@testable import PerennialCommands
@testable import Seeding

/// One store, its expected content, and a random generator.
final class RandomSeedLife {
  private let way: SeedWay
  private let seed: UInt64
  private let folder: TestFolder
  private(set) var store: TestStore
  private var other: TestStore?
  private(set) var version = LifeModel.Version.first
  var expected = SeedLife()
  var dice: SplitMix
  private var versions: [String: [SeedLife.Content]] = [:]
  private var localised: [String: SeedLife.Content] = [:]
  /// The objects of steps, by their numbers in the expected content.
  private var stepObjects: [Int: String] = [:]
  private var log: [String] = []

  init(_ way: SeedWay, seed: UInt64) throws {
    self.way = way
    self.seed = seed
    dice = SplitMix(seed: seed)
    folder = try TestFolder()
    store = try way.store(LifeModel.model(version))
  }

  /// - Returns: Whether the store was as expected after each step.
  func play(_ steps: Int) throws -> Bool {
    for number in 0..<steps {
      let fault: String?
      do {
        if number == 0 { try begin() } else { try step() }
        fault = try difference()
      } catch {
        fault = "\(error)"
      }
      if let fault {
        Issue.record("\(way), life \(seed): \(fault)\n\(log.joined(separator: "\n"))")
        return false
      }
    }
    return true
  }

  func note(_ line: String) { log.append(line) }

  private func step() throws {
    switch Int.random(in: 0..<30, using: &dice) {
    case 0..<10: try runSeeds()
    case 10..<12: try runLocalisedSeed()
    case 12..<14: try runServedSeed()
    case 14..<16: try editNote()
    case 16..<19: try editSteps()
    case 19..<21: try delete()
    case 21..<23: try deleteAndSeed()
    case 23..<25: try insert()
    case 25: try renameTag()
    case 26: try reopen()
    case 27: try migrate()
    case 28: try moveByDump()
    default: try runSeedsAtOnce()
    }
  }

  // MARK: - Comparison

  /// The difference between the store and the expected content, in words; nil if they are equal.
  private func difference() throws -> String? {
    let lines =
      try store.lines("Note", "title", "contents", "category.name", "tags.name", "steps.text")
      + store.values(version.tag, "name") + store.values("Category", "name") + store.values("Step", "text")
    guard lines == expected.lines else { return "\(lines)\nexpected: \(expected.lines)" }
    return try differenceOfSteps()
  }

  /// The difference between the steps' objects, which are either matched with records or new; nil if there is none.
  private func differenceOfSteps() throws -> String? {
    let found = try store.stepObjects()
    let before = Set(stepObjects.values)
    var objects: [Int: String] = [:]
    for (title, note) in expected.notes {
      for (step, object) in zip(note.steps, found[title] ?? []) {
        objects[step.number] = object
        let isAsExpected = stepObjects[step.number].map { $0 == object } ?? !before.contains(object)
        guard isAsExpected else {
          let known = stepObjects[step.number] ?? "a new one"
          return "the step \(step.text) of the note \(title) is \(object)\nexpected: \(known)"
        }
      }
    }
    stepObjects = objects
    return nil
  }

  // MARK: - Contents

  private static let texts = ["mix", "wait", "bake"]

  private func some(_ all: [String]) -> [String] { all.filter { _ in Bool.random(using: &dice) } }

  private func maybe<Value>(_ value: Value) -> Value? {
    Int.random(in: 0..<4, using: &dice) > 0 ? value : nil
  }

  /// Returns random content for a seed. The content of `c.json` shares objects with the other seeds, and `c.json` is
  /// always imported alone.
  private func newContent(_ name: String) -> SeedLife.Content {
    let letter = name.prefix(1)
    let pool = letter == "c" ? ["a1", "b1", "c1", "c2"] : (1...4).map { "\(letter)\($0)" }
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
        let count = Int.random(in: 0..<4, using: &dice)
        let steps = (0..<count).map { _ in Self.texts.randomElement(using: &dice) ?? "mix" }
        record.steps = maybe(steps)
        return record
      }
    )
    let hasBothSides = Bool.random(using: &dice)
    let tagRecords = tags?.map { tag in
      var record = SeedLife.TagRecord(name: tag)
      if hasBothSides { record.notes = maybe(newLinks(of: tag, notes ?? [], pool)) }
      return record
    }
    return SeedLife.Content(tags: tagRecords, categories: categories, notes: notes)
  }

  /// A tag's links to its notes, which do not contradict a record of a note.
  private func newLinks(of tag: String, _ notes: [SeedLife.Record], _ pool: [String]) -> SeedLife.Links {
    let free = notes.filter { $0.tags?.removed.contains(tag) != true }.map(\.title)
    let stated = notes.filter { $0.tags?.stated.contains(tag) == true }.map(\.title)
    let members = Set(some(free))
    if Bool.random(using: &dice) { return .set(members) }
    return .change(added: members, removed: Set(some(pool)).subtracting(members).subtracting(stated))
  }

  private func content(of name: String) -> SeedLife.Content {
    // An earlier version may be imported again.
    if let known = versions[name]?.randomElement(using: &dice), Bool.random(using: &dice) { return known }
    let content = newContent(name)
    versions[name, default: []].append(content)
    return content
  }

  private func newSeed(_ name: String) -> SeedLife.Seed {
    let content = content(of: name)
    return .init(name: name, content: content, text: content.text(tagList: version.tagList))
  }

  // MARK: - Runs

  /// Begins with an empty store, or with a copy of a shipped one whose seed is then synchronised.
  private func begin() throws {
    guard Int.random(in: 0..<2, using: &dice) == 0 else { return try runSeeds() }
    let seed = newSeed("a.json")
    log.append("ship \(seed.name): \(seed.text)")
    let seeder = Seeder([source(seed)])
    if store.url?.isFileURL == true {
      let (shipped, place) = (folder.url.appendingPathComponent("Shipped.sqlite"), shippedPlace)
      _ = try StoreBuild(shipped.path, replaces: false).create(LifeModel.model(version)) { coordinator in
        try seeder.runAndWait(in: coordinator)
      }
      try ShippedStore.file(shipped).copyIfAbsent(to: place)
      store = try TestStore(opening: place, LifeModel.model(version))
    } else {
      try way.run(seeder, in: store)
    }
    expected.seed([seed], seeder)
    try run([newSeed("a.json")], [.sync], [.merge])
  }

  private var shippedPlace: URL { folder.url.appendingPathComponent("Copy/Life.sqlite") }

  private func source(_ seed: SeedLife.Seed) -> SeedSource { .data(Data(seed.text.utf8), name: seed.name) }

  private func runSeeds() throws {
    try run(
      newSeeds(),
      SeedProfile.allCases,
      [.upsert, .upsert, .merge, .merge, .createOnly, .replace],
      SeedPruning.allCases
    )
  }

  private func newSeeds() -> [SeedLife.Seed] {
    let names = [["a.json"], ["b.json"], ["a.json", "b.json"], ["c.json"]].randomElement(using: &dice) ?? []
    return names.map { newSeed($0) }
  }

  private func run(
    _ seeds: [SeedLife.Seed],
    _ profiles: [SeedProfile],
    _ modes: [SeedMode],
    _ prunings: [SeedPruning] = [.own]
  ) throws {
    let seeder = newSeeder(profiles, modes, prunings, seeds, seeds.map { source($0) })
    expected.seed(seeds, seeder)
    if canStartProcesses, Int.random(in: 0..<4, using: &dice) == 0 {
      log.append("  by the command")
      try wait(for: try start(seeder, seeds))
    } else {
      try way.run(seeder, in: try coordinator())
    }
  }

  /// Lets a user delete objects that seeds may have created, and then runs seeds that may delete and restore objects.
  private func deleteAndSeed() throws {
    for _ in 0..<Int.random(in: 1...2, using: &dice) { try delete() }
    try run(newSeeds(), [.starter, .sync, .sync], [.merge], [.none, .own])
  }

  private static let languages: [(asked: [String], file: String)] = [
    ([], "l.json"), (["sv"], "l.json"), (["nl"], "l.nl.json"), (["sv", "nl-BE"], "l.nl.json"),
    (["pt"], "l.pt.json"), (["pt-BR"], "l.pt-BR.json"),
  ]

  /// Runs one seed with a file for each language.
  private func runLocalisedSeed() throws {
    let files = Set(Self.languages.map(\.file)).sorted()
    let isNewVersion = localised.isEmpty || Int.random(in: 0..<3, using: &dice) == 0
    for file in files where isNewVersion { localised[file] = content(of: "l.json") }
    for file in files {
      try folder.write("seeds/\(file)", localised[file]?.text(tagList: version.tagList) ?? "{}")
    }
    guard let choice = Self.languages.randomElement(using: &dice), let content = localised[choice.file] else {
      return
    }
    log.append("in \(choice.asked): \(choice.file)")
    let seed = SeedLife.Seed(
      name: "l.json",
      content: content,
      text: content.text(tagList: version.tagList)
    )
    var source = SeedSource.file(
      folder.url.appendingPathComponent("seeds/l.json"),
      variant: SeedVariant(languages: choice.asked)
    )
    source.name = seed.name
    let seeder = newSeeder(
      SeedProfile.allCases,
      [.upsert, .merge, .createOnly, .replace],
      SeedPruning.allCases,
      [seed],
      [source]
    )
    expected.seed([seed], seeder)
    try way.run(seeder, in: try coordinator())
  }

  /// Runs the seed of a server, or the one in the bundle as long as the server has not answered.
  private func runServedSeed() throws {
    let (bundled, served) = (newSeed("f.json"), newSeed("f.json"))
    let isUp = Bool.random(using: &dice)
    log.append(isUp ? "the server answers" : "the server does not answer")
    let source = LifeServer.source(
      named: "f.json",
      answer: isUp ? served.text : nil,
      fallback: bundled.text
    )
    var seeds = [bundled]
    if isUp {
      seeds = [.init(name: served.name, content: served.content, text: served.text, isServed: true)]
    } else if expected.isServed("f.json") {
      seeds = []
    }
    // Without the server's seed, pruning all objects without a record is impossible.
    let seeder = newSeeder(
      [.reference, .starter, .sync],
      [.upsert, .merge, .createOnly],
      [.none, .own],
      seeds,
      [source]
    )
    expected.seed(seeds, seeder)
    try way.run(seeder, in: try coordinator())
  }

  /// A seeder with a profile, or with individual settings.
  private func newSeeder(
    _ profiles: [SeedProfile],
    _ modes: [SeedMode],
    _ prunings: [SeedPruning],
    _ seeds: [SeedLife.Seed],
    _ sources: [SeedSource]
  ) -> Seeder {
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

  /// Sometimes opens another stack on the same file, which reads the state of earlier runs from the store.
  private func coordinator() throws -> TestStore {
    guard let url = store.url, Bool.random(using: &dice) else { return store }
    if other == nil { other = try TestStore(opening: url, LifeModel.model(version)) }
    log.append("  by another")
    return other ?? store
  }

  // MARK: - Other processes

  /// True if the program exists and the store is a file.
  private var canStartProcesses: Bool { way == .transaction && LifeProcess.program != nil }

  /// Runs two processes that seed at the same time, with content that does not depend on their order.
  private func runSeedsAtOnce() throws {
    guard canStartProcesses else { return }
    log.append("at once")
    let processes = try ["a.json", "b.json"].map { name in
      let seeds = [newSeed(name)]
      let seeder = newSeeder(
        [.reference, .starter, .sync],
        [.upsert, .merge, .createOnly],
        [.none, .own],
        seeds,
        seeds.map { source($0) }
      )
      expected.seed(seeds, seeder)
      return try start(seeder, seeds)
    }
    for process in processes { try wait(for: process) }
  }

  private func start(_ seeder: Seeder, _ seeds: [SeedLife.Seed]) throws -> LifeProcess {
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

  // MARK: - The store

  /// Migrates the store to a newer version of the model, or back to an old one.
  private func migrate() throws {
    guard store.url != nil else { return }
    version = version.next
    log.append("migrate to \(version)")
    try other?.close()
    other = nil
    try store.migrate(to: LifeModel.model(version))
    stepObjects = [:]
  }

  /// Dumps the store, and loads the dump into a new store.
  private func moveByDump() throws {
    log.append("dump")
    let dump = try StoreDump(store.coordinator).seed()
    let data = try JSONSeedText().data(of: dump, namedAfter: nil)
    try other?.close()
    other = nil
    store = try way.store(LifeModel.model(version))
    try way.run(Seeder(.data(data, name: "dump.json")), in: store)
    // The dump contains that side of a many-to-many relationship whose name sorts first.
    expected.moveToNewStore(bySeed: "dump.json", tagsHaveNotes: version.tag < "Note")
    stepObjects = [:]
  }

  private func reopen() throws {
    guard store.url != nil else { return }
    log.append("reopen")
    try store.close()
    try store.open()
  }
}

extension TestStore {
  /// The objects of the steps of each note, in order, by the note's title.
  fileprivate func stepObjects() throws -> [String: [String]] {
    let context = newContext()
    return try context.performAndWait {
      var objects: [String: [String]] = [:]
      for note in try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note")) {
        let steps = (note.value(forKey: "steps") as? NSOrderedSet)?.array ?? []
        objects[note.value(forKey: "title") as? String ?? ""] = steps.compactMap {
          ($0 as? NSManagedObject)?.objectID.uriRepresentation().absoluteString
        }
      }
      return objects
    }
  }
}
