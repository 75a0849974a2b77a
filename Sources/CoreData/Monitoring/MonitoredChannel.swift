/// The channel of a context whose coordinator has a monitor. It forwards each call to another
/// channel, and reports the call to the monitor.
final class MonitoredChannel: ObjectChannel {
  private let channel: any ObjectChannel
  private let monitor: any StoreMonitor

  init(channel: any ObjectChannel, monitor: any StoreMonitor) {
    self.channel = channel
    self.monitor = monitor
  }

  // MARK: - Reading

  func fetch(_ query: FetchQuery) throws -> [FetchedRow] {
    try observing(.fetch, entity: query.entity.name, rowCount: \.count) { try channel.fetch(query) }
  }

  func count(_ query: FetchQuery) throws -> Int {
    try observing(.count, entity: query.entity.name, rowCount: { _ in 1 }) { try channel.count(query) }
  }

  func aggregate(_ query: AggregateQuery) throws -> AggregateRows? {
    try observing(.aggregate, entity: query.objects.entity.name, rowCount: { $0?.count ?? 0 }) {
      try channel.aggregate(query)
    }
  }

  func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
    try observing(.fault, entity: layout.entity.name, rowCount: { $0 == nil ? 0 : 1 }) {
      try channel.row(of: reference, layout: layout)
    }
  }

  func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout
  ) throws -> [ObjectReference] {
    try observing(.relationship, entity: layout.entity.name, rowCount: \.count) {
      try channel.destinations(of: relationship, from: reference, layout: layout)
    }
  }

  func destinations(
    of relationship: Int,
    fromEach references: [ObjectReference],
    layout: EntityLayout
  ) throws -> [[FetchedRow]] {
    try observing(.relationship, entity: layout.entity.name, rowCount: { $0.reduce(0) { $0 + $1.count } }) {
      try channel.destinations(of: relationship, fromEach: references, layout: layout)
    }
  }

  // MARK: - Writing

  func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
    try observing(.identifiers, rowCount: { _ in 0 }) { try channel.permanentReferences(for: objects) }
  }

  /// The monitor gets one report of the whole save, which includes the conflicts that it resolves.
  func commit(_ changes: ChangeSet) throws -> CommitOutcome { try channel.commit(changes) }

  func whileLocked(_ stores: Set<Int32>, _ work: (any ObjectChannel) throws -> CommitOutcome) throws -> CommitOutcome {
    try channel.whileLocked(stores, work)
  }

  func deleteAll(_ deletion: BatchDeletion) throws -> BatchOutcome {
    try observing(.batchDeletion, entity: deletion.query.entity.name, rowCount: \.count) {
      try channel.deleteAll(deletion)
    }
  }

  func insertAll(_ insertion: BatchInsertion) throws -> BatchOutcome {
    try observing(.batchInsertion, entity: insertion.layout.entity.name, rowCount: \.count) {
      try channel.insertAll(insertion)
    }
  }

  func updateAll(_ update: BatchUpdate) throws -> BatchOutcome {
    try observing(.batchUpdate, entity: update.query.entity.name, rowCount: \.count) { try channel.updateAll(update) }
  }

  private func observing<Value>(
    _ kind: StoreWork.Kind,
    entity: String? = nil,
    rowCount: (Value) -> Int,
    _ work: () throws -> Value
  ) throws -> Value {
    try monitor.observing(StoreWork(kind: kind, entity: entity), { $1.rowCount = rowCount($0) }, work)
  }
}
