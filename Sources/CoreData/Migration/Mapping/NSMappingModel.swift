public import Foundation

/// A mapping model, by which one version of a model becomes another: a mapping for each entity.
///
/// Apple's documentation of `NSMappingModel`.
open class NSMappingModel: NSObject {
  /// Makes a mapping model without mappings.
  public override init() { super.init() }

  /// The mappings, in the order in which they are carried out.
  open var entityMappings: [NSEntityMapping]! = []

  /// The mappings by name.
  open var entityMappingsByName: [String: NSEntityMapping] {
    Dictionary(mappings.map { ($0.name ?? "", $0) }) { first, _ in first }
  }

  /// Finds the mapping model between two models among the compiled ones (`.cdm`) of some bundles.
  ///
  /// ```swift
  /// let mapping = NSMappingModel(from: [.module], forSourceModel: oldModel, destinationModel: model)
  /// guard let mapping else { fatalError("the program came without its mapping model") }
  /// let manager = NSMigrationManager(sourceModel: oldModel, destinationModel: model)
  /// let old = URL(fileURLWithPath: "Notes.sqlite")
  /// let new = URL(fileURLWithPath: "Notes 2.sqlite")
  /// try manager.migrateStore(from: old, type: .sqlite, mapping: mapping, to: new, type: .sqlite)
  /// ```
  ///
  /// - Parameters:
  ///   - bundles: the bundles that are searched; `nil` for the main bundle, which includes the
  ///     SwiftPM resource bundles next to the executable.
  ///   - sourceModel: the model of the store that is to be migrated; where it is `nil`, nothing is found.
  ///   - destinationModel: the model that the store is migrated to; where it is `nil`, nothing is found.
  /// - Returns: `nil` when none there has mappings for the entities of these models in these versions.
  public convenience init?(
    from bundles: [Bundle]?,
    forSourceModel sourceModel: NSManagedObjectModel?,
    destinationModel: NSManagedObjectModel?
  ) {
    guard let sourceModel, let destinationModel else { return nil }
    let search = MappingModelSearch(source: sourceModel, destination: destinationModel)
    guard let found = search.mappingModel(in: bundles) else { return nil }
    self.init()
    entityMappings = found.mappings
  }

  /// Reads a compiled mapping model, a `.cdm`.
  ///
  /// It fails without a reason, as Apple's does; ``load(contentsOf:)`` gives the reason.
  public convenience init?(contentsOf url: URL?) {
    guard let url, let read = try? Self.load(contentsOf: url) else { return nil }
    self.init()
    entityMappings = read.mappings
  }

  /// The mapping that a lightweight migration from one model to another carries out.
  ///
  /// Entities and properties are matched by their renaming identifiers and names. The mappings can be edited: an edited
  /// mapping model is carried out object by object. The inference does not fail because objects may lack a value that
  /// the destination requires: that depends on the store.
  ///
  /// ```swift
  /// let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: oldModel, destinationModel: model)
  /// for entity in mapping.entityMappings {
  ///   print(entity.sourceEntityName ?? "nothing", "becomes", entity.destinationEntityName ?? "nothing")
  /// }
  /// ```
  ///
  /// - Throws: `NSInferredMappingModelError`. The message names the entity and the property that
  ///   prevent the inference; the user info has them under `entity`, `property` and `reason`.
  open class func inferredMappingModel(
    forSourceModel sourceModel: NSManagedObjectModel,
    destinationModel: NSManagedObjectModel
  ) throws -> NSMappingModel {
    let migration = LightweightMigration(from: sourceModel, to: destinationModel)
    try migration.requireInferable()
    return MappingInference(migration).mappingModel()
  }

  /// The migration that the model was inferred from; `nil` for any other model.
  ///
  /// The mappings may have been edited since: ``lightweightMigration(from:to:)`` looks at them.
  final var inference: LightweightMigration?

  final var mappings: [NSEntityMapping] { entityMappings ?? [] }

  /// Mapping models are equal when they have equal entity mappings in the same order.
  ///
  /// Where a mapping model comes from, from a file or by inference, does not count.
  open override func isEqual(_ object: Any?) -> Bool {
    guard let other = object as? NSMappingModel else { return false }
    return self === other || MappingEquality.holds(mappings, and: other.mappings)
  }

  open override var hash: Int { mappings.map(\.name).hashValue }

  open override var description: String { describe() }
}

/// Looks for the mapping model between two models.
struct MappingModelSearch {
  let source: NSManagedObjectModel
  let destination: NSManagedObjectModel

  /// The first mapping model in some bundles, by path, that fits; files that cannot be read are passed over.
  func mappingModel(in bundles: [Bundle]?) -> NSMappingModel? {
    ModelLocator.files(withExtension: "cdm", in: bundles).lazy.compactMap { NSMappingModel(contentsOf: $0) }
      .first(where: isFitting)
  }

  /// True when a mapping model is for these versions: all its mappings have the version hashes of the models' entities.
  func isFitting(_ mappingModel: NSMappingModel) -> Bool {
    let sourceHashes = source.entityVersionHashesByName
    let destinationHashes = destination.entityVersionHashesByName
    return !mappingModel.mappings.isEmpty
      && mappingModel.mappings.allSatisfy { mapping in
        isSame(mapping.sourceEntityName, hash: mapping.sourceEntityVersionHash, in: sourceHashes)
          && isSame(mapping.destinationEntityName, hash: mapping.destinationEntityVersionHash, in: destinationHashes)
      }
  }

  private func isSame(_ entity: String?, hash: Data?, in hashes: [String: Data]) -> Bool {
    guard let entity else { return true }
    guard let known = hashes[entity] else { return false }
    return hash == nil || hash == known
  }
}
