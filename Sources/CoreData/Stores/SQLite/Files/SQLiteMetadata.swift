import Digests
import Foundation
import GRDB
import GRDBSQLite
import PropertyLists

/// What a SQLite store says of itself: the one row of the table `Z_METADATA`.
// A value of its own; what a property list can hold is not changed by anybody.
struct SQLiteMetadata: @unchecked Sendable {
  /// The framework version that stores made here name: a recent one that wrote all of today's keys.
  static let frameworkVersion = 1344

  private(set) var uuid: String
  /// The content of the property list.
  var properties: [String: Any]

  /// All of it as `NSPersistentStore.metadata` has it.
  var all: [String: Any] {
    var all = properties
    all[NSStoreUUIDKey] = uuid
    return all
  }

  init(uuid: String, properties: [String: Any]) {
    self.uuid = uuid
    self.properties = properties
  }

  /// The metadata of a new store.
  init(model: NSManagedObjectModel, entities: [NSEntityDescription]) {
    uuid = UUID().uuidString
    properties = ["NSPersistenceFrameworkVersion": Self.frameworkVersion]
    setModel(model, entities: entities)
  }

  /// Says that the store now has some entities of a model.
  mutating func setModel(_ model: NSManagedObjectModel, entities: [NSEntityDescription]) {
    let hashes = model.entityVersionHashesByName.filter { name, _ in entities.contains { $0.name == name } }
    setModel(hashes, identifiers: model.versionIdentifiers)
  }

  /// The metadata of a new store of another type.
  init(model: NSManagedObjectModel, entities: [NSEntityDescription], storeType: String) {
    self.init(model: model, entities: entities)
    properties[NSStoreTypeKey] = storeType
    properties["_NSAutoVacuumLevel"] = nil
  }

  /// - Throws: `NSPersistentStoreIncompatibleVersionHashError` when the store was made with another model.
  func check(fits model: NSManagedObjectModel, entities: [NSEntityDescription], file: URL) throws {
    let differences = Self.differences(properties, model: model, entities: entities)
    if differences.isEmpty { return }
    throw StoreFailure.error(
      NSPersistentStoreIncompatibleVersionHashError,
      """
      The store \(file.path) was made with another model (\(differences.joined(separator: "; "))); open it with \
      that model, or migrate it.
      """,
      file: file,
      details: [
        "metadata": all,
        "reason": "The model used to open the store is incompatible with the one used to create the store",
      ]
    )
  }

  /// Replaces what the application sees; what describes the model and the store stays.
  ///
  /// - Returns: the keys whose values are others now.
  @discardableResult
  mutating func setAll(_ new: [String: Any]) -> Set<String> {
    let old = properties
    let kept = old.filter { Self.ownKeys.contains($0.key) }
    let others = new.filter { $0.key != NSStoreUUIDKey && !Self.ownKeys.contains($0.key) }
    properties = others.merging(kept) { _, own in own }
    let keys = Set(old.keys).union(properties.keys)
    return keys.filter { !PropertyListEquality.areEqual(old[$0], properties[$0]) }
  }

  /// The same as another store: what a store that nobody has open can be made to be.
  mutating func setIdentifier(_ identifier: String) { uuid = identifier }

  /// Writes the values of some keys; what others have written under other keys meanwhile stays.
  ///
  /// - Returns: all that is written.
  func write(_ keys: Set<String>, to database: Database, file: URL) throws -> SQLiteMetadata {
    var merged = try Self.read(from: database, file: file) ?? self
    for key in keys { merged.properties[key] = properties[key] }
    try merged.write(to: database, file: file, isNew: false)
    return merged
  }

  /// - Returns: `nil` when the database has no such row.
  /// - Throws: an error when the property list cannot be read.
  static func read(from database: Database, file: URL) throws -> SQLiteMetadata? {
    var found: SQLiteMetadata?
    let query = SQLStatement(sql: "SELECT Z_UUID, Z_PLIST FROM Z_METADATA ORDER BY Z_VERSION LIMIT 1")
    try SQLiteQuery(query, in: database, isCached: false).forEachRow { row in
      let uuid = SQLiteCell(statement: row, column: 0, type: sqlite3_column_type(row, 0))
      let list = SQLiteCell(statement: row, column: 1, type: sqlite3_column_type(row, 1))
      found = SQLiteMetadata(
        uuid: uuid.type == SQLITE_NULL ? "" : try uuid.text(),
        properties: list.type == SQLITE_NULL ? [:] : try properties(Data(try list.bytes()), file: file)
      )
    }
    return found
  }

