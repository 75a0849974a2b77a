import CoreData
import Logging

/// Follows the notes by a fetched results controller, and tells pages what becomes of them, whoever it was that
/// changed them: a request, the seeding, or another program.
package actor NoteFeed {
  package nonisolated let subscribers = FeedSubscribers()
  private nonisolated let context: NSManagedObjectContext
  private let controller: NSFetchedResultsController<Note>
  private let delegate: FeedDelegate
  /// The history up to which the context has merged what others saved.
  private var token: NSPersistentHistoryToken?
  private var observer: RemoteChangeObserver?
  private static let logger = Logger(label: "notes.feed")

  /// The methods run on the context's queue.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { context.asUnownedSerialExecutor() }

  init(_ container: NSPersistentContainer) {
    context = container.newBackgroundContext()
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = Note.newestFirst
    controller = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: context,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    delegate = FeedDelegate(subscribers)
  }

  /// Begins to follow the notes.
  func start() throws {
    token = context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
    controller.delegate = delegate
    try controller.performFetch()
    // Tells of each commit, those of other programs too.
    observer = RemoteChangeObserver(of: context.persistentStoreCoordinator) { [weak self] in
      Task { [weak self] in await self?.merge() }
    }
  }

  /// Merges what was saved since the last time; the controller tells its delegate of it.
  ///
  /// When it returns, pages were told of all that was saved before it.
  package func merge() {
    do {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      let result = try context.execute(request) as? NSPersistentHistoryResult
      for transaction in result?.result as? [NSPersistentHistoryTransaction] ?? [] {
        context.mergeChanges(fromContextDidSave: transaction.objectIDNotification())
        token = transaction.token
      }
    } catch let error as CocoaError where error.code.rawValue == NSPersistentHistoryTokenExpiredError {
      beginAnew()
    } catch {
      Self.logger.error("the notes cannot be followed: \(error)")
    }
  }

  /// What came before was deleted from the history: everything may have changed.
  private func beginAnew() {
    do {
      token = context.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
      context.reset()
      try controller.performFetch()
      var changes = NoteChanges()
      changes.count = controller.fetchedObjects?.count ?? 0
      subscribers.send(.changes(changes))
    } catch {
      Self.logger.error("the notes cannot be followed: \(error)")
    }
  }
}

/// Collects what the controller tells of one set of changes.
private final class FeedDelegate: NSObject, NSFetchedResultsControllerDelegate {
  private let subscribers: FeedSubscribers
  private var changes = NoteChanges()

  init(_ subscribers: FeedSubscribers) { self.subscribers = subscribers }

  func controllerWillChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    changes = NoteChanges()
  }

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange anObject: Any,
    at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType,
    newIndexPath: IndexPath?
  ) {
    changes.count += 1
    guard changes.count <= NoteChanges.mostNamed, let id = (anObject as? Note)?.noteID?.description else {
      return
    }
    switch type {
    case .insert: changes.inserted.append(id)
    case .delete: changes.deleted.append(id)
    case .update, .move: changes.updated.append(id)
    }
  }

  func controllerDidChangeContent(_ controller: NSFetchedResultsController<any NSFetchRequestResult>) {
    if changes.count > 0 { subscribers.send(.changes(changes)) }
  }
}

/// Calls for each commit to the stores of a coordinator as long as it lives.
private final class RemoteChangeObserver {
  private let observer: any NSObjectProtocol

  init(of coordinator: NSPersistentStoreCoordinator?, _ call: @escaping @Sendable () -> Void) {
    observer = NotificationCenter.default.addObserver(
      forName: .NSPersistentStoreRemoteChange,
      object: coordinator,
      queue: nil
    ) { _ in call() }
  }

  deinit { NotificationCenter.default.removeObserver(observer) }
}
