import CoreData

// The classes of the entities in Notes.xcdatamodeld. The plugin writes their accessors.

/// Something that was seen on a walk along the hedge.
final class Note: NSManagedObject {
  @NSManaged var title: String
  @NSManaged var contents: String?
  @NSManaged var createdAt: Date?
  /// Later than `createdAt` if the note was changed afterwards.
  @NSManaged var updatedAt: Date?
  /// The kind of thing that the note describes. A note has one category.
  @NSManaged var category: Category?
  @NSManaged var tags: Set<Tag>
}

/// A kind of things, such as shrubs.
final class Category: NSManagedObject {
  @NSManaged var name: String
  /// Red, green and blue, with two hexadecimal digits each.
  @NSManaged var colorAsHex: String?
  @NSManaged var notes: Set<Note>
}

/// A word that notes of different categories can share, such as a season.
final class Tag: NSManagedObject {
  @NSManaged var name: String
  @NSManaged var notes: Set<Note>
}
