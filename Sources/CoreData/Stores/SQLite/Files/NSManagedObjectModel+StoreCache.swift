public import Foundation
package import ModelFormats

extension NSManagedObjectModel {
  /// Reads the model that a SQLite store was made with out of the store itself.
  ///
  /// Apple has no such method. Apple's framework, and this one, keep the model in the store, for
  /// migrations without the model's file; default values and expressions that no model file can say
  /// are not read.
  ///
  /// - Parameter store: the store, which is not changed.
  /// - Throws: an error of `NSCocoaErrorDomain` that names the file, when it is no store, has no
  ///   model in it, or has one that cannot be read.
  public convenience init(cachedIn store: URL) throws {
    try self.init(document: Self.document(cachedIn: store), file: store.path)
  }

  /// The model that a SQLite store was made with, as a document.
  ///
  /// - Throws: an error of `NSCocoaErrorDomain` that names the file, when it is no store, has no
  ///   model in it, or has one that cannot be read.
  package static func document(cachedIn store: URL) throws -> ModelDocument {
    guard let archive = try SQLiteStore.cachedModel(at: store) else {
      throw StoreFailure.error(
        CocoaError.fileReadCorruptFile.rawValue,
        "\(store.path): the store has no model in its table Z_MODELCACHE; give the model's own file.",
        file: store
      )
    }
    return try ModelDocument(compiled: archive, file: store.path)
  }
}
