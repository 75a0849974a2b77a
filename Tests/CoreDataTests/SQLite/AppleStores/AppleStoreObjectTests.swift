import CoreData
import Foundation
import SQLiteDriver
import TestSupport
import Testing

@testable import CoreData

@Suite("Objects of Apple-made stores", .enabled(if: SharedFolder.isAvailable, "\(SharedFolder.reason)"))
struct AppleStoreObjectTests {
  /// A store that is open, with a context on it.
  private final class Opened {
    let folder: TemporaryFolder
    let file: URL
    let coordinator: NSPersistentStoreCoordinator
    let context: NSManagedObjectContext

    convenience init(_ apple: AppleStore, usesCache: Bool) throws {
      let folder = try TemporaryFolder()
      let file = try apple.copy(to: folder.url)
      try self.init(
        file,
        in: folder,
        model: usesCache ? try NSManagedObjectModel(cachedIn: file) : try apple.loadModel()
      )
    }

    init(_ file: URL, in folder: TemporaryFolder, model: NSManagedObjectModel) throws {
      self.folder = folder
      self.file = file
      coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      // Without this option, a store with a history could only be read.
      let history = [NSPersistentHistoryTrackingKey: try folder.hasTable("ATRANSACTION", at: file)]
      try coordinator.addPersistentStore(type: .sqlite, at: file, options: history)
      context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
    }

