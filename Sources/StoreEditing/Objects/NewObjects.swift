import CoreData

/// The objects of a session that do not have a key yet, by their numbers.
struct NewObjects {
  private var objects: [Int: NSManagedObject] = [:]
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var savedObjects: [Int: EditedObject] = [:]
  private var lastNumber = 0

  /// The object with a number; `nil` if its creation was undone.
  func object(_ number: Int) -> NSManagedObject? {
    guard let object = objects[number], object.isInserted, object.managedObjectContext != nil else { return nil }
    return object
  }

  /// The identity that the object with a number got when it was saved.
  func saved(_ number: Int) -> EditedObject? { savedObjects[number] }

  /// The number of an object. It gets a new number if it does not have one.
  mutating func number(of object: NSManagedObject) -> Int {
    if let number = numbers[ObjectIdentifier(object)] { return number }
    lastNumber += 1
    objects[lastNumber] = object
    numbers[ObjectIdentifier(object)] = lastNumber
    return lastNumber
  }

  /// Stores the keys of saved objects, so that addresses with their numbers remain valid.
  mutating func rememberKeys() {
    for (number, object) in objects where !object.isDeleted && !object.objectID.isTemporaryID {
      savedObjects[number] = EditedObject(entity: object.entity.name ?? "", key: object.objectID.key)
    }
  }

  /// Forgets the objects. Their numbers are not used again.
  mutating func removeAll() {
    objects = [:]
    numbers = [:]
  }
}
