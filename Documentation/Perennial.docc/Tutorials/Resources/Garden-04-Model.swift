import CoreData

// The classes of the entities in Garden.xcdatamodeld. The plugin writes their accessors.

/// Something that was seen.
final class Note: NSManagedObject {
  @NSManaged var title: String
  @NSManaged var contents: String?
  @NSManaged var createdAt: Date?
  /// Whether it is seldom seen here; most things are not.
  @NSManaged var isRare: Bool
  @NSManaged var topics: Set<Topic>
}

/// A word that notes have in common.
final class Topic: NSManagedObject {
  @NSManaged var name: String
  @NSManaged var notes: Set<Note>
}
