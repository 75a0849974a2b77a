import Foundation
import Predicates

/// The requirements of the coordinator on a store, in addition to Apple's public class: the object channel, and
/// its files.
///
/// References that a store answers carry its own `index`.
package protocol ObjectStore: NSPersistentStore, LockedStore, StoreReader {
  /// The rule for predicates on missing values in this store.
  var nullRule: NullRule { get }

  /// Takes note of the layouts of the model, before metadata are loaded.
  ///
  /// - Throws: `NSPersistentStoreIncompatibleVersionHashError` when the store was made with another model.
  func open(model: NSManagedObjectModel) throws

  /// Excludes all other writers, in this process and elsewhere, while the work commits a save. When the work
  /// returns, its commits are kept; when it throws, all of them are rolled back.
  ///
  /// - Parameter work: gets what reads and commits meanwhile, and answers how the save ended.
  func whileLocked(_ work: (any LockedStore) throws -> CommitOutcome) throws -> CommitOutcome

  /// The current state of the store, kept while other connections write; `nil` for a store that cannot keep it.
  func snapshot() throws -> (any StoreReader)?

  /// True when metadata wait for the next save.
  var hasUnsavedMetadata: Bool { get }

  /// Runs a save that writes the current metadata. Keys that are set during the save wait for the next one. If this save
  /// fails, all keys wait for the next one.
  ///
  /// - Throws: the errors of the save.
  func savingMetadata(_ save: () throws -> CommitOutcome) throws -> CommitOutcome

  /// Checks that every object of the store can be read. Called by code that needs all rows, not only the visible ones.
  ///
  /// - Throws: an error when the database hides objects from the store's user.
  func requireAllRows() throws

  /// Goes on at another place: a store that is kept as a whole writes there from now on, another
  /// one opens the store that is there.
  ///
  /// - Throws: the reason for which there is nothing to open; the store then keeps its place.
  func relocate(to url: URL) throws

  /// Closes the store's files and connections.
  func close() throws

  /// Removes the store at a place with everything that belongs to it.
  static func destroy(at url: URL, options: [AnyHashable: Any]?) throws
}

extension ObjectStore {
  package var nullRule: NullRule { .asInMemory }

  package func commit(_ changes: ChangeSet) throws -> CommitOutcome { try commit(changes, with: { nil }) }

  package func snapshot() throws -> (any StoreReader)? { nil }

  package var hasUnsavedMetadata: Bool { hasUnsavedOwnMetadata }

  package func savingMetadata(_ save: () throws -> CommitOutcome) throws -> CommitOutcome {
    try savingOwnMetadata(save)
  }

  package func requireAllRows() throws {}
}
