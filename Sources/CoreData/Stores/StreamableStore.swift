import Foundation

/// A store that can be read completely piece by piece, and that can be created from the pieces of
/// another store: the same objects under the same keys, the same history, the same identity.
///
/// The objects of any other store are fetched and inserted as one change set when it is moved, under new keys.
package protocol StreamableStore: ObjectStore {
  /// Hands out what the store has at one moment.
  ///
  /// - Parameter index: the index of the store that references in rows are to have.
  func streaming(as index: Int32, _ work: (any StoreContents) throws -> Void) throws

  /// Creates a store from the pieces of another one, completely or not at all.
  ///
  /// - Parameters:
  ///   - model: the model of both stores.
  ///   - configuration: the model's configuration; `nil` for all entities.
  ///   - fill: is called with what takes the contents.
  /// - Throws: an error when there is a store at the place, which is then unchanged.
  static func create(
    at place: StoreDescriptor,
    model: NSManagedObjectModel,
    configuration: String?,
    _ fill: (any StoreReceiver) throws -> Void
  ) throws

  /// Makes sure that the place of a new store is empty.
  ///
  /// - Throws: an error when there is a store, or anything else.
  static func requireNothing(at place: StoreDescriptor) throws

  /// Puts a copy of the store at one place in another place, where there may be a store already.
  static func replace(
    _ url: URL,
    options: [AnyHashable: Any]?,
    withCopyOf source: URL,
    options sourceOptions: [AnyHashable: Any]?
  ) throws
}

/// The contents of a store, in pieces that are small enough for memory.
///
/// Entities and relationships are named by their numbers in the model, which all stores of the model share.
package protocol StoreContents {
  /// The metadata, with the identity.
  var metadata: StoreMetadata { get }

  /// The last key that was assigned under a root entity; 0 if there is none.
  func lastKey(root: Int32) throws -> Int64

  /// The next rows under a root entity, in the order of their keys; empty at the end.
  func rows(root: Int32, after key: Int64) throws -> [StreamedRow]

  /// The next pairs of a many-to-many relationship; empty at the end.
  ///
  /// - Parameter last: the last pair that was handed out; `nil` at the beginning.
  func links(_ relationship: StreamedRelationship, after last: StreamedLink?) throws -> [StreamedLink]

  /// The last numbers that the history has assigned; `nil` if there is no history.
  func lastOfHistory() throws -> (transaction: Int64, change: Int64)?

  /// The next transactions of the history, the oldest first; empty at the end.
  func transactions(after number: Int64) throws -> [StreamedTransaction]

  /// The next changes of the history; empty at the end.
  func changes(after number: Int64) throws -> [StreamedChange]
}

/// A store that is being created from the contents of another one.
package protocol StoreReceiver {
  /// The index of the store, which references in rows contain.
  var index: Int32 { get }

  /// Takes all that another store hands out.
  ///
  /// - Parameter keepsHistory: false to leave the history out.
  func receive(_ contents: any StoreContents, keepsHistory: Bool) throws
}

extension StoreReceiver {
  package func receive(_ contents: any StoreContents) throws { try receive(contents, keepsHistory: true) }
}

/// A row of a store, with the relationships in its table that do not belong to the row itself.
package struct StreamedRow {
  package let row: FetchedRow
  /// The values of the ``SQLForeignColumns``.
  package let foreign: [Int64?]
}

/// A many-to-many relationship, seen from one side.
package struct StreamedRelationship: Hashable {
  /// The number in the model of the entity that declares the relationship.
  let entity: Int32
  /// The number of the relationship among the to-many relationships of the entity.
  let relationship: Int
}

/// A pair of a many-to-many relationship.
package struct StreamedLink {
  package let source: Int64
  package let target: Int64
  /// The place of the target in the order of the source's objects; `nil` for an unordered relationship.
  package let targetPlace: Int64?
  package let sourcePlace: Int64?
}

/// A transaction of a store's history, without its changes.
package struct StreamedTransaction {
  package let number: Int64
  /// The number of its first change.
  package let firstChange: Int64
  /// In seconds since 2001.
  package let timestamp: Double
  package let author: String?
  package let contextName: String?
  package let bundleID: String?
  package let processID: String?

  package init(
    number: Int64,
    firstChange: Int64,
    timestamp: Double,
    author: String?,
    contextName: String?,
    bundleID: String?,
    processID: String?
  ) {
    self.number = number
    self.firstChange = firstChange
    self.timestamp = timestamp
    self.author = author
    self.contextName = contextName
    self.bundleID = bundleID
    self.processID = processID
  }
}

/// A change in a store's history.
package struct StreamedChange {
  package let number: Int64
  package let transaction: Int64
  package let type: Int64
  /// The number in the model of the object's entity.
  package let entity: Int32
  package let key: Int64
  /// The changed properties; `nil` where they are not known.
  package let properties: Set<NSPropertyDescription>?
  /// The values that are left of a deleted object, in the order of the entity's preserved values.
  package let tombstone: [StoredValue]

  package init(
    number: Int64,
    transaction: Int64,
    type: Int64,
    entity: Int32,
    key: Int64,
    properties: Set<NSPropertyDescription>?,
    tombstone: [StoredValue]
  ) {
    self.number = number
    self.transaction = transaction
    self.type = type
    self.entity = entity
    self.key = key
    self.properties = properties
    self.tombstone = tombstone
  }
}

extension StreamedChange {
  /// A change of an object whose entity the model no longer has. Other stores cannot have such a change.
  package init(ofUnknownEntity number: Int64, transaction: Int64, key: Int64) {
    self.init(
      number: number,
      transaction: transaction,
      type: 0,
      entity: 0,
      key: key,
      properties: nil,
      tombstone: []
    )
  }
}