  /// - Throws: an error that names the key whose value no property list can hold.
  func write(to database: Database, file: URL, isNew: Bool) throws {
    let data: Data
    do {
      data = try SortedPropertyList.data(properties)
    } catch {
      throw Self.unwritable(properties, file, error)
    }
    let sql =
      isNew
      ? "INSERT INTO Z_METADATA (Z_PLIST, Z_UUID, Z_VERSION) VALUES (?, ?, 1)"
      : "UPDATE Z_METADATA SET Z_PLIST = ?, Z_UUID = ?"
    try SQLiteQuery(
      SQLStatement(sql: sql, bindings: [.blob(data), .text(uuid)]),
      in: database,
      isCached: false
    )
    .run()
  }

  /// Which entities the store was made with in another version than the model has; empty when none.
  static func differences(
    _ metadata: [String: Any],
    model: NSManagedObjectModel,
    entities: [NSEntityDescription]
  ) -> [String] {
    guard let stored = StoreMetadata.versionHashes(in: metadata) else {
      return ["the store has no version hashes"]
    }
    let own = model.entityVersionHashesByName
    let names = Set(entities.compactMap(\.name))
    let changed = names.filter { stored[$0] != nil && stored[$0] != own[$0] }.sorted()
    let missing = names.filter { stored[$0] == nil }.sorted()
    let additional = stored.keys.filter { !names.contains($0) }.sorted()
    return [("changed", changed), ("not in the store", missing), ("not in the model", additional)]
      .filter { !$0.1.isEmpty }.map { "\($0.0): \($0.1.joined(separator: ", "))" }
  }

  private static let ownKeys: Set<String> = [
    NSStoreTypeKey, NSStoreModelVersionHashesKey, NSStoreModelVersionIdentifiersKey, "_NSAutoVacuumLevel",
    "NSPersistenceFrameworkVersion", "NSStoreModelVersionHashesVersion", "NSStoreModelVersionHashesDigest",
    "NSStoreModelVersionChecksumKey", NSPersistentStoreDeferredLightweightMigrationOptionKey,
  ]

  /// The same with the digest and the checksum of the version hashes computed anew, where it has them.
  func withDigests() -> SQLiteMetadata {
    guard let hashes = StoreMetadata.versionHashes(in: properties) else { return self }
    var computed = self
    for (key, value) in Self.digests(of: hashes) where properties[key] != nil {
      computed.properties[key] = value
    }
    return computed
  }

  private mutating func setModel(_ hashes: [String: Data], identifiers: Set<AnyHashable>) {
    properties[NSStoreTypeKey] = NSSQLiteStoreType
    properties["_NSAutoVacuumLevel"] = "2"
    properties[NSStoreModelVersionHashesKey] = hashes
    properties["NSStoreModelVersionHashesVersion"] = 3
    properties.merge(Self.digests(of: hashes)) { _, new in new }
    properties[NSStoreModelVersionIdentifiersKey] = identifiers.map { "\($0.base)" }.sorted()
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

  private static func properties(_ data: Data, file: URL) throws -> [String: Any] {
    let list = try? CheckedPropertyList.read(data)
    guard let properties = list as? [String: Any] else {
      throw StoreFailure.error(
        CocoaError.fileReadCorruptFile.rawValue,
        """
        \(file.path): the metadata in Z_METADATA are no property list; restore a copy of the store.
        """,
        file: file
      )
    }
    return properties
  }

  private static func unwritable(_ properties: [String: Any], _ file: URL, _ error: any Error) -> any Error {
    let wrong = properties.keys.sorted().filter {
      !PropertyListSerialization.propertyList([$0: properties[$0] as Any], isValidFor: .binary)
    }
    return StoreFailure.error(
      NSPersistentStoreSaveError,
      """
      \(file.path): the metadata under \(wrong.joined(separator: ", ")) cannot be kept, since no property list \
      can hold them; use text, numbers, dates, data, arrays and dictionaries.
      """,
      file: file,
      details: [NSUnderlyingErrorKey: error]
    )
  }
}
