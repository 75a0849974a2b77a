import CoreData
import Foundation
import Synchronization
import Testing

@testable import CoreData

/// A program with an open store.
private final class Server {
  let coordinator: NSPersistentStoreCoordinator
  let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)

  init(
    _ model: NSManagedObjectModel,
    _ file: URL,
    _ options: [AnyHashable: Any] = VersionedStore.byDefault
  ) throws {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: file, options: options)
    context.persistentStoreCoordinator = coordinator
  }

  deinit { for store in coordinator.persistentStores { try? coordinator.remove(store) } }

  func save(_ entity: String, _ values: [String: Any]) throws {
    context.make(entity, values)
    try context.save()
  }
}

/// The number of successful saves of a thread, and the code of its error.
private final class Acknowledged: Sendable {
  let state = Mutex<(count: Int, code: Int?)>((0, nil))
}

@Suite("Two versions of the model, both serving")
struct RollingDeploymentTests {
  private static let text = #"<attribute name="name" attributeType="String" optional="YES"/>"#
  private static let detail = #"<attribute name="detail" attributeType="String" optional="YES"/>"#
  private static let old = "<entity name=\"Note\">\(text)\(detail)</entity>"
  private static let rank = #"<attribute name="rank" attributeType="Integer 16" defaultValueString="5"/>"#
  private static let new =
    "<entity name=\"Note\">\(text)\(detail)\(rank)</entity><entity name=\"Tag\">\(text)</entity>"
  private static let without = "<entity name=\"Note\">\(text)\(rank)</entity>"

  private let folder: TemporaryFolder
  private let oldModel: NSManagedObjectModel
  private let newModel: NSManagedObjectModel
  private var file: URL { folder.file() }

  init() throws {
    folder = try TemporaryFolder()
    oldModel = try VersionedStore.model(Self.old)
    newModel = try VersionedStore.model(Self.new)
  }

  private func code(_ work: () throws -> Void) -> Int? {
    do {
      try work()
      return nil
    } catch {
      return (error as NSError).code
    }
  }

  @Test("the older one reads on, its saves are refused, and so is opening the store again: nothing is lost")
  func deployment() throws {
    var older: Server? = try Server(oldModel, file)
    try older?.save("Note", ["name": "a", "detail": "d"])
    let newer = try Server(newModel, file)
    try newer.save("Note", ["name": "b", "rank": 9])
    try newer.save("Tag", ["name": "t"])

    #expect(try older?.context.texts("Note") == ["a", "b"])
    let refused = #expect(throws: NSError.self) { try older?.save("Note", ["name": "c"]) }
    #expect(refused?.code == NSPersistentStoreIncompatibleSchemaError)
    #expect(refused?.localizedDescription.contains("migrated") == true)
    #expect(refused?.localizedDescription.contains("nothing was saved") == true)
    older = nil

    #expect(code { _ = try Server(oldModel, file) } == NSMigrationMissingSourceModelError)
    #expect(code { _ = try Server(oldModel, file, [:]) } == NSPersistentStoreIncompatibleVersionHashError)
    // The newer program is not affected.
    try newer.save("Note", ["name": "d"])
    #expect(try newer.context.texts("Note") == ["a", "b", "d"])
    let ranks: [Int] = try folder.query("SELECT ZRANK FROM ZNOTE ORDER BY ZNAME")
    #expect(ranks == [5, 9, 5])
    let others: [String] = try folder.query(
      "SELECT ZNAME FROM ZTAG UNION SELECT ZDETAIL FROM ZNOTE WHERE ZDETAIL NOT NULL ORDER BY 1"
    )
    #expect(others == ["d", "t"])
  }

