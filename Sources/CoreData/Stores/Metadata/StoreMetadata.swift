import Digests
import Foundation
import PropertyLists

/// The metadata of a store that this framework keeps itself: its identity, its model's version and
/// the application's values.
// A value type. The values of a property list in it are not changed by any code.
package struct StoreMetadata: @unchecked Sendable {
  /// The framework version that new stores contain: that of a recent framework that wrote all of today's keys.
  static let frameworkVersion = 1344

  package private(set) var uuid: String
  /// The content of the property list.
  package var properties: [String: Any]

  /// The complete metadata, as in `NSPersistentStore.metadata`.
  package var all: [String: Any] {
    var all = properties
    all[NSStoreUUIDKey] = uuid
    return all
  }

  package init(uuid: String, properties: [String: Any]) {
    self.uuid = uuid
    self.properties = properties
  }

  /// The metadata of a new store with all entities of its model.
  package init(model: NSManagedObjectModel, storeType: String) {
    uuid = UUID().uuidString
    properties = ["NSPersistenceFrameworkVersion": Self.frameworkVersion, NSStoreTypeKey: storeType]
    setModel(model)
  }

  /// Records that the store now has the entities of a model.
  package mutating func setModel(_ model: NSManagedObjectModel) {
    let hashes = model.entityVersionHashesByName
    properties[NSStoreModelVersionHashesKey] = hashes
    properties["NSStoreModelVersionHashesVersion"] = 3
    properties.merge(Self.digests(of: hashes)) { _, new in new }
    properties[NSStoreModelVersionIdentifiersKey] = model.versionIdentifiers.map { "\($0.base)" }.sorted()
  }

  /// - Throws: `NSPersistentStoreIncompatibleVersionHashError` when the store was made with another model.
  package func check(fits model: NSManagedObjectModel, entities: [NSEntityDescription], file: URL) throws {
    let differences = Self.differences(properties, model: model, entities: entities)
    if differences.isEmpty { return }
    throw StoreFailure.error(
      NSPersistentStoreIncompatibleVersionHashError,
      message: """
        The store \(file.storeName) was made with another model (\(differences.joined(separator: "; "))); open it with \
        that model, or migrate it.
        """,
      file: file,
      details: [
        "metadata": all,
        "reason": "The model used to open the store is incompatible with the one used to create the store",
      ]
    )
  }

  /// Replaces the application's keys. The keys that describe the model and the store stay.
  ///
  /// - Returns: the keys whose values are others now.
  @discardableResult
  package mutating func setAll(_ new: [String: Any]) -> Set<String> {
    let old = properties
    let ownProperties = old.filter { Self.ownKeys.contains($0.key) }
    let others = new.filter { $0.key != NSStoreUUIDKey && !Self.ownKeys.contains($0.key) }
    properties = others.merging(ownProperties) { _, own in own }
    let keys = Set(old.keys).union(properties.keys)
    return keys.filter { !PropertyListEquality.areEqual(old[$0], other: properties[$0]) }
  }

  /// True when programs have set metadata of their own.
  package var hasKeysOfOthers: Bool { properties.keys.contains { !Self.ownKeys.contains($0) } }

  /// Gives the metadata the identifier of another store. The store must not be open.
  package mutating func setIdentifier(_ identifier: String) { uuid = identifier }

  /// The entities whose version in the store differs from the model's, as text.
  package static func differences(
    _ metadata: [String: Any],
    model: NSManagedObjectModel,
    entities: [NSEntityDescription]
  ) -> [String] {
    model.versionDifferences(fromStoreMetadata: metadata, entities: entities)
  }

  private static let ownKeys: Set<String> = [
    NSStoreTypeKey, NSStoreModelVersionHashesKey, NSStoreModelVersionIdentifiersKey, "_NSAutoVacuumLevel",
    "NSPersistenceFrameworkVersion", "NSStoreModelVersionHashesVersion", "NSStoreModelVersionHashesDigest",
    "NSStoreModelVersionChecksumKey", NSPersistentStoreDeferredLightweightMigrationOptionKey,
    guessedJoinTablesKey,
  ]

  /// The key of the join tables in SQLite with names that were chosen here.
  static let guessedJoinTablesKey = "PerennialJoinTables"

  /// The same metadata with recomputed digest and checksum of the version hashes, if it has them.
  package func withDigests() -> StoreMetadata {
    guard let hashes = NSManagedObjectModel.entityVersionHashes(inStoreMetadata: properties) else { return self }
    var computed = self
    for (key, value) in Self.digests(of: hashes) where properties[key] != nil { computed.properties[key] = value }
    return computed
  }

  /// The digest and the checksum of version hashes, under the keys that a store has them.
  private static func digests(of hashes: [String: Data]) -> [String: String] {
    var checked = Data()
    var digested = Data()
    for (name, hash) in hashes.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
      checked += hash
      digested += Data(name.utf8) + hash
    }
    return [
      "NSStoreModelVersionHashesDigest": Data(SHA512.hash(data: digested)).base64EncodedString(),
      "NSStoreModelVersionChecksumKey": Data(SHA256.hash(data: checked)).base64EncodedString(),
    ]
  }
}

extension StoreMetadata {
  /// True when a migration has left unused tables or columns.
  var isCleanupDeferred: Bool {
    get { (properties[NSPersistentStoreDeferredLightweightMigrationOptionKey] as? Bool) ?? false }
    set { properties[NSPersistentStoreDeferredLightweightMigrationOptionKey] = newValue ? true : nil }
  }
}

/// The property list that a database keeps.
extension StoreMetadata {
  package static func properties(_ data: Data, in table: String, store: URL) throws -> [String: Any] {
    try properties(SharedBytes(data), in: table, store: store)
  }

  /// The values in the property list of a table.
  ///
  /// - Throws: an error that names the store and the table, when the data is not a property list.
  static func properties(_ bytes: SharedBytes, in table: String, store: URL) throws -> [String: Any] {
    let list = try? CheckedPropertyList.read(bytes)
    guard let properties = list as? [String: Any] else {
      throw StoreFailure.corruptFile(
        "\(store.path): the metadata in \(table) are not a property list; restore a copy.",
        file: store
      )
    }
    return properties
  }

  /// The property list.
  ///
  /// - Throws: an error that names the keys whose values it would not keep.
  package func data(store: URL) throws -> Data { try MetadataForm.sorted.data(of: properties, store: store) }
}
