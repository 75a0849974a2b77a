import CoreData
import Foundation

/// The history that a store keeps of its changes.
enum StoreHistory {
  /// The options that go on with a history, or begin one.
  static var tracking: [AnyHashable: Any] { [NSPersistentHistoryTrackingKey: true] }

  /// Returns true when a store has a history.
  ///
  /// - Parameter model: the model that the store was made with.
  static func isRecorded(by store: URL, model: NSManagedObjectModel) throws -> Bool {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let opened = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: store,
      options: [NSReadOnlyPersistentStoreOption: true]
    )
    defer { try? coordinator.remove(opened) }
    return coordinator.currentPersistentHistoryToken(fromStores: [opened]) != nil
  }
}
