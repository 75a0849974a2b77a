import CoreData
import Foundation
import Testing

#if PostgreSQL
  import PostgreSQLDriver
#endif

/// A shared store with a history, which any number of coordinators may open.
final class TrackedStore {
  let kind: StoreKind
  let folder: TemporaryFolder
  let model: NSManagedObjectModel
  /// The location of the store, which is its URL.
  let place: URL
  private var coordinators: [NSPersistentStoreCoordinator] = []

  static var options: [String: NSObject] { [NSPersistentHistoryTrackingKey: NSNumber(value: true)] }

  /// A model in which deleted notes leave tombstones with their titles and identifiers.
  static let model: NSManagedObjectModel = {
    let model = TestModel.make()
    for name in ["title", "identifier"] {
      model.entitiesByName["Note"]?.attributesByName[name]?.preservesValueInHistoryOnDeletion = true
    }
    return model
  }()

  init(_ kind: StoreKind = .sqlite, model: NSManagedObjectModel = TrackedStore.model) throws {
    self.kind = kind
    folder = try TemporaryFolder()
    place = try #require(kind.place(in: folder.url))
    self.model = model
  }

  deinit {
    for coordinator in coordinators {
      for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }
    if kind.isPostgreSQL {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try? coordinator.destroyPersistentStore(at: place, ofType: kind.storeType)
    }
  }

  /// The file of a SQLite store.
  var file: URL { folder.file() }

  func coordinator(_ options: [AnyHashable: Any]? = TrackedStore.options) throws
    -> NSPersistentStoreCoordinator
  {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: kind.storeType,
      configurationName: nil,
      at: place,
      options: options
    )
    coordinators.append(coordinator)
    return coordinator
  }

  /// Changes the store without Core Data, as another program does, and sends no notification.
  ///
  /// - Parameter hasHistory: true to write the second transaction of the store's history.
  func changeAsOthersDo(hasHistory: Bool) throws {
    if kind.isPostgreSQL {
      try executeAtServer(
        """
        UPDATE perennial_clock SET announcements = announcements + 1, \
        last_transaction = last_transaction + \(hasHistory ? 1 : 0)
        """
      )
      return
    }
    try folder.execute("UPDATE ZNOTE SET ZTITLE = 'theirs', Z_OPT = 2")
    if hasHistory {
      try folder.execute(
        "INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZTIMESTAMP) VALUES (2, 16002, 700000000)"
      )
    }
  }

  /// Moves the transactions of the history into the past.
  ///
  /// - Parameters:
  ///   - seconds: the time by which they become older.
  ///   - exception: the number of a transaction that keeps its date.
  func makeHistoryOlder(by seconds: Int, except exception: Int = 0) throws {
    if kind.isPostgreSQL {
      try executeAtServer(
        "UPDATE perennial_transaction SET timestamp = timestamp - \(seconds) WHERE number <> \(exception)"
      )
    } else {
      try folder.execute(
        "UPDATE ATRANSACTION SET ZTIMESTAMP = ZTIMESTAMP - \(seconds) WHERE Z_PK <> \(exception)"
      )
    }
  }

  private func executeAtServer(_ sql: String) throws {
    #if PostgreSQL
      try PostgreSQLServer.connection(to: place).run(sql)
    #endif
  }

  /// A context on a coordinator of its own, as another process has one.
  func context(_ name: String = "context", author: String? = "author") throws -> NSManagedObjectContext {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = try coordinator()
    context.name = name
    context.transactionAuthor = author
    return context
  }
}

extension NSManagedObjectContext {
  @discardableResult
  func note(_ title: String) -> Note {
    let note = Note(context: self)
    note.title = title
    return note
  }

  func transactions(
    _ request: NSPersistentHistoryChangeRequest = .fetchHistory(after: .distantPast)
  ) throws -> [NSPersistentHistoryTransaction] {
    let result = try execute(request) as? NSPersistentHistoryResult
    return result?.result as? [NSPersistentHistoryTransaction] ?? []
  }

  func changes(
    _ request: NSPersistentHistoryChangeRequest = .fetchHistory(after: .distantPast)
  ) throws -> [NSPersistentHistoryChange] {
    request.resultType = .changesOnly
    let result = try execute(request) as? NSPersistentHistoryResult
    return result?.result as? [NSPersistentHistoryChange] ?? []
  }

  var historyToken: NSPersistentHistoryToken? {
    persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
  }
}
