import CoreData

// The classes of the entities in Sky.xcdatamodel. The plugin writes their accessors.

final class Constellation: NSManagedObject {
  @NSManaged var name: String
  @NSManaged var stars: Set<Star>
}

final class Star: NSManagedObject {
  @NSManaged var name: String
  /// How bright it is; less is brighter.
  @NSManaged var magnitude: Double
  /// The user's word, and no matter of the seeds.
  @NSManaged var isFavourite: Bool
  @NSManaged var constellation: Constellation?
}