    func objects() throws -> [NSManagedObject] {
      try coordinator.managedObjectModel.entities.filter { $0.superentity == nil }.flatMap { entity in
        try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity.name ?? ""))
      }
    }

    func close() throws {
      for store in coordinator.persistentStores { try coordinator.remove(store) }
    }
  }

  private func destinations(_ object: NSManagedObject, _ relationship: String) -> [NSManagedObject] {
    switch object.value(forKey: relationship) {
    case let one as NSManagedObject: [one]
    case let ordered as NSOrderedSet: ordered.array as? [NSManagedObject] ?? []
    case let set as Set<NSManagedObject>: Array(set)
    default: []
    }
  }

  @Test(
    "Apple-made objects agree on both sides of every relationship, with the file's and the cached model",
    arguments: AppleStore.andOursWithModels
  )
  func relationships(_ apple: AppleStore, _ usesCache: Bool) throws {
    let opened = try Opened(apple, usesCache: usesCache)
    // The objects on the other side, by the object and its relationship.
    var known: [NSManagedObjectID: [String: Set<NSManagedObject>]] = [:]
    for object in try opened.objects() {
      for name in object.entity.attributesByName.keys { _ = object.value(forKey: name) }
      for (name, relationship) in object.entity.relationshipsByName {
        let found = destinations(object, name)
        guard let inverse = relationship.inverseRelationship else { continue }
        for destination in found {
          // This context does not know the other side yet, so the store has to look it up.
          let others =
            known[destination.objectID]?[inverse.name] ?? Set(destinations(destination, inverse.name))
          known[destination.objectID, default: [:]][inverse.name] = others
          #expect(others.contains(object), "\(object.objectID) \(name) \(destination.objectID)")
        }
      }
    }
    #expect(!opened.context.hasChanges)
    try opened.close()
  }

  /// All rows of all tables except those of the persistent history, by table and key.
  private func dump(_ file: URL) throws -> [String: [DatabaseValue: DatabaseRow]] {
    let queue = try SQLiteConnection(path: file.path)
    defer { try? queue.close() }
    return try queue.read { database in
      let tables = try String.fetchAll(
        database,
        sql: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT IN "
          + "('ACHANGE', 'ATRANSACTION', 'ATRANSACTIONSTRING')"
      )
      var dump: [String: [DatabaseValue: DatabaseRow]] = [:]
      for table in tables {
        let all = "SELECT rowid AS row_id, * FROM \(table)"
        let sql = table == "Z_PRIMARYKEY" ? all + " WHERE Z_ENT < 16000" : all
        let rows = try DatabaseRow.fetchAll(database, sql: sql)
        if !rows.isEmpty { dump[table] = Dictionary(uniqueKeysWithValues: rows.map { ($0.values[0], $0) }) }
      }
      return dump
    }
  }

  @Test(
    "saving one Apple-made object changes only its row, its version and derived values",
    arguments: AppleStore.andOurs
  )
  func save(_ apple: AppleStore) throws {
    let opened = try Opened(apple, usesCache: false)
    let objects = try Dictionary(grouping: opened.objects()) { $0.entity.name ?? "" }
    let changes = try objects.compactMap { try changeable($0.value) }.map { object, name in
      (address: object.objectID.uriRepresentation(), name: name)
    }
    // The store of the many-to-many model is empty.
    #expect(changes.isEmpty == (apple.store == AppleStore.manyToMany.store))
    try opened.close()
    for index in Soak.sample(changes.indices) {
      let change = changes[index]
      try save(change.address, change.name, opened.file, in: opened.folder, model: apple.loadModel())
    }
  }

  private func save(
    _ address: URL,
    _ name: String,
    _ file: URL,
    in folder: TemporaryFolder,
    model: NSManagedObjectModel
  ) throws {
    let before = try dump(file)
    let opened = try Opened(file, in: folder, model: model)
    let object = try #require(try opened.objects().first { $0.objectID.uriRepresentation() == address })
    change(object, name)
    try opened.context.save()
    try opened.close()

    let after = try dump(file)
    #expect(before.keys == after.keys)
    var changes: [String] = []
    for (table, rows) in before {
      #expect(rows.keys == after[table]?.keys, "\(table)")
      for (key, row) in rows {
        guard let new = after[table]?[key], new.values != row.values else { continue }
        #expect(new.columns == row.columns)
        for (index, column) in row.columns.enumerated() where new.values[index] != row.values[index] {
          changes.append("\(table) \(key) \(column)")
        }
      }
    }
    let key = address.lastPathComponent.dropFirst()
    let table = "Z" + (root(of: object.entity).name ?? "").uppercased()
    let derived = object.entity.attributesByName.values.filter { $0 is NSDerivedAttributeDescription }
    let allowed = Set(([name] + derived.map(\.name)).map { "\(table) \(key) Z\($0.uppercased())" })
    #expect(changes.contains("\(table) \(key) Z_OPT"))
    #expect(changes.contains("\(table) \(key) Z\(name.uppercased())"))
    #expect(Set(changes).subtracting(["\(table) \(key) Z_OPT"]).isSubset(of: allowed), "\(changes)")
  }

  private func root(of entity: NSEntityDescription) -> NSEntityDescription {
    sequence(first: entity, next: \.superentity).reduce(entity) { $1 }
  }

  /// An object, and one of its attributes that can have another value.
  private func changeable(_ objects: [NSManagedObject]) throws -> (NSManagedObject, String)? {
    let types: [NSAttributeType] = [
      .stringAttributeType, .dateAttributeType, .integer16AttributeType, .integer64AttributeType,
      .booleanAttributeType,
    ]
    for object in objects {
      for (name, attribute) in object.entity.attributesByName.sorted(by: { $0.key < $1.key })
      where types.contains(attribute.attributeType) && !attribute.isTransient
        && !(attribute is NSDerivedAttributeDescription) && object.value(forKey: name) != nil
      {
        let present = object.value(forKey: name)
        change(object, name)
        defer { object.setValue(present, forKey: name) }
        do {
          try object.validateForUpdate()
          return (object, name)
        } catch {
          continue
        }
      }
    }
    return nil
  }

  private func change(_ object: NSManagedObject, _ name: String) {
    switch object.value(forKey: name) {
    case let text as String: object.setValue(text + "!", forKey: name)
    case let date as Date: object.setValue(date.addingTimeInterval(1), forKey: name)
    case let number as NSNumber: object.setValue(NSNumber(value: number.intValue ^ 1), forKey: name)
    default: break
    }
  }

  @Test("Apple-made objects pass the check of the store", arguments: AppleStore.andOursWithModels)
  func checked(_ apple: AppleStore, _ usesCache: Bool) throws {
    let folder = try TemporaryFolder()
    let file = try apple.copy(to: folder.url)
    let check = try SQLiteStoreCheck(store: file, model: usesCache ? nil : try apple.loadModel())
    #expect(try check.findings() == [])
  }
}
