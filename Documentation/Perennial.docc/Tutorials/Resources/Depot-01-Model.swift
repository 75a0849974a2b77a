import CoreData

/// Something that lies in the depot.
final class Product: NSManagedObject {
  @NSManaged var name: String
  /// How many of it there are.
  @NSManaged var stock: Int64
}
