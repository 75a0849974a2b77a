public import Foundation

/// Brings a store through several versions of a model, stage by stage.
///
/// ```swift
/// let v1 = NSManagedObjectModelReference(model: oldModel, versionChecksum: oldModel.versionChecksum)
/// let v2 = NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
/// let stage = NSCustomMigrationStage(migratingFrom: v1, to: v2)
/// stage.didMigrateHandler = { manager, _ in
///   let request = NSBatchUpdateRequest(entityName: "Note")
///   request.propertiesToUpdate = ["language": "en"]
///   let context = manager.container?.newBackgroundContext()
///   try context?.performAndWait { _ = try context?.execute(request) }
/// }
/// let stages = NSStagedMigrationManager([stage])
/// let description = NSPersistentStoreDescription(url: url)
/// description.setOption(stages, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
/// ```
///
/// It is given to a store with the option `NSPersistentStoreStagedMigrationManagerOptionKey`,
/// beside those for automatic migration with an inferred mapping. Apple's documentation of
/// `NSStagedMigrationManager`.
// The stages are immutable; the container is set while one thread opens the store.
open class NSStagedMigrationManager: NSObject, @unchecked Sendable {
  /// The stages, the oldest first.
  public final let stages: [NSMigrationStage]

  /// The store that is being migrated, open for a handler of an ``NSCustomMigrationStage``; `nil`
  /// at other times.
  open internal(set) var container: NSPersistentContainer?

  /// Makes a manager of stages.
  ///
  /// A version from which two custom stages begin stops the program (Apple raises an exception for
  /// any version that is named twice).
  public init(_ stages: [NSMigrationStage]) {
    self.stages = stages
    super.init()
    var seen: Set<String> = []
    for case let stage as NSCustomMigrationStage in stages {
      let checksum = stage.currentModel.versionChecksum
      if seen.insert(checksum).inserted { continue }
      fatalError("two custom migration stages begin with the version \(checksum); make it one stage.")
    }
  }

  open override var description: String {
    ObjectHead.text(self, [("stages", DescriptionNode.list(stages.map(\.description)).text())])
  }
}
