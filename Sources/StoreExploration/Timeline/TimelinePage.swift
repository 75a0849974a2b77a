package import CoreData
import Foundation

/// Selects transactions of a store's history.
package struct TimelineFilter: Hashable, Sendable {
  /// The name of an entity. Changes of its objects and of its subentities' objects match.
  package var entity: String?
  /// A single object. If it is set, the entity is ignored.
  package var object: NSManagedObjectID?
  /// The author of the transactions, which must match exactly.
  package var author: String?
  /// The earliest time, inclusive.
  package var since: Date?
  /// The latest time, exclusive.
  package var until: Date?

  /// Makes a filter that matches all transactions.
  package init() {}
}

/// A part of a store's history, the newest transactions first.
package struct TimelinePage: Hashable, Sendable {
  /// The transactions.
  package let transactions: [TimelineTransaction]
  /// The number that requests the page of older transactions; `nil` on the last page.
  package let next: Int64?
}

/// One save, or one batch request.
package struct TimelineTransaction: Hashable, Sendable {
  /// The number of the transaction, which increases within a store.
  package let number: Int64
  /// The time of the save.
  package let date: Date
  /// The `transactionAuthor` of the context that saved; `nil` if it was not set.
  package let author: String?
  /// The `name` of the context that saved; `nil` if it was not set.
  package let contextName: String?
  /// The bundle identifier of the program that saved, or the program's name.
  package let bundle: String
  /// The process that saved.
  package let process: String
  /// The number of inserted objects that match the filter.
  package let insertedCount: Int
  /// The number of updated objects that match the filter.
  package let updatedCount: Int
  /// The number of deleted objects that match the filter.
  package let deletedCount: Int
  /// The first changes that match the filter.
  package let changes: [TimelineChange]

  /// The number of changes that are not in `changes`. It includes changes of entities that the model does not
  /// have any more, which cannot be listed.
  package var untoldCount: Int { max(0, insertedCount + updatedCount + deletedCount - changes.count) }
}

/// The change of one object.
package struct TimelineChange: Hashable, Sendable {
  /// The kinds of change.
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    case inserted, updated, deleted
  }

  /// A value that an object had when it was deleted.
  package struct Remainder: Hashable, Sendable {
    /// The name of the attribute.
    package let key: String
    /// The text of the value.
    package let value: String
  }

  /// The object with its present name. A deleted object is named by its tombstone or its key.
  package let object: NamedObject
  /// True if the object is still in the store.
  package let isThere: Bool
  /// The kind of change.
  package let kind: Kind
  /// The names of the updated properties, in order. Empty for insertions and deletions.
  package let properties: [String]
  /// The tombstone of a deleted object: the values that the model preserves after deletion.
  package let tombstone: [Remainder]
}
