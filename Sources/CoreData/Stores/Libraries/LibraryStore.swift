/// A store that is read and written with a library of the system that no other store needs.
package protocol LibraryStore: ObjectStore {
  /// The library, in the version that this process has loaded.
  static var library: LinkedLibrary { get }
}
