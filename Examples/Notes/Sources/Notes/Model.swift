import CoreData

// The classes of the entities in Notes.xcdatamodeld. The plugin writes their accessors.

/// Something that was seen on a walk along the hedge.
final class Note: NSManagedObject {
  @NSManaged var title: String
  @NSManaged var contents: String?
  @NSManaged var createdAt: Date?
  /// Later than `createdAt` when the note was looked at again and changed.
  @NSManaged var updatedAt: Date?
  /// The kind of thing that the note is about, one for each note.
  @NSManaged var category: Category?
  @NSManaged var tags: Set<Tag>
}

/// A kind of things, such as shrubs.
final class Category: NSManagedObject {
  @NSManaged var name: String
  /// Red, green and blue, two digits each.
  @NSManaged var colorAsHex: String?
  @NSManaged var notes: Set<Note>
}

/// A word that notes of all categories can have in common, such as a season.
final class Tag: NSManagedObject {
  @NSManaged var name: String
  @NSManaged var notes: Set<Note>
}
