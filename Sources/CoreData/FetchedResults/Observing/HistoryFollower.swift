import Foundation
import Synchronization

/// Merges what others save into a context, by the history of its stores, as long as an observed fetch
/// of the context asks for it.
///
/// The observed fetches of a context share one. It hears of commits by `NSPersistentStoreRemoteChange`.
// A lock protects `isAsked`, and the observers are set once. Everything else is used on the context's queue.
final class HistoryFollower: @unchecked Sendable {
  /// The changes of one save, by the kinds of change.
  private typealias SavedIDs = [String: Set<NSManagedObjectID>]

  private let reference: WeakContext
  private let isAsked = Mutex(false)
  /// How far the context has the history; `nil` while its stores have none.
  private var token: NSPersistentHistoryToken?
  /// The context's own saves since the history was last read.
  private var ownSaves: [SavedIDs] = []
  private var observations: [any NSObjectProtocol] = []

  fileprivate init(context: NSManagedObjectContext, coordinator: NSPersistentStoreCoordinator) {
    reference = WeakContext(context: context)
    token = coordinator.currentPersistentHistoryToken(fromStores: nil)
    observations = [
      NotificationCenter.default.addObserver(
        forName: .NSPersistentStoreRemoteChange,
        object: coordinator,
        queue: nil
      ) { [weak self] _ in self?.ask() },
      NotificationCenter.default.addObserver(
        forName: .NSManagedObjectContextDidSaveObjectIDs,
        object: context,
        queue: nil
      ) { [weak self] notification in self?.recordSave(notification) },
    ]
  }

  deinit {
    for observation in observations { NotificationCenter.default.removeObserver(observation) }
  }

  /// Has the context merge in its turn. Commits that follow each other closely are merged together.
  private func ask() {
    let isNew = isAsked.withLock { isAsked in
      defer { isAsked = true }
      return !isAsked
    }
    if isNew { reference.context?.perform { [weak self] in self?.merge() } }
  }

  // MARK: - Merging

  private func merge() {
    isAsked.withLock { $0 = false }
    // A save of the context is in the history before the context goes on to other work.
    defer { ownSaves = [] }
    guard let context = reference.context, let coordinator = context.persistentStoreCoordinator else { return }
    guard let token else { return beginAnew(context, coordinator: coordinator) }
    do {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: token)
      let found = try coordinator.execute(request).result as? [NSPersistentHistoryTransaction] ?? []
      for transaction in found where !isOwn(transaction, of: context) {
        let changes = transaction.objectIDNotification().userInfo ?? [:]
        NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
      }
      self.token = token.advanced(by: found)
    } catch {
      // The history may have been deleted beyond the token. If the store cannot be read, the next fetches throw the error.
      beginAnew(context, coordinator: coordinator)
    }
  }

  /// Any object may have changed: all are read again, and all observed results are fetched again.
  private func beginAnew(_ context: NSManagedObjectContext, coordinator: NSPersistentStoreCoordinator) {
    token = coordinator.currentPersistentHistoryToken(fromStores: nil) ?? token
    Self.readAnew(context)
    for following in context.resultsFollowing { following.results?.fallBehind() }
  }

  /// Has the objects of a context, and before them those of its ancestors, read from the store when they are next used.
  private static func readAnew(_ context: NSManagedObjectContext) {
    if let parent = context.parentSet { parent.queue.sync { readAnew(parent) } }
    context.advanceQueryGeneration()
    context.refreshAllObjects()
  }

  // MARK: - The context's own saves

  /// Remembers a save whose transaction the context need not merge.
  private func recordSave(_ notification: Notification) {
    // Of a child context, the transaction is the parent's.
    guard let context = reference.context, context.parentSet == nil, ownSaves.count < Self.mostOwnSaves else { return }
    ownSaves.append(Self.savedIDs(notification.userInfo ?? [:]))
  }

  /// More saves are not remembered: the context merges them as if they were those of others.
  private static let mostOwnSaves = 100

  /// Returns true for a transaction that says what a save of the context itself has said.
  ///
  /// Another context may have saved the same objects under the same names. One of the two is merged then, which
  /// reads the objects as they are after both.
  private func isOwn(_ transaction: NSPersistentHistoryTransaction, of context: NSManagedObjectContext)
    -> Bool
  {
    if ownSaves.isEmpty { return false }
    guard transaction.contextName == context.name, transaction.author == context.transactionAuthor else {
      return false
    }
    let saved = Self.savedIDs(transaction.objectIDNotification().userInfo ?? [:])
    guard let index = ownSaves.firstIndex(of: saved) else { return false }
    ownSaves.remove(at: index)
    return true
  }

  private static func savedIDs(_ userInfo: [AnyHashable: Any]) -> SavedIDs {
    var saved: SavedIDs = [:]
    for key in [NSInsertedObjectIDsKey, NSUpdatedObjectIDsKey, NSDeletedObjectIDsKey] {
      if let objectIDs = userInfo[key] as? Set<NSManagedObjectID> { saved[key] = objectIDs }
    }
    return saved
  }
}

extension NSPersistentHistoryToken {
  /// The token after some transactions that follow this one.
  fileprivate final func advanced(by transactions: [NSPersistentHistoryTransaction])
    -> NSPersistentHistoryToken
  {
    var numbers = numbers
    for transaction in transactions {
      numbers[transaction.storeID] = max(numbers[transaction.storeID] ?? 0, transaction.transactionNumber)
    }
    return NSPersistentHistoryToken(numbers: numbers)
  }
}

extension NSManagedObjectContext {
  /// Merges changes that other contexts and processes save, by the history of the stores; `nil`
  /// while no observed fetch needs it.
  final var historyFollower: HistoryFollower? { sharedByResults as? HistoryFollower }

  /// Makes the context merge what others save, as long as the follower exists.
  ///
  /// - Returns: `nil` if no store posts notifications of remote changes.
  final func followHistory() -> HistoryFollower? {
    if let historyFollower { return historyFollower }
    guard let coordinator = persistentStoreCoordinator,
      coordinator.persistentStores.contains(where: \.tellsOfRemoteChanges)
    else { return nil }
    let follower = HistoryFollower(context: self, coordinator: coordinator)
    sharedByResults = follower
    return follower
  }
}

extension NSPersistentStore {
  fileprivate final var tellsOfRemoteChanges: Bool {
    options?[NSPersistentStoreRemoteChangeNotificationPostOptionKey] as? Bool == true
  }
}
