import CoreData
import Foundation
import Seeding
import Testing

/// A store for a test, and short ways to seed and ask it.
final class TestStore {
  enum Kind: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case inMemory, sqlite

    var testDescription: String { rawValue }
  }

  let coordinator: NSPersistentStoreCoordinator
  private let folder: URL?
  private let kind: Kind

  init(_ kind: Kind = .inMemory, _ model: NSManagedObjectModel = TestModel.notes()) throws {
    self.kind = kind
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    if kind == .sqlite {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      self.folder = folder
    } else {
      folder = nil
    }
    try open()
  }

  deinit {
    if let folder { try? FileManager.default.removeItem(at: folder) }
  }

  /// Where the store is, on disk.
  var url: URL? { folder?.appendingPathComponent("Test.sqlite") }

  func open() throws {
    try coordinator.addPersistentStore(
      ofType: kind == .sqlite ? NSSQLiteStoreType : NSInMemoryStoreType,
      configurationName: nil,
      at: url,
      options: nil
    )
  }

  func close() throws {
    for store in coordinator.persistentStores { try coordinator.remove(store) }
  }

  var metadata: [String: Any] {
    coordinator.persistentStores.first.map { coordinator.metadata(for: $0) } ?? [:]
  }

  func newContext() -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @discardableResult
  func seed(_ json: String, name: String = "seed.json", policy: SeedPolicy = .oncePerContent) throws
    -> SeedReport
  {
    try Seeder(.data(Data(json.utf8), name: name), policy: policy).runAndWait(in: coordinator)
  }

  func count(_ entity: String) throws -> Int {
    let context = newContext()
    return try context.performAndWait {
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
    }
  }

  /// The values of a key of all objects of an entity, as text, sorted.
  func values(_ entity: String, _ key: String) throws -> [String] {
    let context = newContext()
    return try context.performAndWait {
      let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
      return objects.map { Self.text($0.value(forKey: key)) }.sorted()
    }
  }

  /// A line for each note: `title|category|tags`.
  func noteLines() throws -> [String] {
    let context = newContext()
    return try context.performAndWait {
      let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
      return notes.map { note in
        let tags = (note.value(forKey: "tags") as? Set<NSManagedObject> ?? []).map {
          Self.text($0.value(forKey: "name"))
        }
        let category = note.value(forKey: "category") as? NSManagedObject
        return [
          Self.text(note.value(forKey: "title")), Self.text(category?.value(forKey: "name")),
          tags.sorted().joined(separator: ","),
        ].joined(separator: "|")
      }.sorted()
    }
  }

  /// The first object's value for a key.
  func first<Value: Sendable>(_ entity: String, _ key: String, as type: Value.Type) throws -> Value? {
    let context = newContext()
    return try context.performAndWait {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity)).first?.value(forKey: key)
        as? Value
    }
  }

  private static func text(_ value: Any?) -> String {
    value.map { "\($0)" } ?? "-"
  }
}
