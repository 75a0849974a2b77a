import CoreData
import Foundation

/// A store of notes, each with a category and three tags.
final class NoteStore {
  static let categories = 100
  static let tags = 1000
  static let tagsOfANote = 3

  let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NoteStore.model)

  init(_ url: URL) throws { try coordinator.addPersistentStore(type: .sqlite, at: url) }

  func context() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  static func make(_ files: SampleFiles, count: Int) throws -> URL {
    let url = files.emptyFile()
    let context = try NoteStore(url).context()
    let categories = (0..<Self.categories).map { Named.make("Category", $0, context) }
    let tags = (0..<Self.tags).map { Named.make("Tag", $0, context) }
    for number in 0..<count {
      let note = BenchmarkNote(context: context)
      note.title = "note \(number)"
      note.category = categories[number % categories.count]
      note.tags = Set((0..<tagsOfANote).map { tags[(number * 7 + $0 * 331) % tags.count] })
    }
    try context.save()
    return url
  }

  /// The statements of a walk as handwritten SQL: a note, its category, its tags.
  static let noteQuery = "SELECT Z_PK, Z_OPT, ZCATEGORY, ZTITLE FROM ZNOTE"
  static let categoryQuery = "SELECT Z_PK, Z_OPT, ZNAME FROM ZCATEGORY"
  static let tagQuery = """
    SELECT j.Z_2NOTES, t.Z_PK, t.Z_OPT, t.ZNAME FROM Z_2TAGS j JOIN ZTAG t ON t.Z_PK = j.Z_3TAGS
    """

  static let model: NSManagedObjectModel = {
    let (category, note, tag) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
    (category.name, note.name, tag.name) = ("Category", "Note", "Tag")
    note.managedObjectClassName = NSStringFromClass(BenchmarkNote.self)
    for entity in [category, tag] { entity.managedObjectClassName = NSStringFromClass(Named.self) }
    let title = text("title")
    note.properties =
      [title] + pair(("category", 1), category, ("notes", 0), note, under: category)
      + pair(("tags", 0), tag, ("notes", 0), note, under: tag)
    category.properties += [text("name")]
    tag.properties += [text("name")]
    let model = NSManagedObjectModel()
    model.entities = [category, note, tag]
    return model
  }()

  /// Makes two inverse relationships. Returns the first, and adds the second to its entity.
  private static func pair(
    _ first: (name: String, count: Int),
    _ destination: NSEntityDescription,
    _ second: (name: String, count: Int),
    _ source: NSEntityDescription,
    under entity: NSEntityDescription
  ) -> [NSPropertyDescription] {
    let (there, back) = (NSRelationshipDescription(), NSRelationshipDescription())
    (there.name, back.name) = (first.name, second.name)
    (there.maxCount, back.maxCount) = (first.count, second.count)
    (there.destinationEntity, back.destinationEntity) = (destination, source)
    (there.inverseRelationship, back.inverseRelationship) = (back, there)
    for relationship in [there, back] { relationship.isOptional = true }
    entity.properties += [back]
    return [there]
  }

  private static func text(_ name: String) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    attribute.name = name
    attribute.attributeType = .stringAttributeType
    attribute.isOptional = true
    return attribute
  }
}

final class BenchmarkNote: NSManagedObject {
  var title: String? {
    get { managedValue("title") }
    set { setManagedValue(newValue, "title") }
  }
  var category: Named? {
    get { managedValue("category") }
    set { setManagedValue(newValue, "category") }
  }
  var tags: Set<Named> {
    get { managedValue("tags") }
    set { setManagedValue(newValue, "tags") }
  }
}

/// A category or a tag.
final class Named: NSManagedObject {
  var name: String? {
    get { managedValue("name") }
    set { setManagedValue(newValue, "name") }
  }

  static func make(_ entity: String, _ number: Int, _ context: NSManagedObjectContext) -> Named {
    guard let named = NSEntityDescription.insertNewObject(forEntityName: entity, into: context) as? Named
    else {
      preconditionFailure("the model of \(entity) names another class")
    }
    named.name = "\(entity) \(number)"
    return named
  }
}
