import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreData

@Suite("The names of indexes")
struct IndexNameTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func entity(_ name: String, _ attributes: [String]) -> NSEntityDescription {
    let entity = NSEntityDescription()
    entity.name = name
    entity.properties = attributes.map { name in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = (name, .stringAttributeType, true)
      return attribute
    }
    return entity
  }

  private static func index(_ name: String, _ entity: NSEntityDescription, _ properties: [(String, Bool)]) {
    let elements = properties.compactMap { name, isAscending -> NSFetchIndexElementDescription? in
      guard let property = entity.propertiesByName[name] else { return nil }
      let element = NSFetchIndexElementDescription(property: property, collationType: .binary)
      element.isAscending = isAscending
      return element
    }
    entity.indexes += [NSFetchIndexDescription(name: name, elements: elements)]
  }

  private func indexes(_ entities: [NSEntityDescription]) throws -> [String] {
    let model = NSManagedObjectModel()
    model.entities = entities
    let file = folder.file("\(UUID().uuidString).sqlite")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(type: .sqlite, at: file)
    try coordinator.remove(store)
    return try folder.query(
      "SELECT sql FROM sqlite_master WHERE type = 'index' AND sql NOT NULL ORDER BY rowid",
      at: file
    )
    .filter { (sql: String) in sql.contains("INDEX Z_") }
  }

  @Test("a property marked as indexed and an index of the same name are one index")
  func markedAndNamed() throws {
    let book = Self.entity("Book", ["title", "author"])
    for property in book.properties { property.isIndexed = true }
    Self.index("title", book, [("title", true)])
    Self.index("Author", book, [("author", false), ("title", true)])
    #expect(
      try indexes([book]) == [
        "CREATE INDEX Z_Book_title ON ZBOOK (ZTITLE COLLATE BINARY ASC)",
        "CREATE INDEX Z_Book_Author ON ZBOOK (ZAUTHOR COLLATE BINARY DESC, ZTITLE COLLATE BINARY ASC)",
      ]
    )
  }

  @Test("a number distinguishes the index names of two entities")
  func otherEntity() throws {
    let (one, other) = (Self.entity("A", ["x"]), Self.entity("A_B", ["x"]))
    Self.index("B_c", one, [("x", true)])
    Self.index("c", other, [("x", true)])
    #expect(
      try indexes([one, other]) == [
        "CREATE INDEX Z_A_B_c ON ZA (ZX COLLATE BINARY ASC)",
        "CREATE INDEX Z_A_B_c1 ON ZA_B (ZX COLLATE BINARY ASC)",
      ]
    )
  }

  @Test(
    "the model that an Apple-made store keeps can make a store of its own, and take the objects of the first one",
    .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)"),
    arguments: AppleStore.keepingModels
  )
  func cachedModels(_ apple: AppleStore) throws {
    let source = try apple.copy(to: folder.url)
    let model = try NSManagedObjectModel(cachedIn: source)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let store = try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: source,
      options: [NSReadOnlyPersistentStoreOption: true]
    )
    let copy = folder.file("copy-\(UUID().uuidString).sqlite")
    _ = try coordinator.migratePersistentStore(store, to: copy, options: nil, type: .sqlite)
    let own = NSPersistentStoreCoordinator(managedObjectModel: model)
    try own.addPersistentStore(type: .sqlite, at: folder.file("new-\(UUID().uuidString).sqlite"))
  }
}
