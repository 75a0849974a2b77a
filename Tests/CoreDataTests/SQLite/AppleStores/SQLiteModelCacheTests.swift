import CoreData
import Foundation
import SQLiteDriver
import TestSupport
import Testing

@testable import CoreData

@Suite("The model in a store")
struct SQLiteModelCacheTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  @Test(
    "a model cached by Apple's framework is read, with the hashes in the metadata",
    .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)"),
    arguments: AppleStore.keepingModels
  )
  func appleMade(store: AppleStore) throws {
    let copy = try store.copy(to: folder.url)
    let model = try NSManagedObjectModel(cachedIn: copy)
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: NSSQLiteStoreType,
      at: copy
    )
    let hashes = metadata[NSStoreModelVersionHashesKey] as? [String: Data]
    #expect(model.entityVersionHashesByName == hashes)
  }

  @Test("a new store caches its model, which is read back equal")
  func newStore() throws {
    try SQLiteStore.open(folder).close()
    let model = try NSManagedObjectModel(cachedIn: folder.file())
    #expect(model.entityVersionHashesByName == TestModel.shared.entityVersionHashesByName)
    #expect(model.entities.count == TestModel.shared.entities.count)
    for entity in TestModel.shared.entities {
      let name = try #require(entity.name)
      let read = try #require(model.entitiesByName[name])
      #expect(read.managedObjectClassName == entity.managedObjectClassName)
      #expect(read.propertiesByName.keys.sorted() == entity.propertiesByName.keys.sorted())
    }
  }

  @Test("a missing or broken cached model is an error with the path of the store")
  func missingOrBroken() throws {
    func message() -> String {
      do {
        _ = try NSManagedObjectModel(cachedIn: folder.file())
        return ""
      } catch {
        return error.localizedDescription
      }
    }
    #expect(message().contains(folder.file().path))
    try SQLiteStore.open(folder).close()
    for (content, words) in [
      ("x'00112233'", "not a compressed archive"), ("x''", "not a compressed archive"),
      ("x'0300'", "not a compiled model"), ("NULL", "no model in its table"),
    ] {
      try folder.execute("UPDATE Z_MODELCACHE SET Z_CONTENT = \(content)")
      #expect(message().contains(words), "\(content): \(message())")
      #expect(message().contains(folder.file().path))
    }
    try folder.execute("DROP TABLE Z_MODELCACHE")
    #expect(message().contains("no model in its table"))
  }

  @Test("a store opens without a cached model")
  func notNeeded() throws {
    try SQLiteStore.open(folder).close()
    try folder.execute("DELETE FROM Z_MODELCACHE")
    try SQLiteStore.open(folder).close()
  }
}
