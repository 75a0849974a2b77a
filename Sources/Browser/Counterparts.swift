public import CoreData

extension StoreBrowser {
  /// The store and the model that the pages compare a store with.
  ///
  /// ```swift
  /// var counterparts = StoreBrowser.Counterparts()
  /// counterparts.model = StoreBrowser.Counterparts.Model(oldModel, name: "Notes 1")
  /// let browser = try StoreBrowser(coordinator, name: "Notes", counterparts: counterparts)
  /// ```
  public struct Counterparts: Sendable {
    /// Another store of the same model.
    public struct Store: Sendable {
      let coordinator: NSPersistentStoreCoordinator
      let name: String

      /// Makes a counterpart from a coordinator's store.
      ///
      /// - Parameters:
      ///   - coordinator: a coordinator with the store and the same model. The store is only read.
      ///   - name: the store's name on pages.
      public init(_ coordinator: NSPersistentStoreCoordinator, name: String) {
        self.coordinator = coordinator
        self.name = name
      }
    }

    /// Another model.
    public struct Model: Sendable {
      let model: NSManagedObjectModel
      let name: String

      /// Makes a counterpart from a model.
      ///
      /// - Parameters:
      ///   - model: the model. The caller must not change it any more.
      ///   - name: the model's name on pages.
      public init(_ model: NSManagedObjectModel, name: String) {
        self.model = model
        self.name = name
      }
    }

    /// The store that objects are compared with; `nil` for none.
    public var store: Store?
    /// The model that the store's own model is compared with; `nil` for none.
    public var model: Model?

    /// Makes counterparts without a store and without a model.
    public init() {}
  }
}
