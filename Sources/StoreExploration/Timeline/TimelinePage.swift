public import CoreData
import Foundation

/// Selects transactions of a store's history.
public struct TimelineFilter: Hashable, Sendable {
  /// The name of an entity. Changes of its objects and of its subentities' objects match.
  public var entity: String?
  /// A single object. If it is set, the entity is ignored.
  public var object: NSManagedObjectID?
  /// The author of the transactions, which must match exactly.
  public var author: String?
  /// The earliest time, inclusive.
  public var since: Date?
  /// The latest time, exclusive.
  public var until: Date?

  /// Makes a filter that matches all transactions.
  public init() {}
}

/// A part of a store's history, the newest transactions first.
public struct TimelinePage: Hashable, Sendable {
  /// The transactions.
  public let transactions: [TimelineTransaction]
  /// The number that requests the page of older transactions; `nil` on the last page.
  public let next: Int64?
}

/// One save, or one batch request.
public struct TimelineTransaction: Hashable, Sendable {
  /// The number of the transaction, which increases within a store.
  public let number: Int64
  /// The time of the save.
  public let date: Date
  /// The `transactionAuthor` of the context that saved; `nil` if it was not set.
  public let author: String?
  /// The `name` of the context that saved; `nil` if it was not set.
  public let contextName: String?
  /// The bundle identifier of the program that saved, or the program's name.
  public let bundle: String
  /// The process that saved.
  public let process: String
  /// The number of inserted objects that match the filter.
  public let insertedCount: Int
  /// The number of updated objects that match the filter.
  public let updatedCount: Int
  /// The number of deleted objects that match the filter.
  public let deletedCount: Int
  /// The first changes that match the filter.
  public let changes: [TimelineChange]

  /// The number of changes that are not in `changes`. It includes changes of entities that the model does not
  /// have any more, which cannot be listed.
  public var untoldCount: Int { max(0, insertedCount + updatedCount + deletedCount - changes.count) }
}

/// The change of one object.
public struct TimelineChange: Hashable, Sendable {
  /// The kinds of change.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case inserted, updated, deleted
  }

  /// A value that an object had when it was deleted.
  public struct Remainder: Hashable, Sendable {
    /// The name of the attribute.
    public let key: String
    /// The text of the value.
    public let value: String
  }

  /// The object with its present name. A deleted object is named by its tombstone or its key.
  public let object: NamedObject
  /// True if the object is still in the store.
  public let isThere: Bool
  /// The kind of change.
  public let kind: Kind
  /// The names of the updated properties, in order. Empty for insertions and deletions.
  public let properties: [String]
  /// The tombstone of a deleted object: the values that the model preserves after deletion.
  public let tombstone: [Remainder]
}
