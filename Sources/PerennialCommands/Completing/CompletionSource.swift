import CoreData
import Files
import Foundation

/// The model that the words of a command line name, and the store, if they name one.
struct CompletionSource {
  let model: NSManagedObjectModel
  /// The path of a store that the model fits.
  let store: String?

  /// Looks for a model file or a store among the words. Unreadable files are skipped silently, because the user
  /// is still typing and the command itself reports them.
  ///
  /// - Returns: nil when no word names a model or a store.
  init?(_ words: CompletionWords) {
    let given = words.values(of: "--model").lazy.compactMap(Self.model).first
    let stores = words.free.lazy.compactMap { path in
      Self.metadata(of: path).map { (path: path, metadata: $0) }
    }
    if let given {
      model = given
      store =
        stores.first { given.isConfiguration(withName: nil, compatibleWithStoreMetadata: $0.metadata) }?.path
      return
    }
    if let named = words.free.lazy.compactMap(Self.model).first {
      (model, store) = (named, nil)
      return
    }
    for (path, metadata) in stores {
      let location = StoreLocation(path: path)
      if let found = ModelSearch.adjacent(to: location, metadata: metadata)?.model
        ?? CachedModel.read(location, options: Self.options, metadata: metadata)
      {
        (model, store) = (found, path)
        return
      }
      if let reduced = CachedModel.reduced(location) {
        (model, store) = (reduced, nil)
        return
      }
    }
    return nil
  }

  /// The options for opening a store. Completion does not wait longer than 0.2 seconds for a locked store.
  static let options: [String: any Sendable] = [NSPersistentStoreTimeoutOption: 0.2]

  private static func model(_ path: String) -> NSManagedObjectModel? {
    guard ModelFile.extensions.contains(URL(fileURLWithPath: path).pathExtension) else { return nil }
    return try? ModelFile(path).currentModel()
  }

  /// The metadata of a store in a file. A server is not asked, because its answer could take any time.
  private static func metadata(of path: String) -> [String: Any]? {
    guard !path.isEmpty, FileKind(resolving: path) == .regular else { return nil }
    return try? ClosedStore.metadata(of: StoreLocation(path: path), options: options)
  }
}
