import CoreData
import Foundation
import Synchronization
import TestSupport
import Testing

/// A context whose notes are changed locally, in another context, and by merges, in random order.
// Each test uses it on one thread at a time, and its contexts on their queues.
private final class ChangingNotes: @unchecked Sendable {
  let stack: Stack
  private let writer: NSManagedObjectContext
  private let unread = Mutex<[UncheckedInfo]>([])
  private var observation: (any NSObjectProtocol)?
  private var random: SplitMix
  private var count = 0

  init(_ kind: StoreKind, seed: UInt64) throws {
    stack = try Stack(kind)
    random = SplitMix(seed: seed)
    writer = stack.newContext()
    writer.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
    observation = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSaveObjectIDs,
      object: writer,
      queue: nil
    ) { [unowned self] notification in
      let saved = UncheckedInfo(value: notification.userInfo ?? [:])
      unread.withLock { $0.append(saved) }
    }
  }

  deinit { observation.map(NotificationCenter.default.removeObserver) }

  func isChosen() -> Bool { .random(using: &random) }

  /// Performs a random action, which may change the results.
  func step() throws {
    switch Int.random(in: 0..<12, using: &random) {
    case 0..<5: try stack.context.wait { try change(stack.context) }
    case 5: stack.context.wait { stack.context.processPendingChanges() }
    case 6: stack.context.wait { save(stack.context) }
    case 7: stack.context.wait { stack.context.rollback() }
    case 8..<10:
      try writer.wait {
        try change(writer)
        save(writer)
      }
    case 10: read()
    default:
      if .random(using: &random) { stack.context.wait { stack.context.reset() } }
    }
  }

  /// Merges the saves of the other context, and inserts a note that is the first of all results.
  func changeVisibly() {
    while read() {}
    stack.context.wait {
      let note = stack.note("", rating: 0)
      count += 1
      note.setValue(-count, forKey: "medium")
    }
  }

  @discardableResult
  private func read() -> Bool {
    let next = unread.withLock { unread in
      unread.isEmpty ? nil : unread.removeFirst()
    }
    guard let next else { return false }
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: next.value, into: [stack.context])
    return true
  }

  /// A notification that only contains IDs, so any thread may use it.
  private struct UncheckedInfo: @unchecked Sendable {
    let value: [AnyHashable: Any]
  }

  private func save(_ context: NSManagedObjectContext) {
    do { try context.save() } catch { context.rollback() }
  }

  private func change(_ context: NSManagedObjectContext) throws {
    let sort = [NSSortDescriptor(key: "medium", ascending: true)]
    let note = try stack.fetch(Note.self, sort: sort, in: context).randomElement(using: &random)
    switch Int.random(in: 0..<6, using: &random) {
    case 0...1:
      let note = Note(context: context)
      count += 1
      note.title = "\(Int.random(in: 0..<9, using: &random))"
      note.rating = .random(in: 0..<10, using: &random)
      // A unique value makes the order total.
      note.setValue(count, forKey: "medium")
    case 2: note.map(context.delete)
    case 3...4: note?.title = "\(Int.random(in: 0..<9, using: &random))"
    default: note?.rating = .random(in: 0..<10, using: &random)
    }
  }
}

@Suite("Random updates of a request", .timeLimit(.minutes(60)))
struct RandomUpdatesTests {
  /// One consumer: its iterator, and the rows that it maintains from the differences alone.
  private struct Consumer {
    let request: NSFetchRequest<Note>
    var updates: FetchedUpdates<NSManagedObjectID>.AsyncIterator
    var rows: [NSManagedObjectID]?
  }

  @Test(
    "updates equal those of a new fetch after any interleaving, and differences lead from one to the next",
    arguments: [StoreKind.sqlite, .inMemory]
  )
  func interleavings(_ kind: StoreKind) async throws {
    for seed in 1...UInt64(Soak.rounds(500)) {
      let scene = try ChangingNotes(kind, seed: seed)
      var consumers = try [scene.stack.notes(), scene.stack.notes("rating < 7"), scene.stack.notes(limit: 4)]
        .map { request in
          let updates = scene.stack.context.updates(of: request, transform: \.objectID)
          return Consumer(request: request, updates: updates.makeAsyncIterator())
        }
      for round in 0..<8 {
        for _ in 0..<3 { try scene.step() }
        scene.changeVisibly()
        for index in consumers.indices where round == 7 || scene.isChosen() {
          try await Self.compare(&consumers[index], scene.stack, "seed \(seed), round \(round)")
        }
      }
    }
  }

  private static func compare(_ consumer: inout Consumer, _ stack: Stack, _ place: String) async throws {
    let update = try #require(try await consumer.updates.next())
    nonisolated(unsafe) let request = consumer.request
    let fresh = try await stack.context.perform { try stack.context.fetch(request).map(\.objectID) }
    #expect(update.results == fresh, "\(place)")
    if let rows = consumer.rows {
      let difference = try #require(update.difference)
      #expect(rows.applying(difference) == update.results, "\(place)")
    } else {
      #expect(update.difference == nil)
    }
    consumer.rows = update.results
  }

  @Test(
    "observed results equal those of a new fetch while their predicate and order change",
    arguments: StoreKind.allCases,
    [1, 2, 3]
  )
  func observedResults(_ kind: StoreKind, _ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let stack = try Stack(kind)
    let request = try stack.notes()
    let results = FetchedResults(of: request, in: stack.context)
    var count = 0
    for round in 0..<Soak.rounds(150) {
      let notes = try stack.fetch(Note.self, sort: [NSSortDescriptor(key: "medium", ascending: true)])
      let note = notes.randomElement(using: &random)
      switch Int.random(in: 0..<9, using: &random) {
      case 0...2:
        count += 1
        stack.note("\(Int.random(in: 0..<9, using: &random))", rating: .random(in: 0..<10, using: &random))
          .setValue(count, forKey: "medium")
      case 3: note.map(stack.context.delete)
      case 4: note?.title = "\(Int.random(in: 0..<9, using: &random))"
      case 5: note?.rating = .random(in: 0..<10, using: &random)
      case 6: try stack.save()
      case 7:
        request.predicate = Bool.random(using: &random) ? nil : NSPredicate(format: "rating < 5")
        results.predicate = request.predicate
      default:
        let key = Bool.random(using: &random) ? "title" : "rating"
        request.sortDescriptors = [key, "medium"].map { NSSortDescriptor(key: $0, ascending: true) }
        results.sortDescriptors = request.sortDescriptors ?? []
      }
      stack.context.processPendingChanges()
      let fresh = try stack.context.fetch(request)
      #expect(results.objects == fresh, "round \(round)")
      #expect(results.error == nil)
    }
  }
}
