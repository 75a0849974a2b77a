import Foundation
import Synchronization

/// A fetch as the channel carries it.
// A value type that threads may share: its entity is in use, and so immutable, and no caller
// changes a predicate after passing it in.
package struct FetchQuery: @unchecked Sendable {
  package let entity: NSEntityDescription
  package var includesSubentities = true
  package var predicate: NSPredicate?
  package var sortDescriptors: [NSSortDescriptor] = []
  /// 0 for no limit.
  package var limit = 0
  package var offset = 0
  /// The keys that the rows may have; `nil` for any. Keys belong to one store, which ``stores`` names.
  package var keys: [Int64]?
  /// Rows with greater keys alone, by key; `nil` for any. Only SQLite stores know this.
  package var after: Int64?
  /// The keys that the rows may have, and the order of rows that are the same to the sort descriptors; `nil` for any.
  var span: KeySpan?
  /// Holds for rows that may have any key, in the span or not; `nil` for none.
  var beyond: NSPredicate?
  /// The slice of a table that is gone over, by its keys; `nil` for all of it. Only SQLite stores know this.
  var slice: ClosedRange<Int64>?
  /// True when rows are asked for, and false for keys alone.
  package var includesRows = true
  /// The properties that rows are to have, which may have more; `nil` for all.
  var properties: Set<String>?
  /// The stores to be asked, by index; `nil` for all.
  var stores: Set<Int32>?
  /// The author and the context's name of the changes that are made to what is found, where that is
  /// what the query is for.
  var origin = ChangeOrigin()
  /// The observer that receives the progress of the fetch, and can stop it.
  var observer: FetchObserver?

  package init(entity: NSEntityDescription) { self.entity = entity }

  /// The query of the rows of objects that are fetched together.
  init(_ batch: FaultBatch) {
    self.init(entity: batch.entity)
    keys = batch.keys
    stores = [batch.store]
  }

  /// The limit for a reader that skips the offset itself, and some more rows; 0 for no limit.
  func limit(with more: Int = 0) -> Int {
    if limit == 0 { return 0 }
    let (sum, overflow) = limit.addingReportingOverflow(offset)
    let (total, overflowToo) = sum.addingReportingOverflow(more)
    return overflow || overflowToo ? .max : total
  }

  /// The layouts of all entities whose objects the query can find, abstract ones excepted.
  var layouts: [EntityLayout] {
    let entities = includesSubentities ? entity.selfAndAllSubentities : [entity]
    return entities.filter { !$0.isAbstract }.map(\.layout)
  }
}

/// Receives the progress of a fetch from a store, on any thread; it can stop the fetch.
package final class FetchObserver: Sendable {
  private let isCancelledNow = Atomic<Bool>(false)
  /// Ends the running query; `nil` if no query runs, or the running one cannot be ended.
  private let ending = Mutex<(@Sendable () -> Void)?>(nil)
  private let progress: UncheckedSendable<Progress>
  private let queue: ContextQueue

  /// The number of rows that are read from one report to the next.
  private static let rowsPerReport = 256

  /// - Parameter queue: the queue on which the progress is used.
  init(progress: Progress, queue: ContextQueue) {
    self.progress = UncheckedSendable(progress)
    self.queue = queue
  }

  package var isCancelled: Bool { isCancelledNow.load(ordering: .relaxed) }

  func cancel() {
    isCancelledNow.store(true, ordering: .relaxed)
    // The call happens under the lock, so that the query of another fetch is never ended.
    ending.withLock { $0?() }
  }

  /// Does some work, whose query is ended when the fetch is cancelled meanwhile.
  ///
  /// - Parameter end: ends the running query, from any thread.
  /// - Throws: `NSUserCancelledError` when the fetch was cancelled before, or what the work throws.
  package func cancelling<Value>(_ end: @escaping @Sendable () -> Void, _ work: () throws -> Value) throws
    -> Value
  {
    ending.withLock { $0 = end }
    defer { ending.withLock { $0 = nil } }
    if isCancelled { throw Self.cancelled }
    return try work()
  }

  /// Called for each row.
  ///
  /// - Throws: `NSUserCancelledError` when the fetch was cancelled.
  func report(_ count: Int) throws {
    if isCancelled { throw Self.cancelled }
    guard count % Self.rowsPerReport == 0 else { return }
    queue.async { [progress] in progress.value.completedUnitCount = Int64(count) }
  }

  package static let cancelled = CocoaError.coreData(
    CocoaError.userCancelled.rawValue,
    message: "the fetch was cancelled before it was done."
  )
}
