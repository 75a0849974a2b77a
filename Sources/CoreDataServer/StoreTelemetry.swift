public import CoreData
import Foundation
public import Metrics
public import Tracing

/// Reports the work of contexts with a coordinator's stores to swift-metrics and swift-distributed-tracing.
///
/// ```swift
/// let container = NSPersistentContainer(name: "Orders")
/// let telemetry = StoreTelemetry(name: "orders")
/// telemetry.attach(to: container.persistentStoreCoordinator)
/// ```
///
/// Attach it before the stores are loaded, so that it reports their migrations too. Each metric has the dimension
/// `store` with the name that was given. Durations are timers of swift-metrics, in nanoseconds.
///
/// | metric | |
/// |---|---|
/// | `coredata.KIND.duration` | timer of each kind of work: `fetch`, `count`, `aggregate`, `fault`, `relationship`, `identifiers`, `save`, `batchInsertion`, `batchUpdate`, `batchDeletion`, `migration`; its count is the number of operations |
/// | `coredata.errors` | counter of work that ended with an error; dimension `work` |
/// | `coredata.rows.read`, `coredata.rows.written` | counters; `coredata.rows.written` also counts saves in a transaction that is rolled back |
/// | `coredata.conflicts` | counter of saves that met a conflict or a violated constraint, whether the merge policy resolved it or not |
/// | `coredata.transactions` | counter of transactions that open SQLite stores have committed |
/// | `coredata.write.wait` | timer of the wait of a save or a batch; dimension `for`: `turn` is the wait for other writers of this process, `lock` the wait for other processes |
/// | `coredata.writers.waiting`, `coredata.readers.busy` | gauges |
/// | `coredata.log.bytes` | gauge of the size of the write-ahead log |
/// | `coredata.generations.held`, `coredata.generations.age` | gauges; the age is that of the oldest generation, in seconds |
///
/// The gauges show one moment. ``recordActivity(of:)`` sets them, and ``PersistentContainerService`` calls it at
/// intervals.
///
/// The name of a span is `coredata.` followed by the kind of the work. Faults and relationships have no spans,
/// because there are many of them. A span's parent is the span of the task that called the context, including calls
/// inside `perform`. On the main queue, a span has a parent only where `perform` came from a task. Spans contain no
/// values, predicates or paths.
public final class StoreTelemetry: Sendable {
  private let tracer: (any Tracer)?
  private let name: String
  let meters: StoreMeters

  /// Makes telemetry that is not attached to a coordinator yet.
  ///
  /// - Parameters:
  ///   - name: the value of the dimension `store`, and of the attribute `db.namespace` of spans.
  ///   - metrics: the factory of the metrics. The default is the program's factory, which
  ///     `MetricsSystem.bootstrap(_:)` has to set before.
  ///   - tracer: the tracer of the spans; `nil` for no spans. The default is the program's tracer, which
  ///     `InstrumentationSystem.bootstrap(_:)` has to set before.
  public init(
    name: String,
    metrics: any MetricsFactory = MetricsSystem.factory,
    tracer: (any Tracer)? = InstrumentationSystem.tracer
  ) {
    self.name = name
    self.tracer = tracer
    meters = StoreMeters(store: name, factory: metrics)
  }

  /// Reports the coordinator's work from now on.
  ///
  /// It replaces the telemetry that was attached before, which receives nothing more.
  public func attach(to coordinator: NSPersistentStoreCoordinator) { coordinator.setMonitor(self) }

  /// Sets the gauges to the combined activity of a coordinator's stores.
  public func recordActivity(of coordinator: NSPersistentStoreCoordinator) {
    // A store that is removed in the meantime has no activity.
    meters.record(coordinator.persistentStores.compactMap { try? coordinator.activity(of: $0) })
  }
}

extension StoreTelemetry: StoreMonitor {
  package func begin(_ work: StoreWork) -> (StoreWorkOutcome) -> Void {
    let (start, span) = (ContinuousClock.now, startSpan(work))
    return { [meters] outcome in
      meters.record(work, outcome: outcome, duration: start.duration(to: .now))
      guard let span else { return }
      span.attributes["db.response.returned_rows"] = outcome.rowCount
      if outcome.conflictCount > 0 { span.attributes["coredata.conflicts"] = outcome.conflictCount }
      if let error = outcome.error {
        // The error's text contains paths and values; its domain and code do not.
        span.attributes["error.type"] = "\((error as NSError).domain) \((error as NSError).code)"
        span.setStatus(SpanStatus(code: .error))
      }
      span.end()
    }
  }

  private func startSpan(_ work: StoreWork) -> (any Span)? {
    guard let tracer, work.kind != .fault, work.kind != .relationship else { return nil }
    let span = tracer.startAnySpan("coredata.\(work.kind.rawValue)", ofKind: .client)
    span.attributes["db.namespace"] = name
    span.attributes["db.operation.name"] = work.kind.rawValue
    if let entity = work.entity { span.attributes["db.collection.name"] = entity }
    return span
  }

  package func waited(_ time: Duration, for subject: StoreWait) { meters.record(wait: time, for: subject) }

  package func committed() { meters.transactions.increment() }

  package func carrier() -> (any TaskCarrier)? { ServiceContext.current.map(ServiceContextCarrier.init) }
}

/// Carries the service context of the caller's task, with its span, its baggage and its log metadata, to another
/// thread.
private struct ServiceContextCarrier: TaskCarrier {
  let context: ServiceContext

  func carry(_ work: () -> Void) { ServiceContext.withValue(context, operation: work) }
}
