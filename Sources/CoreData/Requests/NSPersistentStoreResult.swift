public import Foundation

/// The result of a request.
open class NSPersistentStoreResult: NSObject {
  open override var description: String { ObjectHead.text(self) }
}

/// The result of a request that is carried out beside the program: it is there before its content.
///
/// Apple's documentation of `NSPersistentStoreAsynchronousResult`.
open class NSPersistentStoreAsynchronousResult: NSPersistentStoreResult {
  /// The context that the request was given to.
  public final let managedObjectContext: NSManagedObjectContext

  /// The error with which the request failed; `NSUserCancelledError` when it was cancelled. Set
  /// before the completion block is called.
  public internal(set) final var operationError: (any Error)?

  /// The progress of the request. It belongs to the progress that was current when the request was
  /// given to the context, and is used on the context's queue.
  public final let progress: Progress?

  final let observer: FetchObserver

  init(context: NSManagedObjectContext, estimatedResultCount: Int) {
    managedObjectContext = context
    // Unknown while nothing was estimated.
    let progress = Progress(totalUnitCount: estimatedResultCount > 0 ? Int64(estimatedResultCount) : -1)
    self.progress = progress
    observer = FetchObserver(progress, context.queue)
    super.init()
    progress.cancellationHandler = { [observer] in observer.cancel() }
  }

  /// A cancelled progress tells the observer in its own time.
  final var isCancelled: Bool { observer.isCancelled || progress?.isCancelled == true }

  /// Stops the request: its completion block is called without a result.
  open func cancel() {
    progress?.cancel()
    observer.cancel()
  }
}
