import CoreData
import Foundation
import Synchronization

/// The costs of ways to use a store on a server with many requests, compared in one run; see
/// `Documentation/Server.md`.
final class ServerPatterns: Sendable {
  private static let clients = 32
  private static let requests = 4096
  private static let rounds = 5
  /// The number of notes in the store.
  static let notes = 10_000

  private let container: NSPersistentContainer
  private let shared: NSManagedObjectContext
  private let keeper: NoteKeeper
  private let conflicts = Mutex(0)

  /// - Parameter url: a store of notes, to which notes are added.
  static func show(_ url: URL) async throws {
    let patterns = try ServerPatterns(url)
    try await patterns.show(
      "find a note by its title, with its category and tags",
      [
        ("performBackgroundTask", patterns.readInContextOfItsOwn),
        ("one context, perform", patterns.readShared),
        ("an actor", patterns.readByKeeper),
      ]
    )
    try await patterns.show(
      "create a note with one of \(NoteStore.categories) categories and three of \(NoteStore.tags) tags",
      [
        ("performBackgroundWrite", patterns.createInTurns),
        ("a context, save(deadline:)", patterns.createByChance),
        ("one context, performWrite", patterns.createShared), ("an actor, save()", patterns.createByKeeper),
      ]
    )
  }

  private init(_ url: URL) throws {
    container = NSPersistentContainer(name: "Notes", managedObjectModel: NoteStore.model)
    container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
    shared = container.newBackgroundContext()
    keeper = NoteKeeper(container)
  }

  // MARK: Patterns

  @Sendable private func readInContextOfItsOwn(_ number: Int) async throws {
    try await container.performBackgroundTask(deadline: Self.deadline) { try NoteWork.read(number, in: $0) }
  }

  @Sendable private func readShared(_ number: Int) async throws {
    try await shared.perform(deadline: Self.deadline) { try NoteWork.read(number, in: self.shared) }
  }

  @Sendable private func readByKeeper(_ number: Int) async throws { try await keeper.read(number) }

  @Sendable private func createInTurns(_ number: Int) async throws {
    try await container.performBackgroundWrite(deadline: Self.deadline) {
      try NoteWork.create(number, in: $0)
    }
  }

  /// Saves optimistically, and starts again if another request has changed the store.
  @Sendable private func createByChance(_ number: Int) async throws {
    while true {
      let context = container.newBackgroundContext()
      do {
        try await context.perform(deadline: Self.deadline) { try NoteWork.create(number, in: context) }
        return try await context.save(deadline: Self.deadline)
      } catch let error as CocoaError where error.code.rawValue == NSManagedObjectMergeError {
        conflicts.withLock { $0 += 1 }
      }
    }
  }

  @Sendable private func createShared(_ number: Int) async throws {
    try await shared.performWrite(deadline: Self.deadline) { try NoteWork.create(number, in: self.shared) }
  }

  @Sendable private func createByKeeper(_ number: Int) async throws { try await keeper.create(number) }

  private static var deadline: ContinuousClock.Instant { .now + .seconds(60) }

  // MARK: Measuring

  private typealias Pattern = (name: String, answer: @Sendable (Int) async throws -> Void)

  /// Prints the medians. The patterns run in turn within each round.
  private func show(_ what: String, _ patterns: [Pattern]) async throws {
    var seconds = Array(repeating: [Double](), count: patterns.count)
    var processor = seconds
    var conflicts = Array(repeating: 0, count: patterns.count)
    for _ in 0..<Self.rounds {
      for (index, pattern) in patterns.enumerated() {
        let start = (ContinuousClock.now, Stopwatch.processor.seconds)
        try await answerAll(pattern)
        seconds[index].append((ContinuousClock.now - start.0) / .seconds(1))
        processor[index].append(Stopwatch.processor.seconds - start.1)
        conflicts[index] += self.conflicts.withLock { count in
          defer { count = 0 }
          return count
        }
      }
    }
    print("\n\(Self.clients) clients at once \(what)")
    for (index, pattern) in patterns.enumerated() {
      let (time, work) = (Self.median(seconds[index]), Self.median(processor[index]))
      print(
        String(
          format: "  %@ %7.0f requests/s  %6.0f µs of processor each  %5.2f conflicts each",
          pattern.name.padding(toLength: 28, withPad: " ", startingAt: 0) as NSString,
          Double(Self.requests) / time,
          work / Double(Self.requests) * 1e6,
          Double(conflicts[index]) / Double(Self.requests * Self.rounds)
        )
      )
    }
  }

  private func answerAll(_ pattern: Pattern) async throws {
    let answer = pattern.answer
    try await withThrowingTaskGroup(of: Void.self) { group in
      for client in 0..<Self.clients {
        group.addTask {
          for number in stride(from: client, to: Self.requests, by: Self.clients) { try await answer(number) }
        }
      }
      try await group.waitForAll()
    }
  }

  private static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// The work of a request on the notes.
private enum NoteWork {
  static func read(_ number: Int, in context: NSManagedObjectContext) throws {
    let request = NSFetchRequest<BenchmarkNote>(entityName: "Note")
    request.predicate = NSPredicate(format: "title == %@", "note \(number)")
    request.fetchLimit = 1
    guard let note = try context.fetch(request).first else {
      preconditionFailure("note \(number) is missing")
    }
    let tags = note.tags.reduce(0) { $0 + ($1.name?.utf8.count ?? 0) }
    precondition(tags > 0 && note.category?.name != nil)
  }

  static func create(_ number: Int, in context: NSManagedObjectContext) throws {
    let note = BenchmarkNote(context: context)
    note.title = "new note \(number)"
    note.category = try named("Category", [number % NoteStore.categories], in: context).first
    let tags = (0..<NoteStore.tagsOfANote).map { (number * 7 + $0 * 331) % NoteStore.tags }
    note.tags = Set(try named("Tag", tags, in: context))
    precondition(note.category != nil && note.tags.count == NoteStore.tagsOfANote)
  }

  private static func named(_ entity: String, _ numbers: [Int], in context: NSManagedObjectContext) throws
    -> [Named]
  {
    let request = NSFetchRequest<Named>(entityName: entity)
    request.predicate = NSPredicate(format: "name IN %@", numbers.map { "\(entity) \($0)" })
    return try context.fetch(request)
  }
}

/// An actor that keeps one context for all reads and writes.
private actor NoteKeeper {
  private let context: NSManagedObjectContext
  nonisolated var unownedExecutor: UnownedSerialExecutor { context.asUnownedSerialExecutor() }

  init(_ container: NSPersistentContainer) {
    context = container.newBackgroundContext()
    context.automaticallyMergesChangesFromParent = true
  }

  func read(_ number: Int) throws { try NoteWork.read(number, in: context) }

  func create(_ number: Int) throws {
    try NoteWork.create(number, in: context)
    try context.save()
  }
}
