import CoreData
import CoreDataServer
import Foundation
import Logging
import ServiceLifecycle
import TestSupport
import Testing

@testable import CoreData

@Suite("A container as a service")
struct PersistentContainerServiceTests {
  /// A service that runs until the group shuts down, and then does something.
  private struct Server: Service {
    let begin: @Sendable () -> Void
    let end: @Sendable () async throws -> Void

    func run() async throws {
      begin()
      try await gracefulShutdown()
      try await end()
    }
  }

  @Test("the stores are closed when the server before them has answered its last request")
  func graceful() async throws {
    let stack = try TelemetryStack()
    let (began, beginning) = AsyncStream.makeStream(of: Void.self)
    let server = Server {
      beginning.yield()
    } end: {
      try await stack.addNotes(["the last request"])
    }
    let group = ServiceGroup(
      services: [PersistentContainerService(stack.container, telemetry: stack.telemetry), server],
      logger: Logger(label: "test")
    )
    let running = Task { try await group.run() }
    for await _ in began { break }
    await group.triggerGracefulShutdown()
    try await running.value
    #expect(stack.coordinator.persistentStores.isEmpty)
    #expect(try await TelemetryStack(in: stack.folder).noteCount() == 1)
  }

  @Test("the gauges are set while it runs")
  func gauges() async throws {
    let stack = try TelemetryStack()
    try await stack.addNotes(["a"])
    let service = PersistentContainerService(
      stack.container,
      telemetry: stack.telemetry,
      every: .milliseconds(1)
    )
    let running = Task { try await service.run() }
    while try (stack.gauge("coredata.log.bytes") ?? 0) == 0 { await Task.yield() }
    running.cancel()
    try await running.value
    #expect(stack.coordinator.persistentStores.isEmpty)
  }

  @Test("a cancelled service closes its stores too, and grants running work its grace period")
  func cancelled() async throws {
    let stack = try TelemetryStack()
    let (began, beginning) = AsyncStream.makeStream(of: Void.self)
    let context = stack.container.newBackgroundContext()
    let writeLock = try #require(stack.coordinator.openStores[0] as? SQLiteStore).engine().connections
      .writeLock
    let service = PersistentContainerService(stack.container, grace: .seconds(86_400))
    let running = Task { try await service.run() }
    let writing = Task {
      try await context.performWrite {
        NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue(
          "a",
          forKey: "title"
        )
        beginning.yield()
        // The service is cancelled in the middle of the write. The write continues until the store refuses new writers.
        running.cancel()
        while !writeLock.isClosed { Thread.sleep(forTimeInterval: 0.001) }
      }
    }
    for await _ in began { break }
    try await writing.value
    try await running.value
    #expect(stack.coordinator.persistentStores.isEmpty)
    #expect(try await TelemetryStack(in: stack.folder).noteCount() == 1)
  }
}
