import CoreData
import Foundation
import StoreExploration
import TestModels
import TestSupport
import Testing

@testable import StoreEditing

/// The types of the edited stores.
enum EditedKind: String, CaseIterable, Sendable {
  case sqlite, xml, binary, inMemory
  case postgreSQL

  /// All types. PostgreSQL is included if the environment names a server: see Scripts/postgresql.
  static let allCases: [EditedKind] =
    [.sqlite, .xml, .binary, .inMemory] + (server == nil ? [] : [.postgreSQL])

  #if PostgreSQL
    private static let server = ProcessInfo.processInfo.environment["PERENNIAL_POSTGRESQL"]
  #else
    private static let server: String? = nil
  #endif

  var storeType: String {
    switch self {
    case .sqlite: NSSQLiteStoreType
    case .xml: "XML"
    case .binary: NSBinaryStoreType
    case .inMemory: NSInMemoryStoreType
    case .postgreSQL: "PostgreSQL"
    }
  }

  /// The location of a new store: a file in a folder, or a new schema on the server.
  func place(in folder: URL) -> URL? {
    switch self {
    case .inMemory: nil
    case .postgreSQL:
      URL(string: "\(Self.server ?? "")?schema=\(TestSchema.newName())")
    case .sqlite, .xml, .binary: folder.appendingPathComponent("Kitchen.\(self)")
    }
  }
}

/// A store with a kitchen: recipes with their steps, their tags and a book.
final class EditedStore: Sendable {
  let coordinator: NSPersistentStoreCoordinator
  let session: EditingSession
  let folder: TestFolder
  /// The schema on the server, to be destroyed after the test.
  private let schema: URL?

  init(
    _ kind: EditedKind = .sqlite,
    model: NSManagedObjectModel = EditedStore.model,
    options: [String: any Sendable] = [:]
  ) throws {
    folder = try TestFolder()
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let place = kind.place(in: folder.url)
    schema = kind == .postgreSQL ? place : nil
    try coordinator.addPersistentStore(
      ofType: kind.storeType,
      configurationName: nil,
      at: place,
      options: options
    )
    session = try EditingSession(coordinator, timeLimit: .seconds(600))
  }

  deinit {
    guard let schema else { return }
    for store in coordinator.persistentStores { try? coordinator.remove(store) }
    try? coordinator.destroyPersistentStore(at: schema, ofType: EditedKind.postgreSQL.storeType)
  }

  static var model: NSManagedObjectModel {
    let book = makeEntity("Book", makeAttribute("name"))
    book.uniquenessConstraints = [["name"]]
    let place = NSCompositeAttributeDescription()
    place.name = "place"
    place.isOptional = true
    place.elements = [makeAttribute("city"), makeAttribute("zip", .integer64AttributeType)]
    let servings = makeAttribute("servings", .integer16AttributeType)
    servings.setValidationPredicates(
      [NSPredicate(format: "SELF >= 1")],
      withValidationWarnings: ["there is somebody to eat"]
    )
    let recipe = makeEntity(
      "Recipe",
      NSManagedObject.self,
      [
        makeAttribute("title", optional: false), makeAttribute("text"), servings,
        makeAttribute("price", .decimalAttributeType), makeAttribute("weight", .doubleAttributeType),
        makeAttribute("heat", .floatAttributeType), makeAttribute("count", .integer64AttributeType),
        makeAttribute("cookedAt", .dateAttributeType), makeAttribute("isSpicy", .booleanAttributeType),
        makeAttribute("identifier", .UUIDAttributeType), makeAttribute("link", .URIAttributeType),
        makeAttribute("picture", .binaryDataAttributeType), place,
      ]
    )
    let step = makeEntity("Step", makeAttribute("text"))
    let tag = makeEntity("Tag", makeAttribute("name"))
    relate(recipe, "book", isToMany: false, book, "recipes", isToMany: true)
    relate(recipe, "steps", isToMany: true, isOrdered: true, step, "recipe", isToMany: false)
    relate(recipe, "tags", isToMany: true, tag, "recipes", isToMany: true)
    return makeModel([book, recipe, step, tag]) { entities in
      for case let steps as NSRelationshipDescription in entities["Recipe"]?.properties ?? []
      where steps.name == "steps" { steps.deleteRule = .cascadeDeleteRule }
    }
  }

  /// Works in another context than the editor's, and saves it.
  @discardableResult
  func write<Value: Sendable>(_ work: @Sendable (NSManagedObjectContext) throws -> Value) throws -> Value {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      let value = try work(context)
      try context.save()
      return value
    }
  }

  /// Inserts an object, and saves it.
  func insert(_ entity: String, _ values: [String: any Sendable] = [:]) throws -> EditedObject {
    try write { context in
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      for (name, value) in values { object.setValue(value, forKey: name) }
      try context.save()
      return EditedObject(entity: entity, key: object.objectID.key)
    }
  }

  /// Changes an object in another context, and saves the change.
  func change(_ object: EditedObject, _ work: @Sendable (NSManagedObject) -> Void) throws {
    try write { context in work(try Self.object(object, in: context)) }
  }

  /// Reads a value of an object from the store.
  func stored<Value: Sendable>(_ object: EditedObject, _ read: @Sendable (NSManagedObject) -> Value) throws
    -> Value
  {
    try write { context in read(try Self.object(object, in: context)) }
  }

  func text(_ object: EditedObject, _ attribute: String) throws -> String? {
    try stored(object) { $0.value(forKey: attribute) as? String }
  }

  func count(_ entity: String) throws -> Int {
    try write { try $0.count(for: NSFetchRequest<NSManagedObject>(entityName: entity)) }
  }

  static func object(_ object: EditedObject, in context: NSManagedObjectContext) throws
    -> NSManagedObject
  {
    let explored = try #require(context.persistentStoreCoordinator.flatMap(ExploredStore.init))
    guard case .key(let key) = object.identity else { throw CocoaError(.keyValueValidation) }
    return try explored.object(try explored.entity(object.entity), key: key, in: context)
  }

  func field(_ path: FieldPath, of object: EditedObject) async throws -> EditingField {
    try #require(try await session.form(of: object).fields.first { $0.path == path })
  }
}

extension SaveOutcome {
  var isSaved: Bool { if case .saved = self { true } else { false } }
  var conflicts: [EditingConflict] { if case .conflicts(let conflicts) = self { conflicts } else { [] } }
  var invalid: [InvalidValue] { if case .invalid(let values) = self { values } else { [] } }
}
