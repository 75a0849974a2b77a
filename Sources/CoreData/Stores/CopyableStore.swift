import Foundation

/// A store that can be copied, replaced and removed in its place, without its model.
///
/// A store in memory lies nowhere, and one on a server is more than a file: such a store does not
/// conform, or says itself how it is done.
package protocol CopyableStore: RebuildableStore {
  /// Copies a store with all of its files to another place, which must be empty.
  static func copy(_ url: URL, to other: URL) throws

  /// Puts a copy of the store at one place in another place, where there may be a store already.
  ///
  /// - Parameter options: the options of the store that is replaced.
  static func replace(_ url: URL, withCopyOf source: URL, options: [AnyHashable: Any]?) throws

  /// Removes the store at a place with everything that belongs to it, if it is there.
  static func removeAll(at url: URL) throws

  /// True when ``make(at:_:)`` can make a store for a place.
  static func isCreatedAside(for url: URL) -> Bool

  /// Creates a store under a temporary name and renames it when it is complete. If the process
  /// stops before that, there is no partial store at the destination.
  ///
  /// - Parameters:
  ///   - url: the place of the store, which must be empty.
  ///   - fill: creates and closes a store at the given place.
  static func create(at url: URL, _ fill: (URL) throws -> Void) throws
}

/// A store that can copy its objects to another place of its own type while it is open, under their keys.
///
/// The objects of any other store are fetched and inserted one by one when it is moved, under new keys.
protocol MovableStore: CopyableStore {
  /// Copies the current content of the store to an empty place.
  func copy(to url: URL) throws

  /// Excludes all other writers, also in other processes, while the closure runs. The closure may close the store.
  func withoutWriters<Value>(_ work: () throws -> Value) throws -> Value
}

/// A store whose place a container prepares before it opens the store.
///
/// Apple's container creates the folder of a SQLite store, and does not create folders for other types.
protocol PreparableStore: ObjectStore {
  /// Creates missing folders of the store's place, as far as possible. Opening the store reports what is still missing.
  static func preparePlace(_ url: URL)
}

/// A store that can be replaced by a store that is rebuilt from it.
package protocol RebuildableStore: ObjectStore {
  /// Replaces the store by a rebuilt one. Commits that other connections make in the meantime are kept.
  ///
  /// - Parameters:
  ///   - options: the options of the store.
  ///   - create: creates and closes the new store at the given place, or returns `false` to keep the existing store.
  static func rebuild(at url: URL, options: [AnyHashable: Any]?, _ create: (URL) throws -> Bool) throws
}
