import CoreData
import Foundation

/// A store of people with names, ages and tags.
final class PeopleStore {
  private let coordinator = NSPersistentStoreCoordinator(managedObjectModel: PeopleStore.model)

  init(_ url: URL) throws { try coordinator.addPersistentStore(type: .sqlite, at: url) }

  func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  static func make(_ files: SampleFiles, count: Int) throws -> URL {
    let url = files.emptyFile()
    let context = try PeopleStore(url).context()
    for number in 0..<count {
      let person = NSEntityDescription.insertNewObject(forEntityName: "Person", into: context)
      person.setValue("name \(number)", forKey: "name")
      person.setValue(number % 100, forKey: "age")
    }
    try context.save()
    return url
  }

  /// The translation of `name BEGINSWITH[cd] %@ AND ANY tags.name IN %@`, as `perennial fetch --explain` prints it.
  static let statement = """
    SELECT t0.Z_PK, t0.Z_OPT, t0.ZAGE, t0.ZNAME FROM ZPERSON t0 \\
    WHERE perennial_beginswith(t0.ZNAME, ?, 3) AND EXISTS (SELECT 1 FROM Z_1TAGS t1 \\
    JOIN ZTAG t2 ON t2.Z_PK = t1.Z_2TAGS WHERE t1.Z_1PEOPLE = t0.Z_PK AND t2.ZNAME IN (?, ?, ?))
    """.replacing("\\\n", with: "")

  static let model: NSManagedObjectModel = {
    let (person, tag) = (NSEntityDescription(), NSEntityDescription())
    (person.name, tag.name) = ("Person", "Tag")
    person.managedObjectClassName = NSStringFromClass(Person.self)
    let (tags, people) = (NSRelationshipDescription(), NSRelationshipDescription())
    (tags.name, people.name) = ("tags", "people")
    (tags.destinationEntity, people.destinationEntity) = (tag, person)
    (tags.inverseRelationship, people.inverseRelationship) = (people, tags)
    for relationship in [tags, people] { relationship.isOptional = true }
    let name = attribute("name", .stringAttributeType)
    person.properties = [name, attribute("age", .integer64AttributeType), tags]
    tag.properties = [attribute("name", .stringAttributeType), people]
    let element = NSFetchIndexElementDescription(property: name, collationType: .binary)
    person.indexes = [NSFetchIndexDescription(name: "byName", elements: [element])]
    let model = NSManagedObjectModel()
    model.entities = [person, tag]
    return model
  }()

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = type
    attribute.isOptional = true
    return attribute
  }
}

final class Person: NSManagedObject {
  var name: String? {
    get { managedValue("name") }
    set { setManagedValue(newValue, "name") }
  }
  var age: Int64 {
    get { managedValue("age") }
    set { setManagedValue(newValue, "age") }
  }
}
