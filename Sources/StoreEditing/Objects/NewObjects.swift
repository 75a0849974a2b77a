import CoreData

/// The objects of a session that have no key yet, by their numbers.
struct NewObjects {
  private var objects: [Int: NSManagedObject] = [:]
  private var numbers: [ObjectIdentifier: Int] = [:]
  private var savedObjects: [Int: EditedObject] = [:]
  private var lastNumber = 0

  /// The object of a number; `nil` where its creation was undone.
  func object(_ number: Int) -> NSManagedObject? {
    guard let object = objects[number], object.isInserted, object.managedObjectContext != nil else {
      return nil
    }
    return object
  }

  /// The name that an object of a number has since it was saved.
  func saved(_ number: Int) -> EditedObject? { savedObjects[number] }

  /// The number of an object, which is given one when it has none.
  mutating func number(of object: NSManagedObject) -> Int {
    if let number = numbers[ObjectIdentifier(object)] { return number }
    lastNumber += 1
    objects[lastNumber] = object
    numbers[ObjectIdentifier(object)] = lastNumber
    return lastNumber
  }

  /// Remembers the keys that objects were saved under, so that their addresses stay good.
  mutating func rememberKeys() {
    for (number, object) in objects where !object.isDeleted && !object.objectID.isTemporaryID {
      savedObjects[number] = EditedObject(entity: object.entity.name ?? "", key: object.objectID.key)
    }
  }

  /// Forgets the objects. Numbers are not given twice.
  mutating func removeAll() {
    objects = [:]
    numbers = [:]
  }
}
