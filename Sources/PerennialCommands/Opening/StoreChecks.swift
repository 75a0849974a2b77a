#if !canImport(Darwin)
  import CoreData
  import Foundation

  /// The checks of what is in a store.
  enum StoreChecks {
    /// Returns the check of a store in SQLite or PostgreSQL.
    ///
    /// - Parameters:
    ///   - model: the path of the model that the store was made with; nil for the one beside it or in it.
    ///   - options: the options of the store, for the time that it waits for others.
    /// - Throws: a `CommandFailure`, or Core Data's error, when there is no such store or model.
    static func check(
      of store: StoreLocation,
      model: String?,
      options: [String: any Sendable]
    ) throws -> any StoreCheck {
      let model = try checkedModel(store, model: model, options: options)
      #if PostgreSQL
        if store.isOnServer {
          return try PostgreSQLStoreCheck(store: store.url, model: model, options: options)
        }
      #endif
      return try SQLiteStoreCheck(store: store.url, model: model, options: options)
    }

    /// The model that the store was made with, from the file that was given.
    private static func checkedModel(
      _ store: StoreLocation,
      model: String?,
      options: [String: any Sendable]
    ) throws -> NSManagedObjectModel? {
      let metadata = try ClosedStore.metadata(of: store, options: options)
      guard let model else { return ModelSearch.beside(store, metadata: metadata)?.model }
      let file = ModelFile(model)
      // One that does not fit is a finding.
      return try file.model(of: metadata) ?? file.currentModel()
    }
  }
#endif
