public import Foundation

extension NSManagedObjectModel {
  /// Makes a model of the entities of several models.
  ///
  /// An entity that occurs more than once with the same version hash is taken once. Two different
  /// entities of one name stop the program, as they do on Apple's platforms.
  ///
  /// ```swift
  /// let model = NSManagedObjectModel(byMerging: [garden, music])
  /// print(model?.entitiesByName.keys.sorted() ?? [])  // ["Plant", "Song"]
  /// ```
  ///
  /// - Parameter models: the models, which stay as they are; `nil` when there are none.
  public convenience init?(byMerging models: [NSManagedObjectModel]?) {
    guard let models else { return nil }
    self.init()
    merge(models)
  }

  /// Makes a model from those of the given models that a store was made with.
  ///
  /// - Parameters:
  ///   - models: the models, among them perhaps several versions of one.
  ///   - metadata: the metadata of the store, with the version hashes of its entities.
  /// - Returns: `nil` when the models do not have all the entities of the store, in the store's version.
  public convenience init?(byMerging models: [NSManagedObjectModel], forStoreMetadata metadata: [String: Any]) {
    guard let hashes = NSManagedObjectModel.entityVersionHashes(inStoreMetadata: metadata) else { return nil }
    var missing = Set(hashes.keys)
    let fitting = models.filter { model in
      let own = model.entityVersionHashesByName
      return !own.isEmpty && own.allSatisfy { hashes[$0.key] == $0.value }
    }
    for model in fitting { missing.subtract(model.entityVersionHashesByName.keys) }
    guard missing.isEmpty else { return nil }
    self.init()
    merge(fitting)
  }

  /// The entities of all models in some bundles, as one model.
  ///
  /// - Parameter bundles: the bundles that are searched for compiled models and sources; `nil` for the main bundle and
  ///   the SwiftPM resource bundles next to the executable. If the caller passes a list, only its bundles are searched;
  ///   the main bundle has the resources of the program's own target.
  /// - Returns: `nil` when there is no model, or one cannot be read.
  public class func mergedModel(from bundles: [Bundle]?) -> NSManagedObjectModel? {
    let urls = ModelLocator.models(in: bundles)
    let models = urls.compactMap { NSManagedObjectModel(contentsOf: $0) }
    guard !models.isEmpty, models.count == urls.count else { return nil }
    return NSManagedObjectModel(byMerging: models)
  }

  /// The model that a store was made with, out of all versions of all models in some bundles.
  ///
  /// - Parameters:
  ///   - bundles: the bundles that are searched, as in ``mergedModel(from:)``.
  ///   - metadata: the metadata of the store.
  /// - Returns: `nil` when no models there have all the entities of the store, in the store's version.
  public class func mergedModel(
    from bundles: [Bundle]?,
    forStoreMetadata metadata: [String: Any]
  ) -> NSManagedObjectModel? {
    let models = ModelLocator.models(in: bundles).flatMap(allVersions)
    return NSManagedObjectModel(byMerging: models, forStoreMetadata: metadata)
  }

  private func merge(_ models: [NSManagedObjectModel]) {
    var merged: [String: NSEntityDescription] = [:]
    var mergedEntities: [NSEntityDescription] = []
    // Relationships do not keep their destinations alive: the copies have to last until all is connected.
    let copies = models.map { ModelCopier(of: $0).copy }
    let allEntities = copies.map(\.ownEntities)
    defer { withExtendedLifetime(allEntities) {} }
    for copy in copies {
      let entities = copy.ownEntities
      copy.entities = []
      for entity in entities {
        let name = entity.name ?? ""
        guard let other = merged[name] else {
          merged[name] = entity
          mergedEntities.append(entity)
          continue
        }
        if other.versionHash != entity.versionHash {
          fatalError(
            """
            models with two different entities named \(name) cannot be merged; merge models with \
            different entities, or versions of one model by init(byMerging:forStoreMetadata:).
            """
          )
        }
      }
      versionIdentifiers.formUnion(copy.versionIdentifiers)
      packages += copy.packages.filter { !packages.contains($0) }
      for (name, members) in copy.configurationMembers {
        let known = configurationMembers[name] ?? []
        configurationMembers[name] = known + members.filter { !known.contains($0) }
      }
      templates.merge(copy.templates) { first, _ in first }
    }
    connect(mergedEntities, by: merged)
    entities = mergedEntities
  }

  /// Lets entities that were taken from different copies refer to each other.
  private func connect(_ entities: [NSEntityDescription], by name: [String: NSEntityDescription]) {
    let families = Dictionary(grouping: entities) { $0.parent?.name }
    for entity in entities { entity.children = [] }
    for case (let parent?, let children) in families {
      for child in children { child.parent = nil }
      name[parent]?.subentities = children
    }
    for entity in entities {
      for case let relationship as NSRelationshipDescription in entity.ownProperties {
        let inverse = relationship.inverseName
        relationship.destination = relationship.destinationName.flatMap { name[$0] }
        relationship.inverse = inverse.flatMap { relationship.destination?.relationshipsByName[$0] }
      }
    }
  }

  /// All versions in a model file or a package of them.
  static func allVersions(of url: URL) -> [NSManagedObjectModel] {
    ModelWarnings.searching { versionFiles(of: url).compactMap { NSManagedObjectModel(contentsOf: $0) } }
  }

  /// The package that a model file is, or is a version in; `nil` for a version that stands alone.
  static func versionPackage(of url: URL) -> URL? {
    [url, url.deletingLastPathComponent()].first { ["xcdatamodeld", "momd"].contains($0.pathExtension) }
  }

  /// The files of the versions in a package, by path; the file itself when it is not a package.
  static func versionFiles(of url: URL) -> [URL] {
    let versionExtension = ["xcdatamodeld": "xcdatamodel", "momd": "mom"][url.pathExtension]
    guard let versionExtension else { return [url] }
    let files = try? FileManager.default.contentsOfDirectory(at: url, includingPropertiesForKeys: nil)
    return (files ?? []).filter { $0.pathExtension == versionExtension }.sorted { $0.path < $1.path }
  }
}
