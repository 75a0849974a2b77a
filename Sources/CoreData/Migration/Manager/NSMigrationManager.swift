public import Foundation
import Predicates

/// Migrates a store from one version of a model to another, by a mapping model.
///
/// ```swift
/// let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: oldModel, destinationModel: model)
/// let manager = NSMigrationManager(sourceModel: oldModel, destinationModel: model)
/// let old = folder.appendingPathComponent("Notes.sqlite")
/// let new = folder.appendingPathComponent("Notes 2.sqlite")
/// try manager.migrateStore(from: old, type: .sqlite, mapping: mapping, to: new, type: .sqlite)
/// ```
///
/// The objects of the source are fetched into one context and those of the destination made in another, all of the
/// class `NSManagedObject`, whatever classes the models name; see ``NSEntityMigrationPolicy`` for the three passes. All
/// objects are in memory until the destination is saved. Apple's documentation of `NSMigrationManager`.
open class NSMigrationManager: NSObject {
  /// The model of the source: the given model, with `NSManagedObject` as the class of all entities.
  public final let sourceModel: NSManagedObjectModel

  /// The model of the destination, likewise.
  public final let destinationModel: NSManagedObjectModel

  /// A Boolean value that is true when an inferred mapping from one SQLite store to another is
  /// carried out inside the database, without objects; `true` unless set. Subclasses always see all
  /// objects, and so does every manager where the inferred mapping was edited.
  open var usesStoreSpecificMigrationManager = true

  /// The part of the migration that is done, from 0 to 1.
  open internal(set) var migrationProgress: Float = 0

  /// A place for the application's own data.
  open var userInfo: [AnyHashable: Any]?

  final var run: MigrationRun?
  final var associations = MigrationAssociations()
  final var cancellation: (any Error)?
  /// The relationship whose expression is being evaluated.
  final var currentRelationship: NSRelationshipDescription?

  /// Makes a manager for migrations between two versions of a model.
  public init(sourceModel: NSManagedObjectModel, destinationModel: NSManagedObjectModel) {
    self.sourceModel = Self.plain(sourceModel)
    self.destinationModel = Self.plain(destinationModel)
    super.init()
  }

  /// The mapping model that is carried out. There is one only while
  /// ``migrateStore(from:type:options:mapping:to:type:options:)`` runs.
  open var mappingModel: NSMappingModel { current("mappingModel").mappingModel }

  /// The context of the source's objects. There is one only during a migration.
  open var sourceContext: NSManagedObjectContext { current("sourceContext").sourceContext }

  /// The context of the destination's objects. There is one only during a migration.
  open var destinationContext: NSManagedObjectContext { current("destinationContext").destinationContext }

  /// The mapping that is being carried out. There is one only during a migration.
  open var currentEntityMapping: NSEntityMapping {
    guard let mapping = current("currentEntityMapping").mapping else {
      fatalError("NSMigrationManager.currentEntityMapping was asked for while no entity mapping is carried out.")
    }
    return mapping
  }

  /// Migrates the store at one place to another place.
  ///
  /// - Parameters:
  ///   - sourceURL: the store to migrate, which is not changed.
  ///   - sStoreType: its type.
  ///   - sOptions: the options that it is opened with.
  ///   - mappings: the mappings that convert the objects of the source to those of the destination.
  ///   - dURL: the new store; when there is one already, the objects are added to it.
  ///   - dStoreType: its type.
  ///   - dOptions: the options that it is opened with.
  /// - Throws: an error in `NSCocoaErrorDomain`: `NSMigrationMissingMappingModelError` when no mapping model is given,
  ///   `NSMigrationManagerSourceStoreError` or `NSMigrationManagerDestinationStoreError` when a store cannot be opened,
  ///   `NSEntityMigrationPolicyError` for a policy that is not found, `NSMigrationError` for a mapping that cannot be
  ///   carried out, errors of validation, or the one of ``cancelMigrationWithError(_:)``.
  open func migrateStore(
    from sourceURL: URL,
    sourceType sStoreType: String,
    options sOptions: [AnyHashable: Any]? = nil,
    with mappings: NSMappingModel?,
    toDestinationURL dURL: URL,
    destinationType dStoreType: String,
    destinationOptions dOptions: [AnyHashable: Any]? = nil
  ) throws {
    guard let mappings else {
      throw CocoaError.coreData(
        NSMigrationMissingMappingModelError,
        message: "the migration of \(sourceURL.storeName) has no mapping model; give one."
      )
    }
    let places = MigrationEndpoints(
      source: StoreDescriptor(url: sourceURL, type: sStoreType, options: sOptions),
      destination: StoreDescriptor(url: dURL, type: dStoreType, options: dOptions)
    )
    try migrate(places, mappingModel: mappings)
  }

