import CoreData

/// The bundle that the model is in.
public let models = Bundle.module

/// How high a shelf is.
public enum Level: Int16 {
  case floor, hand, top
}

/// A class whose properties are all written by hand.
open class Place: NSManagedObject {
  @nonobjc public class func fetchRequest() -> NSFetchRequest<Place> {
    NSFetchRequest<Place>(entityName: "Place")
  }

  @NSManaged open var label: String?
  @NSManaged public var level: Level
  @NSManaged public var marks: [String]?
  @NSManaged public var books: Set<Book>
  @NSManaged public private(set) var changedAt: Date?
  @NSManaged private var primitiveChangedAt: Date?

  open override func awakeFromInsert() {
    super.awakeFromInsert()
    primitiveChangedAt = Date(timeIntervalSinceReferenceDate: 0)
  }

  public func touch(at date: Date) {
    changedAt = date
  }
}

// MARK: Generated accessors for books
extension Place {
  #if canImport(ObjectiveC)
    @objc(addBooksObject:)
  #endif
  @NSManaged public func addToBooks(_ value: Book)

  #if canImport(ObjectiveC)
    @objc(removeBooksObject:)
  #endif
  @NSManaged public func removeFromBooks(_ value: Book)

  #if canImport(ObjectiveC)
    @objc(addBooks:)
  #endif
  @NSManaged public func addToBooks(_ values: NSSet)
}
