import CoreData
import Foundation
import TestSupport
import Testing

@Suite("Entities whose names differ in case alone")
struct EntityNameTests {
  private static func model(_ names: [String]) -> NSManagedObjectModel {
    let model = NSManagedObjectModel()
    model.entities = names.map { name in
      let entity = NSEntityDescription()
      entity.name = name
      return entity
    }
    return model
  }

  @Test("a SQLite store refuses entities whose names differ only in case with one sentence")
  func refused() throws {
    let folder = try TemporaryFolder()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model(["Note", "NOTE"]))
    let file = folder.file("Notes.sqlite")
    let error = #expect(throws: (any Error).self) {
      try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType,
        configurationName: nil,
        at: file,
        options: nil
      )
    }
    let message = error?.localizedDescription ?? ""
    #expect(message.contains("differ in case alone, and a SQLite store cannot hold both"), "\(message)")
    #expect(message.contains("Note") && message.contains("NOTE"), "\(message)")
    #expect(!message.contains("ZNOTE"), "\(message)")
  }

  @Test("stores in memory allow entities whose names differ only in case")
  func memory() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model(["Note", "NOTE"]))
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType,
      configurationName: nil,
      at: nil,
      options: nil
    )
    #expect(coordinator.persistentStores.count == 1)
  }
}
