import CoreData
import Foundation

/// A store with a value of every type, external data, and a history with updates and a deletion.
enum ZooStore {
  struct Failure: Error, CustomStringConvertible { let description: String }

  static func make(at file: URL, model url: URL) throws {
    guard let model = NSManagedObjectModel(contentsOf: url) else {
      throw Failure(description: "\(url.path) is not a model")
    }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let options = [NSPersistentHistoryTrackingKey: true]
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: file,
      options: options
    )
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try context.performAndWait { try fill(context) }
    try coordinator.remove(store)
  }

  private static func fill(_ context: NSManagedObjectContext) throws {
    func insert(_ entity: String, _ values: [String: Any]) -> NSManagedObject {
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      object.setValuesForKeys(values)
      return object
    }
    let tags = ["red", "green", "blue"].map { insert("Tag", ["name": $0]) }
    let departments = ["Birds", "Fish"].map { insert("Department", ["name": $0]) }
    var people: [NSManagedObject] = []
    for number in 0..<8 {
      let entity = number % 3 == 0 ? "Employee" : "Person"
      let person = insert(
        entity,
        [
          "name": "Person \(number) Ünïcode", "age": number, "visits": number * 1000,
          "steps": Int64(number) << 40,
          "weight": Double(number) / 3, "height": Float(number) / 7, "balance": Decimal(number) / 100,
          "isActive": number % 2 == 0, "born": Date(timeIntervalSinceReferenceDate: Double(number) * 1e7),
          "photo": Data(repeating: UInt8(number), count: number < 3 ? 200_000 : 100),
          "token": UUID(), "home": URL(string: "https://example.org/\(number)") as Any,
          "notes": [
            "list": [1, 2.5, true, "text"], "date": Date(timeIntervalSince1970: 0),
            "inner": ["a": ["b": ["c"]]],
            "data": Data([1, 2, 3]), "url": NSURL(string: "https://example.org") as Any, "uuid": NSUUID(),
          ] as NSDictionary,
        ]
      )
      person.setValue(departments[number % 2], forKey: "department")
      person.setValue(Set(tags.prefix(number % 4)), forKey: "tags")
      if entity == "Employee", let manager = people.first { person.setValue(manager, forKey: "manager") }
      people.append(person)
    }
    try context.save()
    people[1].setValue("renamed", forKey: "name")
    people[2].setValue(Data(repeating: 9, count: 150_000), forKey: "photo")
    try context.save()
    context.delete(people[7])
    try context.save()
  }
}