  @Test(
    "each request of the older program for removed data fails with one clear error"
  )
  func missingColumn() throws {
    let older = try Server(oldModel, file)
    try older.save("Note", ["name": "a", "detail": "d"])
    let note = try #require(try older.context.all("Note").first)
    let newer = try Server(VersionedStore.model(Self.without), file, VersionedStore.automatic)
    older.context.refreshAllObjects()
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    let filtered = NSFetchRequest<NSManagedObject>(entityName: "Note")
    filtered.predicate = NSPredicate(format: "detail == %@", "d")
    let attempts: [() throws -> Void] = [
      { _ = try older.context.fetch(request) }, { _ = try older.context.count(for: filtered) },
      { _ = try older.context.existingObject(with: note.objectID) },
      { try older.save("Note", ["name": "c"]) },
    ]
    for attempt in attempts {
      let error = #expect(throws: NSError.self) { try attempt() }
      #expect(error?.code == NSPersistentStoreIncompatibleSchemaError)
      #expect(error?.localizedDescription.contains("was migrated") == true)
      #expect(error?.userInfo[NSFilePathErrorKey] as? String == file.path)
      older.context.rollback()
    }
    // The attribute cannot throw, so its value is missing, and the context has the error.
    #expect(note.text() == nil)
    #expect(code { try older.context.throwReadFailure() } == NSPersistentStoreIncompatibleSchemaError)
    // A request that does not need the removed column still succeeds.
    #expect(try older.context.count(for: request) == 1)
    #expect(try newer.context.texts("Note") == ["a"])
  }

  @Test(
    "the older program reads no rows of other entities after a migration that only renumbered them"
  )
  func numbers() throws {
    func model(_ entities: String) throws -> NSManagedObjectModel {
      try VersionedStore.model("<entity name=\"Base\">\(Self.text)</entity>" + entities)
    }
    let song = #"<entity name="Song" parentEntity="Base"/>"#
    let older = try Server(model(song), file)
    try older.save("Song", ["name": "s"])
    try older.save("Base", ["name": "b"])
    // The newer version numbers its entities in the order Album, Base, Song.
    let newer = try Server(
      model(song + #"<entity name="Album" parentEntity="Base"/>"#),
      file
    )
    try newer.save("Album", ["name": "a"])
    let number: [Int] = try folder.query("SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Song'")
    #expect(number == [3])
    for entity in ["Song", "Base"] {
      let names = NSFetchRequest<NSDictionary>(entityName: entity)
      names.resultType = .dictionaryResultType
      names.propertiesToFetch = ["name"]
      names.returnsDistinctResults = true
      #expect(code { _ = try older.context.fetch(names) } == NSPersistentStoreIncompatibleSchemaError)
      #expect(code { _ = try older.context.texts(entity) } == NSPersistentStoreIncompatibleSchemaError)
    }
    #expect(code { try older.save("Song", ["name": "lost"]) } == NSPersistentStoreIncompatibleSchemaError)
    #expect(try newer.context.texts("Base") == ["a", "b", "s"])
    #expect(try newer.context.texts("Song") == ["s"])
  }

  @Test("no object is confused with another after a migration object by object has assigned new keys")
  func keys() throws {
    let older = try Server(oldModel, file)
    for name in ["a", "b", "c"] { try older.save("Note", ["name": name]) }
    let notes = try older.context.all("Note")
    let (first, last) = try (
      #require(notes.first { $0.text() == "a" }), #require(notes.first { $0.text() == "c" })
    )
    older.context.delete(first)
    try older.context.save()
    let mapping = NSMappingModel()
    mapping.entityMappings =
      try NSMappingModel.inferredMappingModel(forSourceModel: oldModel, destinationModel: newModel)
      .entityMappings
    for entity in mapping.entityMappings ?? [] { entity.mappingType = .customEntityMappingType }
    try NSPersistentStoreCoordinator(managedObjectModel: newModel)
      .migrateStore(at: file, ofType: NSSQLiteStoreType, from: oldModel, by: mapping)
    older.context.refreshAllObjects()
    #expect(
      code { _ = try older.context.existingObject(with: last.objectID) }
        == NSPersistentStoreIncompatibleSchemaError
    )
    #expect(code { _ = try older.context.texts("Note") } == NSPersistentStoreIncompatibleSchemaError)
    let newer = try Server(newModel, file, [:])
    #expect(try newer.context.texts("Note") == ["b", "c"])
  }

