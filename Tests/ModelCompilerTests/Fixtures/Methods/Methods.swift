import CoreData

// What Core Data has no accessors for, to see all forms of types in one symbol. No accessors are generated for these.

protocol Zed {}
protocol Alpha: AnyObject {}

class Methods: NSManagedObject {
  class S: NSObject {}
  @NSManaged func optionals(_ a: Date?, _ b: Date?, _ c: Set<S>?, _ d: Set<S>?)
  @NSManaged func repeated(_ a: Int, _ b: Int, _ c: Int, d: Int, e: S, f: S, g: S, h: S, i: Methods)
  @NSManaged func existentials(
    _ a: any Zed,
    _ b: any Zed & Alpha,
    _ c: Any,
    _ d: AnyObject,
    _ e: any Zed & Alpha
  )
  @NSManaged func metatypes(
    _ a: Any,
    _ b: Any,
    _ c: AnyObject,
    _ d: AnyClass,
    _ e: S.Type,
    _ f: Any.Type,
    _ g: any Zed.Type
  )
  @NSManaged func tuples(_ a: (Int, Int), b: (x: Int, y: String)) -> (Int, String)
  @NSManaged func one(_ a: (Int, Int))
  @NSManaged func nothing()
  @NSManaged func nothing() -> Int
  @NSManaged func label(in a: Int) -> Void
  @NSManaged func dictionaries(
    _ a: [String: Any],
    _ b: [String: Any],
    _ c: [String: Date]?,
    _ d: [Int: [String: Date]?]
  )
  @NSManaged func many(
    _ a: Date,
    _ b: Data,
    _ c: UUID,
    _ d: URL,
    _ e: Decimal,
    _ f: Calendar,
    _ g: Locale,
    _ h: TimeZone,
    _ i: IndexPath,
    _ j: DateComponents,
    _ k: DateInterval,
    _ l: Set<Date>,
    _ m: [Data],
    _ n: [UUID: URL],
    _ o: Set<Date>,
    _ p: [Data],
    _ q: [UUID: URL],
    _ r: TimeZone,
    _ s: TimeZone,
    _ t: TimeZone,
    _ u: [UUID: URL]
  )
}
