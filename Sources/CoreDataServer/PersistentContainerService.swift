public import CoreData
public import ServiceLifecycle

/// A service of ServiceLifecycle that closes a container's stores when the program ends.
///
/// A group shuts its services down in reverse order. Pass this service before the server, so that the server has
/// answered its last request when the stores are closed.
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

  /// Makes a service for a container whose stores are already loaded.
  ///
  /// - Parameters:
  ///   - container: the container.
  ///   - telemetry: the telemetry, which the service attaches to the container's coordinator. Its gauges are set at
  ///     intervals.
  ///   - interval: the time between two updates of the gauges.
  ///   - grace: the time that running work has to end when the stores are closed. See
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

  /// Runs until the group shuts down or the task is cancelled, and then closes the stores.
  ///
  /// - Throws: the first error in `NSCocoaErrorDomain` of a store that could not be closed.
  public func run() async throws {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await recordActivity() }
      // The call also returns when the task is cancelled. The stores are closed in that case too.
      try? await gracefulShutdown()
      group.cancelAll()
    }
    // Running work has the grace period even if the task was cancelled.
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
