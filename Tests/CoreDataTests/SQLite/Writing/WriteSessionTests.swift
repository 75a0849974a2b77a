import Foundation
import SQLiteDriver
import TestSupport
import Testing

@testable import CoreData

@Suite("A change of a SQLite store")
struct WriteSessionTests {
  private static func model() -> NSManagedObjectModel {
    let note = NSEntityDescription()
    note.name = "Note"
    let title = NSAttributeDescription()
    (title.name, title.attributeType, title.isOptional) = ("title", .stringAttributeType, true)
    let searchTitle = NSDerivedAttributeDescription()
    (searchTitle.name, searchTitle.attributeType) = ("searchTitle", .stringAttributeType)
    searchTitle.isOptional = true
    searchTitle.derivationExpression = NSExpression(format: "canonical:(title)")
    note.properties = [title, searchTitle]
    let model = NSManagedObjectModel()
    model.entities = [note]
    return model
  }

  /// Closes the store's connections as soon as a change is committed. An observer of the commit may close the store before
  /// the thread that saved continues.
  private final class ClosedAtOnce: SQLiteWriteTarget {
    private let connections: SQLiteConnections

    init(_ connections: SQLiteConnections) { self.connections = connections }

    func write<Value>(_ body: (Database) throws -> Value) throws -> Value {
      let value = try connections.write(body)
      try connections.close()
      return value
    }

    func release(_ files: SQLiteFileChanges, folder: ExternalDataFolder) {}
  }

  @Test("a change leaves no open statement that would prevent closing the store")
  func statements() throws {
    let folder = try TemporaryFolder()
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: Self.model())
    container.persistentStoreDescriptions[0].url = folder.file()
    container.persistentStoreDescriptions[0].setOption(
      true as NSNumber,
      forKey: NSPersistentHistoryTrackingKey
    )
    var failure: (any Error)?
    container.loadPersistentStores { failure = $1 }
    #expect(failure == nil)
    let context = container.newBackgroundContext()
    try context.performAndWait {
      let note = NSManagedObject(entity: container.managedObjectModel.entities[0], insertInto: context)
      note.setValue("Ärger", forKey: "title")
      try context.save()
    }
    let store = try #require(container.persistentStoreCoordinator.openStores[0] as? SQLiteStore)
    let engine = try store.engine()
    let entity = try engine.schema.entity(container.managedObjectModel.entities[0])
    let (titles, changes) = try SQLiteWriteSession.run(in: store, through: ClosedAtOnce(engine.connections)) {
      session in
      try session.database.execute(sql: "UPDATE ZNOTE SET ZTITLE = 'Öde'")
      try session.derivation.update(1, entity: entity)
      try session.history?.insertion(of: 1, entity: entity)
      try session.flush()
      return (
        try String.fetchOne(session.database, sql: "SELECT ZSEARCHTITLE FROM ZNOTE"),
        try Int.fetchOne(session.database, sql: "SELECT count(*) FROM ACHANGE")
      )
    }
    #expect(titles == "ode")
    #expect(changes == 2)
  }
}
