#if !canImport(Darwin)
  import CoreData
  import Foundation

  /// The checks of a store's contents.
  enum StoreChecks {
    /// True when stores of a location's type can be checked.
    static func canCheck(_ store: StoreLocation) -> Bool { StoreInspection.canCheck(store.storeType) }

    /// Returns the check of a store in SQLite or PostgreSQL.
    ///
    /// - Parameters:
    ///   - model: the path of the model that the store was made with; nil for the one next to the store or in it.
    ///   - options: the store options, which limit the wait for other programs.
    /// - Throws: a `CommandFailure`, or Core Data's error, when the store or the model does not exist.
    static func check(
      of store: StoreLocation,
      model: String?,
      options: [String: any Sendable]
    ) throws -> any StoreCheck {
      try StoreInspection.check(
        ofType: store.storeType,
        at: store.url,
        model: checkedModel(store, model: model, options: options),
        options: options
      )
    }

    /// The model that the store was made with, from the given file.
    private static func checkedModel(
      _ store: StoreLocation,
      model: String?,
      options: [String: any Sendable]
    ) throws -> NSManagedObjectModel? {
      let metadata = try ClosedStore.metadata(of: store, options: options)
      guard let model else { return ModelSearch.adjacent(to: store, metadata: metadata)?.model }
      let file = ModelFile(model)
      // A model that does not fit the store is a finding, not an error.
      return try file.model(of: metadata) ?? file.currentModel()
    }
  }
#endif
