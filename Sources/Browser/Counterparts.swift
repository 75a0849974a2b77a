public import CoreData

extension StoreBrowser {
  /// What the pages of a store compare it with.
  ///
  /// ```swift
  /// var counterparts = StoreBrowser.Counterparts()
  /// counterparts.model = StoreBrowser.Counterparts.Model(oldModel, name: "Notes 1")
  /// let browser = try StoreBrowser(coordinator, name: "Notes", counterparts: counterparts)
  /// ```
  public struct Counterparts: Sendable {
    /// Another store.
    public struct Store: Sendable {
      let coordinator: NSPersistentStoreCoordinator
      let name: String

      /// - Parameters:
      ///   - coordinator: a coordinator with the store and the same model. It is only read.
      ///   - name: the name of the store that pages show.
      public init(_ coordinator: NSPersistentStoreCoordinator, name: String) {
        self.coordinator = coordinator
        self.name = name
      }
    }

    /// Another model.
    public struct Model: Sendable {
      let model: NSManagedObjectModel
      let name: String

      /// - Parameters:
      ///   - model: the model, which is not changed any more.
      ///   - name: the name of the model that pages show.
      public init(_ model: NSManagedObjectModel, name: String) {
        self.model = model
        self.name = name
      }
    }

    /// The store that objects are compared with; `nil` for none.
    public var store: Store?
    /// The model that the store's own is compared with; `nil` for none.
    public var model: Model?

    /// Makes a value without a store and a model.
    public init() {}
  }
}
