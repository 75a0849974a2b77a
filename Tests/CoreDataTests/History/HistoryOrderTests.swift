import CoreData
import Foundation
import Synchronization
import Testing

@testable import CoreData

@Suite("The order of the history")
struct HistoryOrderTests {
  /// The number of unfinished writers. Each writer decrements it itself. If the task of the test did that, readers would run
  /// until the task gets its next turn.
  private final class Writing: Sendable {
    private let count: Atomic<Int>
    var isOver: Bool { count.load(ordering: .acquiring) == 0 }

    init(_ count: Int) { self.count = Atomic(count) }

    func end() { count.subtract(1, ordering: .acquiringAndReleasing) }
  }

  /// A transaction of the history, as a reader found it.
  private struct Found: Sendable {
    let number: Int64
    let author: String?
    let changes: [Int64]
  }

  private static let saveCount = 15
  /// The number of objects in each save.
  private static let size = 3

  private static func write(_ author: String, _ coordinator: NSPersistentStoreCoordinator) throws {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    context.transactionAuthor = author
    for number in 0..<saveCount {
      try context.performAndWait {
        for _ in 0..<size { context.note("\(author) \(number)") }
        try context.save()
        context.reset()
      }
    }
  }

  /// Repeatedly reads new transactions, until all writers have finished and nothing is new.
  private static func read(_ coordinator: NSPersistentStoreCoordinator, _ writing: Writing) throws -> [Found] {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    var token: NSPersistentHistoryToken?
    var found: [Found] = []
    while true {
      let wasOver = writing.isOver
      let new = try context.performAndWait { [token] in try context.transactions(.fetchHistory(after: token))
      }
      if new.isEmpty, wasOver { return found }
      token = new.last?.token ?? token
      found += new.map {
        Found(number: $0.transactionNumber, author: $0.author, changes: ($0.changes ?? []).map(\.changeID))
      }
    }
  }

  @Test(
    "the history has no gap with many writers, and every concurrent reader finds all of it in one order",
    arguments: StoreKind.sharedByPrograms
  )
  func order(_ kind: StoreKind) async throws {
    let store = try TrackedStore(kind)
    let authors = ["a", "b", "c"]
    let writing = Writing(2 * authors.count)
    let readers = try (0..<2).map { _ in
      let coordinator = try store.coordinator()
      return Job { try Self.read(coordinator, writing) }
    }
    let writers = try authors.flatMap { author in
      let coordinator = try store.coordinator()
      return (1...2).map { thread in
        Job {
          defer { writing.end() }
          try Self.write("\(author)\(thread)", coordinator)
        }
      }
    }
    for outcome in await outcomes(writers) { try outcome.get() }
    let count = Int64(2 * authors.count * Self.saveCount)
    var orders: [[String?]] = []
    for reader in readers {
      let found = try await reader.value()
      #expect(found.map(\.number) == Array(1...count))
      #expect(found.flatMap(\.changes) == Array(1...count * Int64(Self.size)))
      orders.append(found.map(\.author))
    }
    #expect(orders[0] == orders[1])
    #expect(Set(Dictionary(grouping: orders[0]) { $0 }.values.map(\.count)) == [Self.saveCount])
    #expect(Set(orders[0]).count == 2 * authors.count)
  }

  private func outcomes(_ jobs: [Job<Void>]) async -> [Result<Void, any Error>] {
    var outcomes: [Result<Void, any Error>] = []
    for job in jobs {
      do {
        outcomes.append(.success(try await job.value()))
      } catch {
        outcomes.append(.failure(error))
      }
    }
    return outcomes
  }
}