  @Test("the older one goes on reading the state that it has pinned")
  func pinned() throws {
    let older = try Server(oldModel, file)
    try older.save("Note", ["name": "a", "detail": "d"])
    try older.context.setQueryGenerationFrom(.current)
    #expect(try older.context.texts("Note", "detail") == ["d"])
    _ = try Server(VersionedStore.model(Self.without), file, VersionedStore.automatic)
    older.context.refreshAllObjects()
    #expect(try older.context.texts("Note", "detail") == ["d"])
    #expect(code { try older.save("Note", ["name": "c"]) } == NSPersistentStoreIncompatibleSchemaError)
  }

  @Test(
    "all acknowledged saves of the older program are in the store after a migration",
    arguments: [true, false]
  )
  func acknowledged(_ isInferred: Bool) throws {
    let inferred = try NSMappingModel.inferredMappingModel(
      forSourceModel: oldModel,
      destinationModel: newModel
    )
    let mapping = NSMappingModel()
    mapping.entityMappings = inferred.entityMappings
    // A mapping that is not inferred is applied object by object, into a file that replaces this one.
    for entity in mapping.entityMappings ?? [] where !isInferred {
      entity.mappingType = .customEntityMappingType
    }
    let (file, model) = (file, oldModel)
    let (begun, ended) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let acknowledged = Acknowledged()
    Thread.detachNewThread {
      defer { ended.signal() }
      do {
        let server = try Server(model, file)
        while true {
          let count = acknowledged.state.withLock { $0.count }
          try server.save("Note", ["name": "\(count)"])
          acknowledged.state.withLock { $0.count += 1 }
          if count == 20 { begun.signal() }
        }
      } catch {
        acknowledged.state.withLock { $0.code = (error as NSError).code }
        begun.signal()
      }
    }
    begun.wait()
    try NSPersistentStoreCoordinator(managedObjectModel: newModel)
      .migrateStore(at: file, ofType: NSSQLiteStoreType, from: oldModel, by: isInferred ? inferred : mapping)
    ended.wait()
    let (count, code) = acknowledged.state.withLock { $0 }
    #expect(code == NSPersistentStoreIncompatibleSchemaError)
    let newer = try Server(newModel, file, [:])
    let names = try newer.context.texts("Note")
    #expect(count > 20)
    #expect(Set(names) == Set((0..<count).map { "\($0)" }))
    #expect(names.count == count)
  }

  @Test(
    "a migration does not touch a store that has been brought to a third version meanwhile",
    arguments: [true, false]
  )
  func third(_ isInferred: Bool) throws {
    try Server(oldModel, file).save("Note", ["name": "a"])
    let third = try VersionedStore.model(
      Self.new.replacingOccurrences(
        of: Self.rank,
        with: Self.rank + #"<attribute name="extra" attributeType="String" optional="YES"/>"#
      )
    )
    let inferred = try NSMappingModel.inferredMappingModel(
      forSourceModel: oldModel,
      destinationModel: newModel
    )
    let mapping = NSMappingModel()
    mapping.entityMappings = inferred.entityMappings
    for entity in mapping.entityMappings ?? [] where !isInferred {
      entity.mappingType = .customEntityMappingType
    }
    let server = try Server(third, file)
    try server.save("Note", ["name": "b", "extra": "e"])
    let error = #expect(throws: NSError.self) {
      try NSPersistentStoreCoordinator(managedObjectModel: newModel)
        .migrateStore(
          at: file,
          ofType: NSSQLiteStoreType,
          from: oldModel,
          by: isInferred ? inferred : mapping
        )
    }
    #expect(error?.localizedDescription.contains(file.path) == true)
    if isInferred {
      #expect(error?.code == NSMigrationError)
      #expect(error?.localizedDescription.contains("another version of its model") == true)
    }
    try server.save("Note", ["name": "c", "extra": "f"])
    let extras: [String] = try folder.query("SELECT ZEXTRA FROM ZNOTE WHERE ZEXTRA NOT NULL ORDER BY 1")
    #expect(extras == ["e", "f"])
  }
}
