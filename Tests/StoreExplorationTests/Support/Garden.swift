import Foundation
import Synchronization
import TestModels
import TestSupport

@testable import CoreData

/// A model with each type of attribute and relationship that the explorer supports.
enum Garden {
  static func model() -> NSManagedObjectModel {
    let category = makeEntity(
      "Category",
      makeAttribute("name"),
      makeAttribute("order", .integer64AttributeType)
    )
    category.uniquenessConstraints = [["name"]]
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    place.elements = [makeAttribute("city"), makeAttribute("zip", .integer64AttributeType)]
    let note = makeEntity(
      "Note",
      NSManagedObject.self,
      [
        makeAttribute("title"), makeAttribute("body"), makeAttribute("identifier", .UUIDAttributeType),
        makeAttribute("rating", .integer64AttributeType), makeAttribute("price", .decimalAttributeType),
        makeAttribute("weight", .doubleAttributeType), makeAttribute("createdAt", .dateAttributeType),
        makeAttribute("isPinned", .booleanAttributeType), makeAttribute("link", .URIAttributeType),
        makeAttribute("image", .binaryDataAttributeType), makeAttribute("in"), place,
      ]
    )
    let list = makeEntity("Checklist", makeAttribute("done", .integer64AttributeType))
    note.subentities = [list]
    let tag = makeEntity("Tag", makeAttribute("name"))
    let author = makeEntity("Author", makeAttribute("firstName"), makeAttribute("lastName"))
    let comment = makeEntity("Comment", makeAttribute("text"))
    relate(note, "category", isToMany: false, category, "notes", isToMany: true)
    relate(note, "tags", isToMany: true, tag, "notes", isToMany: true)
    relate(comment, "note", isToMany: false, note, "comments", isToMany: true)
    relate(comment, "parent", isToMany: false, comment, "replies", isToMany: true)
    // This relationship has no inverse.
    note.properties.append(makeRelationship("author", to: author))
    relationship(note, "comments").deleteRule = .cascadeDeleteRule
    relationship(comment, "replies").deleteRule = .cascadeDeleteRule
    relationship(category, "notes").deleteRule = .denyDeleteRule
    return makeModel([category, note, list, tag, author, comment])
  }

  static func relationship(_ entity: NSEntityDescription, _ name: String) -> NSRelationshipDescription {
    entity.properties.compactMap { $0 as? NSRelationshipDescription }.first { $0.name == name }!
  }
}

/// The types of the explored stores.
enum GardenKind: String, CaseIterable, Sendable {
  case sqlite, inMemory

  var storeType: String { self == .sqlite ? NSSQLiteStoreType : NSInMemoryStoreType }
}

/// A store with the garden model.
final class GardenStore: Sendable {
  let coordinator: NSPersistentStoreCoordinator
  let folder: TestFolder
  let url: URL
  private let statements: RecordedStatements

  init(
    _ kind: GardenKind = .sqlite,
    model: NSManagedObjectModel = Garden.model(),
    options: [String: any Sendable] = [:],
    copying other: URL? = nil
  ) throws {
    let folder = try TestFolder()
    self.folder = folder
    url = folder.url.appendingPathComponent("Garden.sqlite")
    statements = RecordedStatements(folder.url)
    if let other {
      for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: other.path + suffix) {
        try FileManager.default.copyItem(atPath: other.path + suffix, toPath: url.path + suffix)
      }
    }
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: kind.storeType,
      configurationName: nil,
      at: kind == .sqlite ? url : nil,
      options: options
    )
  }

  deinit { try? close() }

  func close() throws {
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  /// Works in a context of its own, and saves it.
  @discardableResult
  func write<Result: Sendable>(
    by author: String? = nil,
    _ work: @Sendable (NSManagedObjectContext) throws -> Result
  ) throws -> Result {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.transactionAuthor = author
    return try context.performAndWait {
      let result = try work(context)
      try context.save()
      return result
    }
  }

  /// The statements that a closure executed.
  func statements(of work: () async throws -> Void) async rethrows -> [String] {
    let count = statements.all.count
    try await work()
    return Array(statements.all.dropFirst(count))
  }
}

/// Records the statements that SQLite executes for the stores of a folder.
private final class RecordedStatements: Sendable {
  private final class Records: Sendable {
    let statements = Mutex<[String]>([])
  }

  private let records: Records
  private let registration: StoreObservers.Registration

  init(_ folder: URL) {
    let records = Records()
    self.records = records
    registration = StoreObservers.add(
      StoreObserver(
        details: [],
        hearsMigrations: false,
        opened: { _ in },
        executed: { statement in records.statements.withLock { $0.append(statement.sql) } },
        migrating: { _, _ in }
      ),
      in: folder.lastPathComponent
    )
  }

  deinit { StoreObservers.remove(registration) }

  var all: [String] { records.statements.withLock { $0 } }
}

extension NSManagedObjectContext {
  /// Inserts an object with values.
  @discardableResult
  func add(_ entity: String, _ values: [String: Any?] = [:]) -> NSManagedObject {
    let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: self)
    for (key, value) in values { object.setValue(value, forKey: key) }
    return object
  }

  /// The object of an entity whose attribute has a value, if there is one.
  func one(_ entity: String, _ key: String, _ value: Any) throws -> NSManagedObject? {
    let request = NSFetchRequest<NSManagedObject>(entityName: entity)
    request.predicate = NSPredicate(format: "%K == %@", key, value)
    return try fetch(request).first
  }
}
