import CoreData

/// Not public, with types of its own.
final class Order: NSManagedObject {
  enum State: String { case open, sent }

  @NSManaged var state: State
  @NSManaged var count: Int32
  @NSManaged var address: [String: String]?
}
