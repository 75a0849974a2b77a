import CoreData

/// A city or a neighborhood. The model names no classes for them, so key-value coding reads their values.
struct Place: CustomStringConvertible {
  let object: NSManagedObject

  /// Inserts a new place.
  /// - Parameter values: The values of its properties, by key.
  init(_ entity: String, _ values: [String: Any], in context: NSManagedObjectContext) {
    object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
    object.setValuesForKeys(values)
  }

  init(_ object: NSManagedObject) { self.object = object }

  var name: String { object.value(forKey: "name") as? String ?? "" }

  var inhabitants: Int {
    get { object.value(forKey: "inhabitants") as? Int ?? 0 }
    nonmutating set { object.setValue(newValue, forKey: "inhabitants") }
  }

  var description: String { "\(name) with \(inhabitants)" }

  /// The places of an entity that fulfill a condition, sorted by name.
  static func all(
    _ entity: String,
    where condition: NSPredicate? = nil,
    in context: NSManagedObjectContext
  ) throws -> [Place] {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = condition
    request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
    return try context.fetch(request).map(Place.init)
  }
}
