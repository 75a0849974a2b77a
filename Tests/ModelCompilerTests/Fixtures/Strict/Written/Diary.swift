public import CoreData

// Classes that are written by hand, with the build's accessors. The only public type of Foundation is Date.

public nonisolated protocol Subject {}

public nonisolated class Entry: NSManagedObject {
  nonisolated enum Mood: Int16 { case good, bad }
  nonisolated struct Place: Hashable, Codable { var name = "" }

  @NSManaged public var date: Date?
  @NSManaged public var text: String?
  @NSManaged var mood: Mood
  @NSManaged var places: [Place]?
  @NSManaged var subject: (any Subject)?
  @NSManaged var pages: Set<Page>
  @NSManaged private var primitiveText: String?

  @NSManaged func addToPages(_ value: Page)
  @NSManaged func removeFromPages(_ value: Page)

  var summary: String { primitiveText ?? "" }
}

nonisolated final class Page: NSManagedObject {
  @NSManaged var number: Int32
  @NSManaged var entry: Entry?
  @available(*, deprecated, message: "pages have numbers")
  @NSManaged var primitiveNumber: NSNumber?
}

private nonisolated final class Scrap: NSManagedObject {
  @NSManaged var next: Scrap?
}
