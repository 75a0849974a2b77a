import CoreData
import TestModels

/// A note with a category and tags, and with an attribute of every type.
final class Note: NSManagedObject {
  var title: String? {
    get { managedValue("title") }
    set { setManagedValue(newValue, "title") }
  }
  var rating: Int64 {
    get { managedValue("rating") }
    set { setManagedValue(newValue, "rating") }
  }
  var createdAt: Date? {
    get { managedValue("createdAt") }
    set { setManagedValue(newValue, "createdAt") }
  }
  var category: Category? {
    get { managedValue("category") }
    set { setManagedValue(newValue, "category") }
  }
  var tags: Set<Tag> {
    get { managedValue("tags") }
    set { setManagedValue(newValue, "tags") }
  }
  var pages: NSOrderedSet {
    get { managedValue("pages") }
    set { setManagedValue(newValue, "pages") }
  }
}

final class Tag: NSManagedObject {
  var name: String? {
    get { managedValue("name") }
    set { setManagedValue(newValue, "name") }
  }
  var notes: Set<Note> {
    get { managedValue("notes") }
    set { setManagedValue(newValue, "notes") }
  }
}

final class Category: NSManagedObject {
  var name: String? {
    get { managedValue("name") }
    set { setManagedValue(newValue, "name") }
  }
  var notes: Set<Note> {
    get { managedValue("notes") }
    set { setManagedValue(newValue, "notes") }
  }
  var badge: Badge? {
    get { managedValue("badge") }
    set { setManagedValue(newValue, "badge") }
  }
}

final class Badge: NSManagedObject {
  var category: Category? {
    get { managedValue("category") }
    set { setManagedValue(newValue, "category") }
  }
}

final class Page: NSManagedObject {
  var number: Int16 {
    get { managedValue("number") }
    set { setManagedValue(newValue, "number") }
  }
  var note: Note? {
    get { managedValue("note") }
    set { setManagedValue(newValue, "note") }
  }
}

class Person: NSManagedObject {
  final var name: String? {
    get { managedValue("name") }
    set { setManagedValue(newValue, "name") }
  }
}

final class Employee: Person {
  var salary: Double {
    get { managedValue("salary") }
    set { setManagedValue(newValue, "salary") }
  }
  var manager: Person? {
    get { managedValue("manager") }
    set { setManagedValue(newValue, "manager") }
  }
}

enum TestModel {
  /// A model that all tests use. A model in use is immutable, and therefore safe to share.
  static let shared = make()

  static func make() -> NSManagedObjectModel {
    let note = makeEntity(
      "Note",
      Note.self,
      [
        makeAttribute("title", .stringAttributeType, optional: false),
        makeAttribute("rating", .integer64AttributeType, default: 3),
        makeAttribute("createdAt", .dateAttributeType),
        makeAttribute("isPinned", .booleanAttributeType),
        makeAttribute("small", .integer16AttributeType), makeAttribute("medium", .integer32AttributeType),
        makeAttribute("ratio", .doubleAttributeType), makeAttribute("share", .floatAttributeType),
        makeAttribute("price", .decimalAttributeType), makeAttribute("body", .binaryDataAttributeType),
        makeAttribute("identifier", .UUIDAttributeType), makeAttribute("link", .URIAttributeType),
        transient("draft", .stringAttributeType),
      ]
    )
    let tag = makeEntity("Tag", Tag.self, [makeAttribute("name", .stringAttributeType)])
    let category = makeEntity("Category", Category.self, [makeAttribute("name", .stringAttributeType)])
    let badge = makeEntity("Badge", Badge.self, [makeAttribute("color", .stringAttributeType)])
    let page = makeEntity("Page", Page.self, [makeAttribute("number", .integer16AttributeType)])
    connect(toOne(note, "category", category), toMany(category, "notes", note, .cascadeDeleteRule))
    connect(toMany(note, "tags", tag), toMany(tag, "notes", note))
    connect(toOne(category, "badge", badge, .cascadeDeleteRule), toOne(badge, "category", category))
    let pages = toMany(note, "pages", page, .denyDeleteRule)
    pages.isOrdered = true
    connect(pages, toOne(page, "note", note))
    let person = makeEntity("Person", Person.self, [makeAttribute("name", .stringAttributeType)])
    let employee = makeEntity("Employee", Employee.self, [makeAttribute("salary", .doubleAttributeType)])
    person.subentities = [employee]
    _ = toOne(employee, "manager", person)
    let model = NSManagedObjectModel()
    model.entities = [note, tag, category, badge, page, person, employee]
    return model
  }

  private static func transient(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let transient = makeAttribute(name, type)
    transient.isTransient = true
    return transient
  }

  private static func toOne(
    _ source: NSEntityDescription,
    _ name: String,
    _ destination: NSEntityDescription,
    _ rule: NSDeleteRule = .nullifyDeleteRule
  ) -> NSRelationshipDescription {
    let relationship = NSRelationshipDescription()
    relationship.name = name
    relationship.destinationEntity = destination
    relationship.maxCount = 1
    relationship.deleteRule = rule
    source.properties = source.properties + [relationship]
    return relationship
  }

  private static func toMany(
    _ source: NSEntityDescription,
    _ name: String,
    _ destination: NSEntityDescription,
    _ rule: NSDeleteRule = .nullifyDeleteRule
  ) -> NSRelationshipDescription {
    let relationship = toOne(source, name, destination, rule)
    relationship.maxCount = 0
    return relationship
  }

  private static func connect(_ one: NSRelationshipDescription, _ other: NSRelationshipDescription) {
    one.inverseRelationship = other
    other.inverseRelationship = one
  }
}
