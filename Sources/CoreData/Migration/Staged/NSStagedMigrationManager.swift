public import Foundation

/// Brings a store through several versions of a model, stage by stage.
///
/// ```swift
/// let checksum = oldModel.versionChecksum
/// let v1 = NSManagedObjectModelReference(model: oldModel, versionChecksum: checksum)
/// let v2 = NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
/// let stage = NSCustomMigrationStage(migratingFrom: v1, to: v2)
/// stage.didMigrateHandler = { manager, _ in
///   let context = manager.container?.newBackgroundContext()
///   try context?.performAndWait {
///     let request = NSBatchUpdateRequest(entityName: "Note")
///     request.propertiesToUpdate = ["language": "en"]
///     _ = try context?.execute(request)
///   }
/// }
/// let stages = NSStagedMigrationManager([stage])
/// let description = NSPersistentStoreDescription(url: url)
/// description.setOption(stages, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
/// ```
///
/// It is given to a store with the option `NSPersistentStoreStagedMigrationManagerOptionKey`, together with the options
/// for automatic migration with an inferred mapping. Apple's documentation of `NSStagedMigrationManager`.
// The stages are immutable; the container is set while one thread opens the store.
open class NSStagedMigrationManager: NSObject, @unchecked Sendable {
  /// The stages, the oldest first.
  public final let stages: [NSMigrationStage]

  /// The store that is being migrated, open for a handler of an ``NSCustomMigrationStage``; `nil` at other times.
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

/// One stage of a staged migration: an ``NSLightweightMigrationStage`` or an ``NSCustomMigrationStage``.
///
/// Apple's documentation of `NSMigrationStage`.
open class NSMigrationStage: NSObject {
  /// The purpose of the stage, in the author's words.
  open var label: String?

  open override var description: String { describeStage() }
}

/// Versions of a model that lead one to the next by lightweight migrations.
///
/// Apple's documentation of `NSLightweightMigrationStage`.
///
/// ```swift
/// let stage = NSLightweightMigrationStage([oldModel.versionChecksum, model.versionChecksum])
/// stage.label = "notes get a language"
/// let stages = NSStagedMigrationManager([stage])
/// ```
open class NSLightweightMigrationStage: NSMigrationStage {
  /// The checksums of the versions, the oldest first.
  public final let versionChecksums: [String]

  /// Makes a stage of versions.
  ///
  /// - Parameter checksums: their checksums (``NSManagedObjectModel/versionChecksum``), the oldest first.
  public init(_ checksums: [String]) {
    versionChecksums = checksums
    super.init()
  }
}

/// A lightweight migration with work of the application's own before and after it.
///
/// Apple's documentation of `NSCustomMigrationStage`.
open class NSCustomMigrationStage: NSMigrationStage {
  /// The version that the stage begins with.
  public final let currentModel: NSManagedObjectModelReference

  /// The version that the stage leads to.
  public final let nextModel: NSManagedObjectModelReference

  /// Called before the stage, with the store open in the manager's container under the current
  /// model. An error that it throws ends the migration.
  open var willMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

  /// Called after the stage, with the store open in the manager's container under the next model.
  /// An error that it throws ends the migration.
  open var didMigrateHandler: ((NSStagedMigrationManager, NSCustomMigrationStage) throws -> Void)?

  /// Makes a stage between two versions.
  public init(migratingFrom currentModel: NSManagedObjectModelReference, to nextModel: NSManagedObjectModelReference) {
    self.currentModel = currentModel
    self.nextModel = nextModel
    super.init()
  }
}

extension NSMigrationStage {
  /// The checksums of the versions that a store may be in when the stage is its next.
  final var startingChecksums: [String] {
    switch self {
    case let stage as NSLightweightMigrationStage: stage.versionChecksums
    case let stage as NSCustomMigrationStage: [stage.currentModel.versionChecksum]
    default: []
    }
  }

  /// The checksums of all versions of the stage.
  final var allChecksums: [String] {
    guard let stage = self as? NSCustomMigrationStage else { return startingChecksums }
    return [stage.currentModel.versionChecksum, stage.nextModel.versionChecksum]
  }
}

extension NSMigrationStage {
  final func describeStage() -> String {
    let isCustom = self is NSCustomMigrationStage
    return ObjectHead.text(
      self,
      [
        ("label", label.orNull),
        (isCustom ? "from and to" : "versionChecksums", DescriptionNode.list(allChecksums).text()),
      ]
    )
  }
}
