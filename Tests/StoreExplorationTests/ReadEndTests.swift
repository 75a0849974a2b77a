import SQLiteDriver
import Synchronization
import TestSupport
import Testing

@testable import CoreData
@testable import StoreExploration

@Suite("The end of a read")
struct ReadEndTests {
  /// A statement that ends only when it is interrupted.
  private static let endless = """
    WITH RECURSIVE numbers(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM numbers) SELECT COUNT(*) FROM numbers
    """

  /// Reads by the endless statement.
  ///
  /// - Parameter willExecute: called on the context's queue, directly before the statement.
  private static func read(
    _ garden: GardenStore,
    _ willExecute: @escaping @Sendable () -> Void = {}
  ) async throws {
    let explored = try #require(ExploredStore(garden.coordinator))
    let store = try #require(garden.coordinator.persistentStores.first as? SQLiteStore)
    try await explored.read(within: .seconds(86_400)) { _ in
      willExecute()
      try store.reading("The fetch failed") {
        try store.engine().connections.readOnce { try $0.execute(sql: endless) }
      }
    }
  }

  /// True if the store still answers after its statements were interrupted.
  private static func answers(_ garden: GardenStore) async throws -> Bool {
    let explored = try #require(ExploredStore(garden.coordinator))
    return try await StoreGrid(explored).count(GridQuery(entity: "Note"), within: .seconds(86_400)) == 0
  }

  @Test("SQLite's statement is interrupted when the limit's time is over, and the next read gets the place")
  func deadline() async throws {
    let garden = try GardenStore()
    let pool = ReadPool(count: 1)
    let limit = ReadLimit(.milliseconds(30), pool: pool, remedy: "narrow the question")
    await #expect {
      try await ReadLimit.$current.withValue(limit) { try await Self.read(garden) }
    } throws: { error in
      let failure = error as? ExplorationFailure
      return failure?.code == .tookTooLong && failure?.remedy == "narrow the question"
    }
    #expect(try await pool.enter(until: .now + .seconds(86_400)))
    #expect(try await Self.answers(garden))
  }

  @Test("SQLite's statement is interrupted when the client leaves, and the next read gets the place")
  func departure() async throws {
    let garden = try GardenStore()
    let (pool, client) = (ReadPool(count: 1), ReadClient())
    let limit = ReadLimit(.seconds(86_400), pool: pool, client: client, remedy: "narrow the question")
    await #expect(throws: CancellationError.self) {
      try await ReadLimit.$current.withValue(limit) { try await Self.read(garden) { client.leave() } }
    }
    #expect(client.taskCount == 0)
    #expect(try await pool.enter(until: .now + .seconds(86_400)))
    #expect(try await Self.answers(garden))
  }

  @Test("SQLite's statement is interrupted when the task is cancelled")
  func cancellation() async throws {
    let garden = try GardenStore()
    let (stream, begun) = AsyncStream.makeStream(of: Void.self)
    let task = Task { try await Self.read(garden) { begun.finish() } }
    for await _ in stream {}
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try await Self.answers(garden))
  }

  @Test("A read that waits for a place stops waiting when its client leaves")
  func waiting() async throws {
    let garden = try GardenStore()
    let (pool, client) = (ReadPool(count: 1), ReadClient())
    #expect(try await pool.enter(until: .now + .seconds(86_400)))
    let limit = ReadLimit(.seconds(86_400), pool: pool, client: client, remedy: "narrow the question")
    let read = Task { try await ReadLimit.$current.withValue(limit) { try await Self.read(garden) } }
    while pool.waitingCount == 0 { await Task.yield() }
    client.leave()
    await #expect(throws: CancellationError.self) { try await read.value }
    #expect(pool.waitingCount == 0)
  }
}
