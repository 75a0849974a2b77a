import CoreData

// The classes of the entities in Songbook.xcdatamodel. The plugin writes their accessors.

final class Composer: NSManagedObject {
  @NSManaged var name: String
  @NSManaged var songs: Set<Song>
}

final class Song: NSManagedObject {
  @NSManaged var title: String
  /// The key that it is sung in.
  @NSManaged var key: String?
  @NSManaged var composer: Composer?
}
