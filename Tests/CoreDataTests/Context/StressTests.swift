import CoreData
import Foundation
import Synchronization
import TestSupport
import Testing

/// Contexts that concurrently write and read one store. With `PERENNIAL_SOAK=20` they do so for a minute.
@Suite("Many contexts at work on one store")
struct StressTests {
  private static let accounts = 20
  private static let balance: Int64 = 1000
  private static let seconds = 3.0 * Soak.factor

  /// The changes of the writers whose saves succeeded.
  private struct Done {
    var moved = Array(repeating: Int64(0), count: accounts)
    var inserted: Set<String> = []
    var deleted: Set<String> = []
  }

  private final class Acknowledged: Sendable {
    let done = Mutex(Done())
  }

  @Test(
    "8 contexts write and 8 read: no change is lost, and each reader sees whole saves",
    .timeLimit(.minutes(60)),
    arguments: [StoreKind.inMemory, .sqlite]
  )
  func stress(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    let names = (0..<Self.accounts).map { "account \($0)" }
    for name in names { stack.note(name, rating: Self.balance) }
    try stack.save()
    let acknowledged = Acknowledged()
    let end = Date(timeIntervalSinceNow: Self.seconds)

    try await withThrowingTaskGroup { group in
      for writer in 0..<8 {
        let context = stack.newContext()
        group.addTask {
          var round = 0
          // When all tests run at once, the time may be over before the first round.
          while Date() < end || round < 10 {
            round += 1
            let name = "\(writer).\(round)"
            try await context.perform { try Self.write(context, name, acknowledged) }
          }
        }
      }
      for reader in 0..<8 {
        let context = stack.newContext()
        // Half of the readers track what the writers save, and the others start again in each round.
        let follows = reader.isMultiple(of: 2)
        context.automaticallyMergesChangesFromParent = follows
        group.addTask {
          while Date() < end {
            try await context.perform {
              if !follows { context.reset() }
              try Self.checkTotal(context, names)
            }
          }
        }
      }
      try await group.waitForAll()
    }
    try check(stack, names, acknowledged.done.withLock { $0 })
  }

  /// Moves one unit from an account to another, and inserts or deletes a note every third time.
  private static func write(
    _ context: NSManagedObjectContext,
    _ title: String,
    _ acknowledged: Acknowledged
  ) throws {
    let from = Int.random(in: 0..<accounts)
    let to = (from + Int.random(in: 1..<accounts)) % accounts
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "title IN %@", ["account \(from)", "account \(to)"])
    request.shouldRefreshRefetchedObjects = true
    for account in try context.fetch(request) {
      account.rating += account.title == "account \(from)" ? -1 : 1
    }
    var inserted: String?
    var deleted: String?
    if Int.random(in: 0..<3) == 0 {
      let note = Note(context: context)
      note.title = title
      inserted = title
    } else if Int.random(in: 0..<4) == 0 {
      let request = NSFetchRequest<Note>(entityName: "Note")
      request.predicate = NSPredicate(format: "NOT title BEGINSWITH 'account'")
      request.fetchLimit = 1
      if let note = try context.fetch(request).first {
        deleted = note.title
        context.delete(note)
      }
    }
    do {
      try context.save()
    } catch let error as NSError where error.code == NSManagedObjectMergeError {
      // Another writer was faster, so nothing of this save may be in the store.
      return context.rollback()
    }
    acknowledged.done.withLock {
      $0.moved[from] -= 1
      $0.moved[to] += 1
      if let inserted { $0.inserted.insert(inserted) }
      if let deleted { $0.deleted.insert(deleted) }
    }
  }

  /// Checks that a fetch sees the same total after every move.
  private static func checkTotal(_ context: NSManagedObjectContext, _ names: [String]) throws {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "title IN %@", names)
    request.returnsObjectsAsFaults = false
    request.shouldRefreshRefetchedObjects = true
    let found = try context.fetch(request)
    #expect(found.count == accounts)
    #expect(found.reduce(0) { $0 + $1.rating } == Int64(accounts) * balance)
  }

  private func check(_ stack: Stack, _ names: [String], _ done: Done) throws {
    let context = stack.newContext()
    let notes = try stack.fetch(Note.self, in: context)
    let ratings = Dictionary(notes.map { ($0.title ?? "", $0.rating) }, uniquingKeysWith: +)
    for (index, name) in names.enumerated() {
      #expect(ratings[name] == Self.balance + done.moved[index])
    }
    #expect(Set(ratings.keys).subtracting(names) == done.inserted.subtracting(done.deleted))
    #expect(notes.count == ratings.count)
    #expect(done.moved.contains { $0 != 0 })
  }
}
