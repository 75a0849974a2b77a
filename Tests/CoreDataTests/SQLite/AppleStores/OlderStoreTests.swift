import CoreData
import Foundation
import SQLiteDriver
import TestSupport
import Testing

@testable import CoreData

@Suite("Stores as other versions of the framework lay them out")
struct OlderStoreTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// People who know each other in order, of two kinds that have an attribute with the same name.
  private static func model() -> NSManagedObjectModel {
    let (person, child, parent) = (NSEntityDescription(), NSEntityDescription(), NSEntityDescription())
    (person.name, child.name, parent.name) = ("Person", "Child", "Parent")
    let (likes, likedBy) = (NSRelationshipDescription(), NSRelationshipDescription())
    (likes.name, likes.destinationEntity, likes.inverseRelationship) = ("likes", person, likedBy)
    (likedBy.name, likedBy.destinationEntity, likedBy.inverseRelationship) = ("fans", person, likes)
    likes.isOrdered = true
    for relationship in [likes, likedBy] {
      (relationship.isOptional, relationship.maxCount) = (true, 0)
      relationship.deleteRule = .nullifyDeleteRule
    }
    person.properties = [attribute("name", .stringAttributeType), likes, likedBy]
    child.properties = [attribute("size", .integer16AttributeType)]
    parent.properties = [attribute("size", .integer16AttributeType)]
    person.subentities = [child, parent]
    person.uniquenessConstraints = [["name"]]
    let model = NSManagedObjectModel()
    model.entities = [person, child, parent]
    return model
  }

  private static func attribute(_ name: String, _ type: NSAttributeType) -> NSAttributeDescription {
    let attribute = NSAttributeDescription()
    (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, true)
    return attribute
  }

  private func context() throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model())
    try coordinator.addPersistentStore(type: .sqlite, at: folder.file())
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  /// Makes a store, closes it and changes its layout.
  private func rebuild(_ statements: String...) throws {
    let context = try context()
    for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
      try context.persistentStoreCoordinator?.remove(store)
    }
    for statement in statements { try folder.execute(statement) }
  }

  /// Saves people, reads them in a new context and changes them again.
  private func roundTrip() throws {
    let names: [String]
    do {
      let context = try context()
      let people = ["a", "b", "c"].map { name in
        let entity = name == "a" ? "Child" : "Parent"
        let person = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
        person.setValuesForKeys(["name": name, "size": name == "a" ? 1 : 2])
        return person
      }
      people[0].setValue(NSOrderedSet(array: [people[2], people[0], people[1]]), forKey: "likes")
      try context.save()
    }
    do {
      let context = try context()
      let request = NSFetchRequest<NSManagedObject>(entityName: "Child")
      request.predicate = NSPredicate(format: "size == 1 AND ANY likes.name == 'c'")
      let child = try #require(try context.fetch(request).first)
      let likes = try #require(child.value(forKey: "likes") as? NSOrderedSet)
      names = likes.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String }
      let last = try #require(likes.lastObject as? NSManagedObject)
      #expect(last.value(forKey: "size") as? Int == 2)
      #expect((last.value(forKey: "fans") as? Set<NSManagedObject>) == [child])
      child.setValue(NSOrderedSet(array: likes.array.reversed()), forKey: "likes")
      try context.save()
    }
    #expect(names == ["c", "a", "b"])
    let context = try context()
    let child = try #require(try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Child")).first)
    let likes = child.value(forKey: "likes") as? NSOrderedSet
    #expect(
      likes?.compactMap { ($0 as? NSManagedObject)?.value(forKey: "name") as? String } == ["b", "a", "c"]
    )
    #expect(try SQLiteStoreCheck(store: folder.file(), model: Self.model()).findings() == [])
  }

  @Test("today's: the join table has the later name, columns of one name have numbers")
  func today() throws {
    try roundTrip()
    let columns: [String] = try folder.query("SELECT name FROM pragma_table_info('Z_1LIKES') ORDER BY cid")
    #expect(columns == ["Z_1FANS", "Z_1LIKES", "Z_FOK_1LIKES"])
    #expect(try folder.query("SELECT ZSIZE, ZSIZE1 FROM ZPERSON WHERE ZNAME = 'b'") == [nil as Int?])
    #expect(try folder.query("SELECT ZSIZE1 FROM ZPERSON WHERE ZNAME = 'b'") == [2])
  }

  @Test("the join table of a relationship inside one entity has the earlier name")
  func earlierName() throws {
    try rebuild(
      "DROP TABLE Z_1LIKES",
      """
      CREATE TABLE Z_1FANS ( Z_1FANS INTEGER, Z_1LIKES INTEGER, Z_FOK_1LIKES INTEGER, \
      PRIMARY KEY (Z_1FANS, Z_1LIKES) )
      """
    )
    try roundTrip()
    #expect(try folder.query("SELECT COUNT(*) FROM Z_1FANS") == [3])
  }

  @Test("the columns come in another order, as migrations append them")
  func otherOrder() throws {
    try rebuild(
      "DROP TABLE ZPERSON",
      """
      CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR, \
      ZSIZE1 INTEGER, ZGONE BLOB, ZSIZE INTEGER )
      """
    )
    try roundTrip()
  }

  @Test("uniqueness is declared in the table, or at the column", arguments: [true, false])
  func inlineConstraint(_ isNamed: Bool) throws {
    let constraint = isNamed ? ", CONSTRAINT ZNAME UNIQUE (ZNAME)" : ""
    try rebuild(
      "DROP TABLE ZPERSON",
      """
      CREATE TABLE ZPERSON ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZSIZE INTEGER, ZSIZE1 INTEGER, \
      ZNAME VARCHAR\(isNamed ? "" : " UNIQUE")\(constraint))
      """
    )
    try roundTrip()
    let context = try context()
    let twin = NSEntityDescription.insertNewObject(forEntityName: "Child", into: context)
    twin.setValue("a", forKey: "name")
    let error = #expect(throws: NSError.self) { try context.save() }
    #expect(error?.localizedDescription.contains("name = a") == true)
  }

  @Test("a store without a model and without an entity's number is usable after a repair")
  func withoutNumbers() throws {
    try rebuild("DROP TABLE Z_MODELCACHE", "DELETE FROM Z_PRIMARYKEY WHERE Z_NAME = 'Parent'")
    let before = try SQLiteStoreCheck(store: folder.file(), model: Self.model()).findings()
    #expect(before.map(\.kind) == [.primaryKeys])
    let check = try SQLiteStoreCheck(store: folder.file(), model: Self.model())
    try check.repair(copyingTo: folder.file("copy.sqlite"))
    try roundTrip()
  }

  @Test("the journal is of the older kind, and becomes a write-ahead log")
  func rollbackJournal() throws {
    try rebuild("PRAGMA user_version = 0")
    let queue = try SQLiteConnection(path: folder.file().path)
    let journal = try queue.use {
      try String.fetchOne($0, sql: "PRAGMA journal_mode = DELETE")
    }
    #expect(journal == "delete")
    try queue.close()
    try roundTrip()
    #expect(try folder.query("PRAGMA journal_mode") == ["wal"])
  }

  @Test(
    "the entities and columns of a store of Mac OS X 10.6 can be read without its model",
    .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)")
  )
  func tablesAlone() throws {
    let file = try AppleStore.recipes.copy(to: folder.url)
    let model = try NSManagedObjectModel(tablesOf: file)
    #expect(model.entitiesByName.keys.sorted() == ["Image", "Ingredient", "Recipe", "RecipeType"])
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let options: [AnyHashable: Any] = [
      NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true,
    ]
    try coordinator.addPersistentStore(type: .sqlite, at: file, options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    let request = NSFetchRequest<NSManagedObject>(entityName: "Ingredient")
    request.predicate = NSPredicate(format: "recipe > 0 AND amount != nil")
    let ingredient = try #require(try context.fetch(request).first)
    #expect((ingredient.value(forKey: "name") as? String)?.isEmpty == false)
    #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Ingredient")) == 31)
  }

  @Test(
    "the entities of any store can be read from its tables as far as there are rows",
    .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)"),
    arguments: AppleStore.andOurs
  )
  func tablesOfAll(_ apple: AppleStore) throws {
    let file = try apple.copy(to: folder.url)
    let (model, real) = (try NSManagedObjectModel(tablesOf: file), try apple.loadModel())
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let options: [AnyHashable: Any] = [
      NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true,
    ]
    try coordinator.addPersistentStore(type: .sqlite, at: file, options: options)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    for entity in real.entities where entity.superentity == nil {
      let name = try #require(entity.name)
      let found = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name))
      let counts: [Int] = try folder.query("SELECT COUNT(*) FROM Z\(name.uppercased())", at: file)
      #expect([found.count] == counts)
      for object in found { for key in object.entity.attributesByName.keys { _ = object.value(forKey: key) } }
    }
  }
}
