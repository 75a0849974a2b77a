public import Foundation

extension NSManagedObjectModel {
  /// Makes a reduced model from the tables of a SQLite store, for one that has no model in it.
  ///
  /// Apple has no such method. Tables do not tell all of a model: the attributes have the columns'
  /// names in lower case, a root entity has those of its subentities too, foreign keys are
  /// integers, truth values as well, identifiers and objects are data. Open the store read-only
  /// with it, and with `NSIgnorePersistentStoreVersioningOption`, since its version hashes are
  /// those of the real model.
  ///
  /// - Parameter store: the store, which is not changed.
  /// - Throws: an error of `NSCocoaErrorDomain` that names the file, when it is no store, or one
  ///   whose tables no model has.
  public convenience init(tablesOf store: URL) throws {
    let tables = try SQLiteStore.tableModel(at: store)
    let descriptions = try tables.descriptions()
    self.init()
    entities = descriptions
  }
}
