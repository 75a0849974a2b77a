public import Foundation
package import ModelFormats

extension NSManagedObjectModel {
  /// Reads the model that a store was made with out of the store itself, in SQLite or in PostgreSQL.
  ///
  /// Apple has no such method. Apple's framework, and this one, keep the model in the store, for migrations without the
  /// model's file; default values and expressions that no model file can say are not read.
  ///
  /// - Parameters:
  ///   - store: the store, which is not changed: a file, or a `postgresql://` URL.
  ///   - options: the options of the store. Only those of a connection matter here.
  /// - Throws: an error of `NSCocoaErrorDomain` that names the store, when it is not a store, does not
  ///   contain a model, or contains one that cannot be read.
  public convenience init(cachedIn store: URL, options: [AnyHashable: Any]? = nil) throws {
    let document = try Self.document(cachedIn: store, options: options)
    try self.init(document: document, file: store.storeName)
  }

  /// The model that a store was made with, as a document.
  ///
  /// - Throws: what ``init(cachedIn:options:)`` throws.
  package static func document(cachedIn store: URL, options: [AnyHashable: Any]? = nil) throws
    -> ModelDocument
  {
    let storeClass = try StoreInspection.inspectable(StoreTypes.type(at: store), at: store)
    guard let archive = try storeClass.archivedModel(at: store, options: options) else {
      throw StoreFailure.corruptFile(
        "\(store.storeName): the store has no model in its table \(storeClass.modelTable); give the model's own file.",
        file: store
      )
    }
    return try ModelDocument(compiled: archive, file: store.storeName)
  }
}
