import Testing

@testable import StoreExploration

@Suite("A pool of reads")
struct ReadPoolTests {
  private static var never: ContinuousClock.Instant { .now + .seconds(86_400) }

  /// Returns when the given number of reads wait in the pool.
  private static func wait(for count: Int, in pool: ReadPool) async {
    while pool.waitingCount != count { await Task.yield() }
  }

  @Test("A read that finds no place waits until another read ends")
  func waiting() async throws {
    let pool = ReadPool(count: 1)
    #expect(try await pool.enter(until: Self.never))
    let second = Task { try await pool.enter(until: Self.never) }
    await Self.wait(for: 1, in: pool)
    pool.leave()
    #expect(try await second.value)
  }

  @Test("A read that finds no place until its deadline gets none, and takes none later")
  func deadline() async throws {
    let pool = ReadPool(count: 1)
    #expect(try await pool.enter(until: Self.never))
    #expect(try await !pool.enter(until: .now + .milliseconds(20)))
    pool.leave()
    #expect(try await pool.enter(until: Self.never))
  }

  @Test("A read whose task is cancelled stops waiting and leaves its place to the next")
  func cancellation() async throws {
    let pool = ReadPool(count: 1)
    #expect(try await pool.enter(until: Self.never))
    let cancelled = Task { try await pool.enter(until: Self.never) }
    await Self.wait(for: 1, in: pool)
    cancelled.cancel()
    await #expect(throws: CancellationError.self) { try await cancelled.value }
    #expect(pool.waitingCount == 0)
    let next = Task { try await pool.enter(until: Self.never) }
    await Self.wait(for: 1, in: pool)
    pool.leave()
    #expect(try await next.value)
  }
}
