public import CoreData
import Files
public import Foundation

/// A SQLite store that is shipped with an app and copied to the app's own data at its first launch.
///
/// ```swift
/// let container = NSPersistentContainer(name: "Notes")
/// try ShippedStore.bundle(.module, "Notes.sqlite").copyIfAbsent(for: container)
/// container.loadPersistentStores { _, error in
///   if let error { fatalError("the notes cannot be opened: \(error)") }
/// }
/// ```
///
/// `perennial build-store` makes such stores. The copy keeps the identity of the shipped store, as
/// every copy of a file does (`NSPersistentStore.identifier`): object IDs name the same objects in
/// all copies. The copy includes the ledger of seeds, so that later seeds continue from it.
///
/// Large values of attributes with external storage are files in the folder `.Notes_SUPPORT` next to `Notes.sqlite`,
/// and are copied, too. A bundle contains them if a folder with both is one of its resources: `.copy("Store")` in a
/// package, a folder reference in Xcode. The store is then `.bundle(.main, "Store/Notes.sqlite")`.
public struct ShippedStore: Sendable {
  private enum Location {
    case bundle(Bundle, String)
    case file(URL)
  }

  private let location: Location

  /// A resource of a bundle, such as an app's `Notes.sqlite`. Nothing is looked up before it is needed.
  public static func bundle(_ bundle: Bundle = .main, _ resource: String) -> ShippedStore {
    ShippedStore(location: .bundle(bundle, resource))
  }

  /// A file.
  public static func file(_ url: URL) -> ShippedStore { ShippedStore(location: .file(url)) }

  /// Copies the store to where a container's first SQLite store is to be, unless there is one.
  /// Called before the container's stores are loaded.
  /// - Returns: True when it was copied.
  /// - Throws: The errors of ``copyIfAbsent(to:)``, and a `SeedError` with the code `no-store` when
  ///   the container describes no SQLite store with a place.
  @discardableResult
  public func copyIfAbsent(for container: NSPersistentContainer) throws -> Bool {
    let description = container.persistentStoreDescriptions.first { $0.type == NSSQLiteStoreType && $0.url != nil }
    guard let url = description?.url else {
      throw SeedError(
        code: .noStore,
        problem: "the container \(container.name) describes no SQLite store that has a place",
        remedy: "give it a description with a URL before the shipped store is copied"
      )
    }
    return try copyIfAbsent(to: url)
  }

  /// Copies the store to a path, unless a file exists there. A missing folder is created.
  ///
  /// Existing files are never replaced, and the copy appears as a whole or not at all. It is made next to its final
  /// path and renamed in one step after the files of its external data are there. If several processes do this at the
  /// same time, one of them succeeds. If the shipped store has a journal (`-wal`), the journal is copied, too.
  ///
  /// ```swift
  /// let place = folder.appendingPathComponent("Library/Notes.sqlite")
  /// let store = ShippedStore.bundle(.module, "Notes.sqlite")
  /// print(try store.copyIfAbsent(to: place))  // true
  /// print(try store.copyIfAbsent(to: place))  // false: it is there
  /// ```
  /// - Returns: True when it was copied.
  /// - Throws: A `SeedError` with the code `unreadable-file` if the store does not exist or is not
  ///   a database, and with the code `store-failed` if it cannot be copied.
  @discardableResult
  public func copyIfAbsent(to url: URL) throws -> Bool {
    // A later version of the bundle need not contain a store that was copied already.
    if FileKind(at: url.path) != .nothing { return false }
    let shipped = try file()
    do {
      return try StoreCopy(shipped).put(at: url)
    } catch {
      throw SeedError(
        code: .storeFailed,
        at: SeedPosition(file: url.path),
        problem: "the shipped store could not be copied: \(ErrorWords.describe(error))",
        remedy: "make room, or give a place that can be written",
        underlying: error
      )
    }
  }

  /// The file, which begins as a SQLite store does.
  ///
  /// - Throws: A `SeedError` if the file does not exist or is not a SQLite store.
  func file() throws -> URL {
    switch location {
    case .file(let url):
      try Self.check(url, shownAs: url.relativePath, remedy: "check the path")
      return url
    case .bundle(let bundle, let name):
      guard let url = bundle.url(forResource: name, withExtension: nil) else {
        throw SeedError(
          code: .unreadableFile,
          at: SeedPosition(file: name),
          problem: "there is no such resource in the bundle \(bundle.bundleURL.lastPathComponent)",
          remedy: "add it to the target's resources"
        )
      }
      try Self.check(url, shownAs: name, remedy: "build it anew with perennial build-store")
      return url
    }
  }

  /// The bytes with which a SQLite database begins.
  private static let beginning = Data("SQLite format 3\0".utf8)

  /// Checks that a file is a database and not, for example, the pointer that a version control
  /// system has left instead of it.
  ///
  /// - Throws: A `SeedError` if the file is not a database, or is only partly written.
  private static func check(_ url: URL, shownAs name: String, remedy: String) throws {
    guard let isDatabase = database(url) else {
      throw SeedError(
        code: .unreadableFile,
        at: SeedPosition(file: name),
        problem: "there is no such file, or it cannot be read",
        remedy: remedy
      )
    }
    guard isDatabase else {
      throw SeedError(
        code: .unreadableFile,
        at: SeedPosition(file: name),
        problem: "this is not a SQLite store",
        remedy: remedy
      )
    }
    // The journal is not copied.
    guard !RollbackJournal.isHot(nextTo: url.resolvingSymlinksInPath().path) else {
      throw SeedError(
        code: .unreadableFile,
        at: SeedPosition(file: name),
        problem: "a program was killed while it wrote the store, and half of its change is in the file",
        remedy: "open it once, as by perennial inspect, which rolls the change back, and ship it then"
      )
    }
  }

  /// Returns true when a file begins as a database does; nil where there is no file that can be read.
  private static func database(_ url: URL) -> Bool? {
    guard FileKind(resolving: url.path) == .regular, let handle = try? FileHandle(forReadingFrom: url) else {
      return nil
    }
    defer { try? handle.close() }
    return (try? handle.read(upToCount: beginning.count)) == beginning
  }
}
