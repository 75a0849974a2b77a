import CoreData
import Foundation

/// A SQLite store with a history, which any number of coordinators may open.
final class TrackedStore {
  let folder: TemporaryFolder
  let model: NSManagedObjectModel
  private var coordinators: [NSPersistentStoreCoordinator] = []

  static var options: [String: NSObject] { [NSPersistentHistoryTrackingKey: NSNumber(value: true)] }

  /// A model whose deleted notes leave their titles and identifiers.
  static let model: NSManagedObjectModel = {
    let model = TestModel.make()
    for name in ["title", "identifier"] {
      model.entitiesByName["Note"]?.attributesByName[name]?.preservesValueInHistoryOnDeletion = true
    }
    return model
  }()

  init(model: NSManagedObjectModel = TrackedStore.model) throws {
    folder = try TemporaryFolder()
    self.model = model
  }

  deinit {
    for coordinator in coordinators {
      for store in coordinator.persistentStores { try? coordinator.remove(store) }
    }
  }

  var file: URL { folder.file() }

  func coordinator(_ options: [AnyHashable: Any]? = TrackedStore.options) throws
    -> NSPersistentStoreCoordinator
  {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: file, options: options)
    coordinators.append(coordinator)
    return coordinator
  }

  /// A context on a coordinator of its own, as another process would have.
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
