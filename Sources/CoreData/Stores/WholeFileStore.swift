import Files
import Foundation

/// A store that is one file, or one folder of an application's own, and that no program holds open
/// while it is not written.
///
/// So it can be copied and moved as any file.
package protocol WholeFileStore: CopyableStore {}

extension WholeFileStore {
  package static func copy(_ url: URL, to other: URL) throws {
    try StoreFile(url).checkPlaceOfAny()
    // A copy of a link would be the store itself.
    try FileManager.default.copyItem(at: url.resolvingSymlinksInPath(), to: other)
  }

  package static func replace(_ url: URL, withCopyOf source: URL, options: [AnyHashable: Any]?) throws {
    let copy = StoreFile(url).temporaryPlace
    do {
      try self.copy(source, to: copy)
      if FileKind(resolving: url.path) == .regular, FileKind(at: copy.path) == .regular,
        let present = FilePermissions(resolving: url.path),
        let content = FilePermissions(resolving: source.path)
      {
        try present.holding(contentOf: content).give(toFileAt: copy.path)
      }
      try StoreFile(url).replace(with: copy)
    } catch {
      try? removeAll(at: copy)
      throw error
    }
  }

  package static func removeAll(at url: URL) throws { try StoreFile(url).remove() }

  /// Only the application's own class knows what it creates at a place.
  package static func isCreatedAside(for url: URL) -> Bool { false }

  package static func create(at url: URL, _ fill: (URL) throws -> Void) throws {
    let temporary = StoreFile(url).temporaryPlace
    do {
      try fill(temporary)
      try StoreFile(url).put(temporary)
    } catch {
      try? removeAll(at: temporary)
      throw error
    }
    // An application uses the store by now. Left-over files of the other store do no harm.
    try? removeAll(at: temporary)
  }

  /// Replaces the file if no process has written it in the meantime, because there is no lock that would prevent that.
  package static func rebuild(at url: URL, options: [AnyHashable: Any]?, _ create: (URL) throws -> Bool)
    throws
  {
    let new = StoreFile(url).temporaryPlace
    do {
      let before = FileVersion(resolving: url.path)
      guard try create(new) else { return }
      guard FileVersion(resolving: url.path) == before else {
        throw StoreFailure.error(
          NSMigrationError,
          message: """
            \(url.path): another program has written the store while it was migrated; nothing was changed. Migrate it \
            again when nobody writes it.
            """
        )
      }
      try StoreFile(url).replace(with: new)
    } catch {
      try? removeAll(at: new)
      throw error
    }
  }
}
