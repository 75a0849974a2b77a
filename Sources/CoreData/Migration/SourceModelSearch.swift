import Foundation

/// The model that a store was made with, and how it was found.
struct SourceModel {
  let model: NSManagedObjectModel
  /// True when the program has this version: among its resources, next to the model that it opens the store with, or
  /// named by a stage. False for a version that is found in the store alone, which may come from a later program.
  let isKnown: Bool
}

/// Finds the model that a store was made with.
struct SourceModelSearch {
  let store: UnopenedStore
  let metadata: [String: Any]
  /// The model that the store is to have.
  let destination: NSManagedObjectModel
  /// The stages that the migration goes through, if it goes in stages.
  var stages: [NSMigrationStage] = []

  private var url: URL { store.place.url }

  /// The program's own version of the model, or else the version that the store contains.
  ///
  /// - Throws: `NSMigrationMissingSourceModelError`.
  func source() throws -> SourceModel {
    if let found = NSManagedObjectModel.mergedModel(from: nil, forStoreMetadata: metadata) {
      return known(found, place: "among the program's resources")
    }
    if let found = NSManagedObjectModel(byMerging: siblings, forStoreMetadata: metadata) {
      return known(found, place: "beside the model that the store is to have")
    }
    if let found = stageModels.first(where: isOfStore) { return known(found, place: "that of a stage") }
    if let cachedModel {
      MigrationLog(url).report("the model of the store is the one that is kept in it")
      return SourceModel(model: cachedModel, isKnown: isNamedByStage(cachedModel))
    }
    if stages.isEmpty, destination.soleConfiguration(ofStoreWith: metadata) != nil {
      return known(destination, place: "the one that it is to have, with entities that it lacks")
    }
    throw missing()
  }

  private func known(_ model: NSManagedObjectModel, place: String) -> SourceModel {
    MigrationLog(url).report("the model of the store is \(place)")
    return SourceModel(model: model, isKnown: true)
  }

  /// All versions in the packages that the destination was read from, which need be no resources.
  private var siblings: [NSManagedObjectModel] { destination.packages.flatMap(NSManagedObjectModel.allVersions) }

  /// The models that the program itself has given to stages.
  private var stageModels: [NSManagedObjectModel] {
    stages.compactMap { $0 as? NSCustomMigrationStage }.flatMap { [$0.currentModel, $0.nextModel] }
      .compactMap { try? $0.resolve() }
  }

  /// A lightweight stage names versions by their checksums alone.
  private func isNamedByStage(_ model: NSManagedObjectModel) -> Bool {
    stages.contains { $0.allChecksums.contains(model.versionChecksum) }
  }

  private var cachedModel: NSManagedObjectModel? { store.cachedModel.flatMap { isOfStore($0) ? $0 : nil } }

  private func isOfStore(_ model: NSManagedObjectModel) -> Bool {
    guard let hashes = NSManagedObjectModel.entityVersionHashes(inStoreMetadata: metadata) else { return false }
    let own = model.entityVersionHashesByName
    return hashes.allSatisfy { own[$0.key] == $0.value }
  }

  private func missing() -> any Error {
    CocoaError.coreData(
      NSMigrationMissingSourceModelError,
      message: """
        \(url.storeName): the store cannot be migrated, since the model that it was made with \
        (\(ModelVersionWords.version(of: metadata))) is neither among the program's resources nor in the store; add \
        that version to the .xcdatamodeld.
        """,
      userInfo: [NSURLErrorKey: url, NSFilePathErrorKey: url.storeName, "metadata": metadata]
    )
  }
}

/// The words by which errors identify a version of a model.
enum ModelVersionWords {
  /// The version that a store was made with.
  static func version(of metadata: [String: Any]) -> String {
    let value = metadata[NSStoreModelVersionIdentifiersKey]
    let identifiers = value as? [String] ?? (value as? Set<AnyHashable>).map { $0.map { "\($0.base)" } } ?? []
    return words(identifiers, checksum: metadata[NSPersistentStoreModelVersionChecksumKey] as? String)
  }

  static func version(of model: NSManagedObjectModel) -> String {
    words(model.versionIdentifiers.map { "\($0.base)" }, checksum: model.versionChecksum)
  }

  private static func words(_ identifiers: [String], checksum: String?) -> String {
    let named = identifiers.filter { !$0.isEmpty }.sorted().joined(separator: ", ")
    let identified = named.isEmpty ? "without a version identifier" : "version \(named)"
    return identified + (checksum.map { ", checksum \($0)" } ?? "")
  }
}
