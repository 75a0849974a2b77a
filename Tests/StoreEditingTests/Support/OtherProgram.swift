import CoreData
import Dispatch
import Foundation
import Synchronization
import Testing

@testable import StoreEditing

/// A transaction of another coordinator, which has changed an object and has not committed the change.
///
/// The coordinators share no connection and no lock of the process, so the store of a test waits for the transaction as
/// for one of another program.
final class OtherProgram: Sendable {
  private let door = DispatchSemaphore(value: 0)

  private struct Ended: Error {}

  /// Begins the transaction, and suspends the caller until the object is changed in it.
  init(changing object: EditedObject, of store: EditedStore, kind: EditedKind) async throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: EditedStore.model)
    try coordinator.addPersistentStore(
      ofType: kind.storeType,
      configurationName: nil,
      at: try #require(store.coordinator.persistentStores.first?.url),
      options: nil
    )
    let door = door
    try await withCheckedThrowingContinuation { (begun: CheckedContinuation<Void, any Error>) in
      Thread.detachNewThread {
        var isBegun = false
        do {
          try coordinator.performTransaction { context in
            try EditedStore.object(object, in: context).setValue("by another program", forKey: "text")
            try context.save()
            isBegun = true
            begun.resume()
            door.wait()
            // The transaction is rolled back.
            throw Ended()
          }
        } catch {
          if !isBegun { begun.resume(throwing: error) }
        }
      }
    }
  }

  /// Ends the transaction, which writes nothing.
  func end() { door.signal() }
}
