import CoreData

/// A walk through the features of a stack in code. Each stop prints what it shows.
@MainActor
struct CityWalk {
  private let coordinator: NSPersistentStoreCoordinator
  private let context = NSManagedObjectContext(.mainQueue)
  private let tell: (String) -> Void

  /// Makes the stack: the model, a store in memory, and a context on the main thread.
  init(tell: @escaping (String) -> Void) throws {
    self.tell = tell
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: CityModel.make())
    _ = try coordinator.addPersistentStore(type: .inMemory, at: nil)
    context.persistentStoreCoordinator = coordinator
  }

  func walk() throws {
    let reporter = SaveReporter(of: context, tell: tell)
    try insertPlaces()
    try findLargeNeighborhoods()
    try lookUpBergen()
    try changeNoord()
    try deleteKralingen()
    try deleteRotterdam()
    withExtendedLifetime(reporter) {}
  }

  /// Only the context has new objects until it saves.
  private func insertPlaces() throws {
    let rotterdam = Place(
      "City",
      ["name": "Rotterdam", "country": "Netherlands", "inhabitants": 655_000],
      in: context
    )
    _ = Place("City", ["name": "Bergen", "country": "Norway", "inhabitants": 289_000], in: context)
    for (name, inhabitants) in [("Kralingen", 51_000), ("Delfshaven", 76_000), ("Noord", 52_000)] {
      _ = Place(
        "Neighborhood",
        ["name": name, "inhabitants": inhabitants, "city": rotterdam.object],
        in: context
      )
    }
    // The code sets only the neighborhood's side. The context updates the inverse.
    let parts = rotterdam.object.value(forKey: "neighborhoods") as? Set<NSManagedObject>
    tell("\(context.insertedObjects.count) new objects; \(rotterdam) has \(parts?.count ?? 0) parts")
    try context.save()
  }

  /// A condition may use a key path across a relationship.
  private func findLargeNeighborhoods() throws {
    let condition = NSPredicate(
      format: "inhabitants >= %d AND city.country == %@",
      52_000,
      "Netherlands"
    )
    let places = try Place.all("Neighborhood", where: condition, in: context)
    tell("large: " + places.map(\.description).joined(separator: "; "))
  }

  /// An object belongs to its context, but its ID can be used in any context.
  private func lookUpBergen() throws {
    let bergen = try place("City", "Bergen")
    let id = bergen.object.objectID
    let again = try context.existingObject(with: id)
    tell("looked up here, the ID gives \(again === bergen.object ? "the same object" : "another object")")

    let elsewhere = NSManagedObjectContext(.privateQueue)
    elsewhere.persistentStoreCoordinator = coordinator
    let name = try elsewhere.performAndWait { Place(try elsewhere.existingObject(with: id)).name }
    tell("looked up elsewhere, it gives an object of its own, and that is \(name)")
  }

  /// A context tracks the changes since the last save.
  private func changeNoord() throws {
    let noord = try place("Neighborhood", "Noord")
    noord.inhabitants += 1_000
    tell("\(noord); not saved yet: \(noord.object.changedValues().keys.sorted())")
    try context.save()
  }

  private func deleteKralingen() throws {
    let kralingen = try place("Neighborhood", "Kralingen")
    let id = kralingen.object.objectID
    context.delete(kralingen.object)
    try context.save()
    let isThere = (try? context.existingObject(with: id)) != nil
    tell(isThere ? "Kralingen is still there" : "Kralingen is gone, and its ID leads nowhere")
  }

  /// The city's delete rule also deletes its neighborhoods.
  private func deleteRotterdam() throws {
    context.delete(try place("City", "Rotterdam").object)
    try context.save()
    let left = try ["City", "Neighborhood"].map { try Place.all($0, in: context).count }
    tell("left: \(left[0]) city, \(left[1]) neighborhoods")
  }

  private func place(_ entity: String, _ name: String) throws -> Place {
    let condition = NSPredicate(format: "name == %@", name)
    guard let place = try Place.all(entity, where: condition, in: context).first else {
      throw CocoaError(.managedObjectReferentialIntegrity)
    }
    return place
  }
}
