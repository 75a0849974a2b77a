import Foundation
import Synchronization

/// Told by a store how far a fetch is, on any thread; it can stop the fetch.
final class FetchObserver: Sendable {
  private let isCancelledNow = Atomic<Bool>(false)
  private let progress: UncheckedSendable<Progress>
  private let queue: ContextQueue

  /// The number of rows that are read from one report to the next.
  private static let rowsPerReport = 256

  /// - Parameter queue: the queue on which the progress is used.
  init(_ progress: Progress, _ queue: ContextQueue) {
    self.progress = UncheckedSendable(progress)
    self.queue = queue
  }

  var isCancelled: Bool { isCancelledNow.load(ordering: .relaxed) }

  func cancel() { isCancelledNow.store(true, ordering: .relaxed) }

  /// Called for each row.
  ///
  /// - Throws: `NSUserCancelledError` when the fetch was cancelled.
  func report(_ count: Int) throws {
    if isCancelled { throw Self.cancelled }
    guard count % Self.rowsPerReport == 0 else { return }
    queue.async { [progress] in progress.value.completedUnitCount = Int64(count) }
  }

  static let cancelled = CocoaError.coreData(
    CocoaError.userCancelled.rawValue,
    "the fetch was cancelled before it was done."
  )
}
