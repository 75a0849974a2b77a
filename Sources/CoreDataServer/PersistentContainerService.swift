public import CoreData
public import ServiceLifecycle

/// Closes a container's stores when the program is told to end, as a service of ServiceLifecycle.
///
/// A group shuts its services down in the reverse order: give it this one before the server, which
/// then has answered its last request when the stores are closed.
///
/// ```swift
/// func run(_ server: some Service, on container: NSPersistentContainer, _ logger: Logger) async throws {
///   let stores = PersistentContainerService(container)
///   let group = ServiceGroup(
///     services: [stores, server],
///     gracefulShutdownSignals: [.sigterm, .sigint],
///     logger: logger
///   )
///   try await group.run()
/// }
/// ```
public struct PersistentContainerService: Service {
  private let coordinator: NSPersistentStoreCoordinator
  private let telemetry: StoreTelemetry?
  private let interval: Duration
  private let grace: Duration

  /// Makes a service of a container whose stores are loaded already.
  ///
  /// - Parameters:
  ///   - container: the container.
  ///   - telemetry: what is attached to the container's coordinator; its gauges are set at intervals.
  ///   - interval: the time between two looks at what the stores are at.
  ///   - grace: the time that those have to end who are at work when the stores are closed. See
  ///     `NSPersistentStoreCoordinator.close(grace:)`.
  public init(
    _ container: NSPersistentContainer,
    telemetry: StoreTelemetry? = nil,
    every interval: Duration = .seconds(10),
    grace: Duration = .seconds(10)
  ) {
    coordinator = container.persistentStoreCoordinator
    self.telemetry = telemetry
    self.interval = interval
    self.grace = grace
    telemetry?.attach(to: coordinator)
  }

  /// Runs until the group shuts down or the task is cancelled, and closes the stores then.
  ///
  /// - Throws: the first error in `NSCocoaErrorDomain` of a store that could not be closed.
  public func run() async throws {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await recordActivity() }
      // Also returns when the task is cancelled, which closes the stores no less.
      try? await gracefulShutdown()
      group.cancelAll()
    }
    // Those who are at work have the grace also where the task was cancelled.
    try await coordinator.close(grace: grace)
  }

  private func recordActivity() async {
    guard let telemetry else { return }
    while !Task.isCancelled {
      telemetry.recordActivity(of: coordinator)
      try? await Task.sleep(for: interval)
    }
  }
}