  /// Migrates the store at one place to another place, as
  /// ``migrateStore(from:sourceType:options:with:toDestinationURL:destinationType:destinationOptions:)`` does.
  ///
  /// - Throws: the errors of that method.
  public final func migrateStore(
    from sourceURL: URL,
    type sourceType: NSPersistentStore.StoreType,
    options sourceOptions: [AnyHashable: Any]? = nil,
    mapping: NSMappingModel,
    to destinationURL: URL,
    type destinationType: NSPersistentStore.StoreType,
    options destinationOptions: [AnyHashable: Any]? = nil
  ) throws {
    try migrateStore(
      from: sourceURL,
      sourceType: sourceType.rawValue,
      options: sourceOptions,
      with: mapping,
      toDestinationURL: destinationURL,
      destinationType: destinationType.rawValue,
      destinationOptions: destinationOptions
    )
  }

  /// Stops the migration: the method that migrates throws the error. A manager that was stopped
  /// before stops at once, until ``reset()``.
  open func cancelMigrationWithError(_ error: any Error) { cancellation = error }

  /// Forgets which objects were associated, and that the migration was stopped.
  open func reset() {
    associations = MigrationAssociations()
    cancellation = nil
    migrationProgress = 0
  }

  /// The entity of the source of a mapping.
  open func sourceEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.sourceEntityName.flatMap { sourceModel.entitiesByName[$0] }
  }

  /// The entity of the destination of a mapping.
  open func destinationEntity(for mEntity: NSEntityMapping) -> NSEntityDescription? {
    mEntity.destinationEntityName.flatMap { destinationModel.entitiesByName[$0] }
  }

  /// Remembers that an object of the destination was made for one of the source.
  open func associate(
    sourceInstance: NSManagedObject,
    withDestinationInstance destinationInstance: NSManagedObject,
    for entityMapping: NSEntityMapping
  ) {
    associations.add(sourceInstance, destination: destinationInstance, mapping: entityMapping.name ?? "")
  }

  /// The objects that a mapping made for some of the source; all that it made when none are given.
  open func destinationInstances(
    forEntityMappingName mappingName: String,
    sourceInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations.destinations(mapping: mappingName, of: sourceInstances)
  }

  /// The objects of the source that a mapping made some objects for; all when none are given.
  open func sourceInstances(
    forEntityMappingName mappingName: String,
    destinationInstances: [NSManagedObject]?
  ) -> [NSManagedObject] {
    associations.sources(mapping: mappingName, of: destinationInstances)
  }

  /// Answers a message that an expression sends to `$manager`.
  ///
  /// Apple's framework calls the method that has the selector. Without Objective-C a subclass with messages of its own
  /// overrides this method, answers its selectors by name, and the others by `super`.
  ///
  /// - Parameters:
  ///   - selector: the name with its colons.
  ///   - arguments: the values of the arguments.
  /// - Throws: `NSMigrationError` for a selector that is not known, or arguments that do not fit.
  open func answer(_ selector: String, _ arguments: [Any?]) throws -> Any? {
    try answerOwn(selector, arguments: arguments)
  }

  private func current(_ name: String) -> MigrationRun {
    guard let run else {
      fatalError(
        "NSMigrationManager.\(name) was asked for outside of a migration; it is there while migrateStore runs."
      )
    }
    return run
  }

  /// A copy of a model whose entities all have the class `NSManagedObject`: there is only one version of a class.
  private static func plain(_ model: NSManagedObjectModel) -> NSManagedObjectModel {
    let copy = ModelCopier(of: model).copy
    for entity in NSManagedObjectModel.withDescendants(copy.ownEntities) {
      entity.managedObjectClassName = "NSManagedObject"
    }
    copy.freeze()
    return copy
  }

  open override var description: String { ObjectHead.text(self) }
}

extension NSPersistentStore {
  @available(*, unavailable, message: "stores are migrated by NSMigrationManager; use one, or a mapping model")
  public class func migrationManagerClass() -> AnyClass { NSMigrationManager.self }
}
