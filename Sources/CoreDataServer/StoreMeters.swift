import CoreData
import Foundation
import Metrics

/// The metrics of one store name. They are made once, because a factory may keep every metric that it makes.
final class StoreMeters: Sendable {
  private let durations: [StoreWork.Kind: Metrics.Timer]
  private let errors: [StoreWork.Kind: Counter]
  private let waits: [StoreWait: Metrics.Timer]
  private let rowsRead: Counter
  private let rowsWritten: Counter
  private let conflicts: Counter
  let transactions: Counter
  private let waitingWriters: Gauge
  private let busyReaders: Gauge
  private let logBytes: Gauge
  private let heldGenerations: Gauge
  private let generationAge: Gauge

  init(store: String, factory: any MetricsFactory) {
    let dimensions = [("store", store)]
    func timer(_ label: String, _ more: [(String, String)] = []) -> Metrics.Timer {
      Metrics.Timer(label: label, dimensions: dimensions + more, factory: factory)
    }
    func counter(_ label: String, _ more: [(String, String)] = []) -> Counter {
      Counter(label: label, dimensions: dimensions + more, factory: factory)
    }
    func gauge(_ label: String) -> Gauge { Gauge(label: label, dimensions: dimensions, factory: factory) }
    func each<Key: Hashable & CaseIterable, Value>(_ make: (Key) -> Value) -> [Key: Value] {
      Dictionary(uniqueKeysWithValues: Key.allCases.map { ($0, make($0)) })
    }
    durations = each { timer("coredata.\($0.rawValue).duration") }
    errors = each { counter("coredata.errors", [("work", $0.rawValue)]) }
    waits = each { timer("coredata.write.wait", [("for", $0.rawValue)]) }
    rowsRead = counter("coredata.rows.read")
    rowsWritten = counter("coredata.rows.written")
    conflicts = counter("coredata.conflicts")
    transactions = counter("coredata.transactions")
    waitingWriters = gauge("coredata.writers.waiting")
    busyReaders = gauge("coredata.readers.busy")
    logBytes = gauge("coredata.log.bytes")
    heldGenerations = gauge("coredata.generations.held")
    generationAge = gauge("coredata.generations.age")
  }

  func record(_ work: StoreWork, outcome: StoreWorkOutcome, duration: Duration) {
    durations[work.kind]?.record(duration: duration)
    if outcome.rowCount > 0 { (work.kind.isWrite ? rowsWritten : rowsRead).increment(by: outcome.rowCount) }
    if outcome.conflictCount > 0 { conflicts.increment() }
    if outcome.error != nil { errors[work.kind]?.increment() }
  }

  func record(wait: Duration, for subject: StoreWait) { waits[subject]?.record(duration: wait) }

  func record(_ activities: [StoreActivity]) {
    waitingWriters.record(activities.reduce(0) { $0 + $1.waitingWriterCount })
    busyReaders.record(activities.reduce(0) { $0 + $1.busyReaderCount })
    logBytes.record(activities.reduce(0) { $0 + $1.logByteCount })
    heldGenerations.record(activities.reduce(0) { $0 + $1.heldGenerationCount })
    let age = activities.compactMap(\.oldestGenerationAge).max() ?? .zero
    generationAge.record(age / .seconds(1))
  }
}

extension StoreWork.Kind {
  fileprivate var isWrite: Bool {
    switch self {
    case .save, .batchInsertion, .batchUpdate, .batchDeletion, .migration: true
    case .fetch, .count, .aggregate, .fault, .relationship, .identifiers: false
    }
  }
}
