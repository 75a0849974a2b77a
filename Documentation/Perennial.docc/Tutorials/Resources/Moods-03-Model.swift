import CoreData

// Classes of the entities in Moods.xcdatamodeld, with the properties that this program reads.

final class Mood: NSManagedObject {
  @NSManaged var date: Date
  @NSManaged var country: Country?
}

final class Country: NSManagedObject {
  /// The number that ISO 3166 gives the country.
  @NSManaged var numericISO3166Code: Int16
  @NSManaged var moods: Set<Mood>
}
