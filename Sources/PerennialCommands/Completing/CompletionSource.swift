import CoreData
import Files
import Foundation

/// The model, and the store where there is one, that the words of a command line name.
struct CompletionSource {
  let model: NSManagedObjectModel
  /// The path of a store that the model fits.
  let store: String?

  /// Looks for a model's file or a store among the words. What cannot be read is passed over without a word:
  /// somebody is typing, and the command itself will say it.
  ///
  /// - Returns: nil when no word names any.
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
      if let found = ModelSearch.beside(location, metadata: metadata)?.model
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

  /// A store that another program holds is not waited for.
  static let options: [String: any Sendable] = [NSPersistentStoreTimeoutOption: 0.2]

  private static func model(_ path: String) -> NSManagedObjectModel? {
    guard ModelFile.extensions.contains(URL(fileURLWithPath: path).pathExtension) else { return nil }
    return try? ModelFile(path).currentModel()
  }

  /// The metadata of a store in a file. A server is not asked: that could take any time.
  private static func metadata(of path: String) -> [String: Any]? {
    guard !path.isEmpty, FileKind(behind: path) == .regular else { return nil }
    return try? ClosedStore.metadata(of: StoreLocation(path: path), options: options)
  }
}
