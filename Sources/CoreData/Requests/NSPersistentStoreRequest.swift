public import Foundation

/// The kind of a request to a store.
public enum NSPersistentStoreRequestType: UInt, Sendable {
  /// A fetch: ``NSFetchRequest``.
  case fetchRequestType = 1
  /// A save, which only an incremental store of your own is asked for: ``NSSaveChangesRequest``.
  case saveRequestType = 2
  /// A batch of insertions: ``NSBatchInsertRequest``.
  case batchInsertRequestType = 5
  /// A batch of updates: ``NSBatchUpdateRequest``.
  case batchUpdateRequestType = 6
  /// A batch of deletions: ``NSBatchDeleteRequest``.
  case batchDeleteRequestType = 7
}

/// A request to the stores of a coordinator: the superclass of fetch and batch requests.
open class NSPersistentStoreRequest: NSObject {
  /// The stores that are asked; `nil` for all.
  ///
  /// ```swift
  /// let archive = try coordinator.addPersistentStore(type: .inMemory)
  /// let request = NSFetchRequest<Note>(entityName: "Note")
  /// request.affectedStores = [archive]
  /// let archived = try context.fetch(request)
  /// ```
  @exclusivity(unchecked) open var affectedStores: [NSPersistentStore]?

  /// The kind of the request. Subclasses of an application must override it.
  open var requestType: NSPersistentStoreRequestType {
    fatalError("\(Swift.type(of: self)) must override requestType.")
  }

  final var storeIndexes: Set<Int32>? { affectedStores.map { Set($0.map(\.index)) } }

  open override var description: String { ObjectHead.text(self) }
}

/// The changes of a save, as a store of an application's own gets them.
///
/// Apple's documentation of `NSSaveChangesRequest`.
open class NSSaveChangesRequest: NSPersistentStoreRequest {
  /// The objects that are new.
  public final let insertedObjects: Set<NSManagedObject>?
  /// The objects whose values or relationships changed.
  public final let updatedObjects: Set<NSManagedObject>?
  /// The objects that are deleted.
  public final let deletedObjects: Set<NSManagedObject>?
  /// The objects that no other writer may have changed.
  public final let lockedObjects: Set<NSManagedObject>?

  /// Makes a request of these objects.
  public init(
    inserted insertedObjects: Set<NSManagedObject>?,
    updated updatedObjects: Set<NSManagedObject>?,
    deleted deletedObjects: Set<NSManagedObject>?,
    locked lockedObjects: Set<NSManagedObject>?
  ) {
    self.insertedObjects = insertedObjects
    self.updatedObjects = updatedObjects
    self.deletedObjects = deletedObjects
    self.lockedObjects = lockedObjects
    super.init()
  }

  open override var requestType: NSPersistentStoreRequestType { .saveRequestType }

  open override var description: String { describe() }
}

/// The result of a request.
open class NSPersistentStoreResult: NSObject {
  open override var description: String { ObjectHead.text(self) }
}

/// The result of a request that is carried out concurrently with the program: the caller gets the
/// result before its content is available.
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
    observer = FetchObserver(progress: progress, queue: context.queue)
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
