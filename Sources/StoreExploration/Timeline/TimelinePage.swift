public import CoreData
import Foundation

/// The transactions of a store's history that somebody wants to see.
public struct TimelineFilter: Hashable, Sendable {
  /// The name of an entity: changes of its objects, and of those of its subentities.
  public var entity: String?
  /// One object; the entity does not count then.
  public var object: NSManagedObjectID?
  /// The author of the transactions, exactly as it was written.
  public var author: String?
  /// The earliest time, itself included.
  public var since: Date?
  /// The latest time, itself excluded.
  public var until: Date?

  /// Makes a filter that lets all transactions through.
  public init() {}
}

/// A part of a store's history, the newest transactions first.
public struct TimelinePage: Hashable, Sendable {
  /// The transactions.
  public let transactions: [TimelineTransaction]
  /// The number to give for the page of older transactions; `nil` on the last page.
  public let next: Int64?
}

/// One save, or one batch request.
public struct TimelineTransaction: Hashable, Sendable {
  /// The number, which counts up in each store.
  public let number: Int64
  /// The time of the save.
  public let date: Date
  /// The `transactionAuthor` of the context that saved; `nil` where it had none.
  public let author: String?
  /// The `name` of the context that saved; `nil` where it had none.
  public let contextName: String?
  /// The bundle of the program that saved, or the program's name.
  public let bundle: String
  /// The process that saved.
  public let process: String
  /// The number of objects that were inserted, of those that the filter lets through.
  public let insertedCount: Int
  /// The number of objects that were updated, of those that the filter lets through.
  public let updatedCount: Int
  /// The number of objects that were deleted, of those that the filter lets through.
  public let deletedCount: Int
  /// The first changes that the filter lets through.
  public let changes: [TimelineChange]

  /// The number of changes that are not among `changes`. Changes of objects of entities that the
  /// model does not have any more are counted, and not told.
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
    /// The value in words.
    public let value: String
  }

  /// The object with the name that it has now. One that is not there any more is named by what it
  /// left, or by its key.
  public let object: NamedObject
  /// True while the object is in the store.
  public let isThere: Bool
  /// The kind of change.
  public let kind: Kind
  /// The names of the properties that were updated, in order; none for insertions and deletions.
  public let properties: [String]
  /// What a deleted object left: the values of attributes that the model preserves after deletion.
  public let tombstone: [Remainder]
}
