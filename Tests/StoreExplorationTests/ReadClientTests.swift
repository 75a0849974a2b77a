import Testing

@testable import StoreExploration

@Suite("The client of reads")
struct ReadClientTests {
  /// Returns when the current task is cancelled.
  @Sendable private static func waitForCancellation() async throws {
    while true {
      try Task.checkCancellation()
      await Task.yield()
    }
  }

  @Test("All work for a client is cancelled when it leaves, and work that begins later too")
  func departure() async throws {
    let client = ReadClient()
    let work = (0..<3).map { _ in Task { try await client.whileWaiting(Self.waitForCancellation) } }
    while client.taskCount < work.count { await Task.yield() }
    client.leave()
    for task in work { await #expect(throws: CancellationError.self) { try await task.value } }
    await #expect(throws: CancellationError.self) { try await client.whileWaiting(Self.waitForCancellation) }
    #expect(client.taskCount == 0)
  }

  @Test("Work for a client ends when the task of its caller is cancelled")
  func cancellation() async throws {
    let client = ReadClient()
    let task = Task { try await client.whileWaiting(Self.waitForCancellation) }
    while client.taskCount == 0 { await Task.yield() }
    task.cancel()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(client.taskCount == 0)
  }

  @Test("Work for a client has the task-local values of its caller, and gives its value")
  func value() async throws {
    let limit = ReadLimit(.seconds(3), remedy: "wait")
    let duration = try await ReadLimit.$current.withValue(limit) {
      try await ReadClient().whileWaiting { ReadLimit.current?.duration }
    }
    #expect(duration == .seconds(3))
  }
}
