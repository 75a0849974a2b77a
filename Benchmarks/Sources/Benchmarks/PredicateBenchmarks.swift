import CoreData
import Foundation

/// What predicates cost: reading their format, an indexed fetch, and a filter in memory.
enum PredicateBenchmarks {
  private static let people = 100_000

  static func parsing(_ files: SampleFiles) throws -> Workload {
    let count = 10_000
    let raw = try RawSQLite(PeopleStore.make(files, count: 10).path)
    let names = ["a", "b", "c"]
    var workload = Workload(
      name:
        "read \(count) times: name BEGINSWITH[cd] %@ AND ANY tags.name IN %@; raw prepares the SQL that it becomes",
      raw: try Stopwatch.best { try raw.prepareAgain(PeopleStore.statement, count) }
    )
    let parsed = try Stopwatch.best {
      for _ in 0..<count {
        _ = NSPredicate(format: "name BEGINSWITH[cd] %@ AND ANY tags.name IN %@", "ab", names)
      }
    }
    workload.entries.append(("NSPredicate(format:)", parsed, 2))
    return workload
  }

  static func indexed(_ files: SampleFiles) throws -> Workload {
    let count = 10_000
    let url = try PeopleStore.make(files, count: people)
    let names = (0..<count).map { "name \($0 * 7 % people)" }
    let raw = try RawSQLite(url.path)
    var workload = Workload(
      name: "fetch one of \(people) objects by an indexed attribute, \(count) times",
      raw: try Stopwatch.best { try raw.readByName(names) }
    )
    let store = try PeopleStore(url)
    let objects = try Stopwatch.best {
      let context = store.context()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Person")
      for name in names {
        request.predicate = NSComparisonPredicate(
          leftExpression: NSExpression(forKeyPath: "name"),
          rightExpression: NSExpression(forConstantValue: name),
          modifier: .direct,
          type: .equalTo
        )
        let found = try context.fetch(request)
        precondition(found.count == 1)
      }
    }
    workload.entries.append(("fetch(_:)", objects, 2.5))
    return workload
  }

  static func filtering(_ files: SampleFiles) throws -> Workload {
    let store = try PeopleStore(PeopleStore.make(files, count: people))
    let context = store.context()
    let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Person"))
    let expected = people / 2
    var workload = Workload(
      name:
        "filter \(people) objects in memory by age >= 50 AND name != \"x\"; raw is the closure with value(forKey:)",
      raw: try Stopwatch.best {
        let found = objects.filter { object in
          (object.value(forKey: "age") as? Int ?? 0) >= 50 && object.value(forKey: "name") as? String != "x"
        }
        precondition(found.count == expected)
      }
    )
    let predicate = NSPredicate(format: "age >= 50 AND name != %@", "x")
    let filtered = try Stopwatch.best {
      let found = objects.filter { predicate.evaluate(with: $0) }
      precondition(found.count == expected)
    }
    workload.entries.append(("evaluate(with:)", filtered, 5))
    return workload
  }
}

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

  /// What `name BEGINSWITH[cd] %@ AND ANY tags.name IN %@` becomes, as `perennial fetch --explain` prints it.
  static let statement = """
    SELECT t0.Z_PK, t0.Z_OPT, t0.ZAGE, t0.ZNAME FROM ZPERSON t0 \\
    WHERE perennial_beginswith(t0.ZNAME, ?, 3) AND EXISTS (SELECT 1 FROM Z_1TAGS t1 \\
    JOIN ZTAG t2 ON t2.Z_PK = t1.Z_2TAGS WHERE t1.Z_1PEOPLE = t0.Z_PK AND t2.ZNAME IN (?, ?, ?))
    """.replacing("\\\n", with: "")

  static let model: NSManagedObjectModel = {
    let (person, tag) = (NSEntityDescription(), NSEntityDescription())
    (person.name, tag.name) = ("Person", "Tag")
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
