public import CoreData
import Foundation
public import Metrics
public import Tracing

/// Tells swift-metrics and swift-distributed-tracing what contexts do with the stores of a
/// coordinator.
///
/// ```swift
/// let container = NSPersistentContainer(name: "Orders")
/// let telemetry = StoreTelemetry(name: "orders")
/// telemetry.attach(to: container.persistentStoreCoordinator)
/// ```
///
/// It is attached before the stores are loaded, so that their migrations are told of too. Each metric
/// has the dimension `store` with the name that was given. Durations are timers of swift-metrics, in
/// nanoseconds.
///
/// | metric | |
/// |---|---|
/// | `coredata.KIND.duration` | timer of each kind of work: `fetch`, `count`, `aggregate`, `fault`, `relationship`, `identifiers`, `save`, `batchInsertion`, `batchUpdate`, `batchDeletion`, `migration`; its count is that of the work |
/// | `coredata.errors` | counter of work that ended with an error; dimension `work` |
/// | `coredata.rows.read`, `coredata.rows.written` | counters; the latter also of saves in a transaction that is taken back as a whole |
/// | `coredata.conflicts` | counter of saves that met a conflict or a violated constraint, whether the merge policy resolved it or not |
/// | `coredata.transactions` | counter of transactions that open SQLite stores have committed |
/// | `coredata.write.wait` | timer of those who save or write a batch; dimension `for`: `turn`, of others of this process, and `lock`, of other processes |
/// | `coredata.writers.waiting`, `coredata.readers.busy` | gauges |
/// | `coredata.log.bytes` | gauge of the write-ahead log |
/// | `coredata.generations.held`, `coredata.generations.age` | gauges; the age, of the oldest, in seconds |
///
/// The gauges are those of one moment: ``recordActivity(of:)`` sets them, which
/// ``PersistentContainerService`` calls at intervals.
///
/// A span is `coredata.` with the kind of the work. Faults and relationships, of which there are many,
/// have none. Its parent is the span of the task that called the context, also inside of `perform`;
/// on the main queue, only where `perform` came from a task. No values, predicates or paths are told.
public final class StoreTelemetry: Sendable {
  private let tracer: (any Tracer)?
  private let name: String
  let meters: StoreMeters

  /// Makes telemetry that is attached to no coordinator yet.
  ///
  /// - Parameters:
  ///   - name: the value of the dimension `store`, and of the attribute `db.namespace` of spans.
  ///   - metrics: makes the metrics; the factory of the program unless given, which has to be set by
  ///     `MetricsSystem.bootstrap(_:)` before.
  ///   - tracer: makes the spans; the tracer of the program unless given, which has to be set by
  ///     `InstrumentationSystem.bootstrap(_:)` before; `nil` for no spans.
  public init(
    name: String,
    metrics: any MetricsFactory = MetricsSystem.factory,
    tracer: (any Tracer)? = InstrumentationSystem.tracer
  ) {
    self.name = name
    self.tracer = tracer
    meters = StoreMeters(store: name, factory: metrics)
  }

  /// Has the coordinator's work told of from now on. Whatever was attached before is not told any
  /// more.
  public func attach(to coordinator: NSPersistentStoreCoordinator) { coordinator.setMonitor(self) }

  /// Sets the gauges to what the stores of a coordinator are at together.
  public func recordActivity(of coordinator: NSPersistentStoreCoordinator) {
    // One that is removed meanwhile is at nothing.
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
        // Its text names paths and values; the code does not.
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

/// Takes the context of the caller's task along, with its span, its baggage and what its log lines
/// have.
private struct ServiceContextCarrier: TaskCarrier {
  let context: ServiceContext

  func carry(_ work: () -> Void) { ServiceContext.withValue(context, operation: work) }
}
