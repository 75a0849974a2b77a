import CoreData
import Foundation
import Seeding
import TestSupport
import Testing

/// A store for a test, with short methods for seeding and reading it.
// Each test uses the store on one thread at a time.
final class TestStore: @unchecked Sendable {
  enum Kind: String, CaseIterable, CustomTestStringConvertible, Sendable {
    case inMemory, sqlite, postgreSQL

    /// All types. PostgreSQL is included if the environment names a server: see Scripts/postgresql.
    static let allCases: [Kind] = [.inMemory, .sqlite] + (server == nil ? [] : [.postgreSQL])

    static var server: String? { ProcessInfo.processInfo.environment["PERENNIAL_POSTGRESQL"] }

    var testDescription: String { rawValue }

    var storeType: String {
      switch self {
      case .inMemory: NSInMemoryStoreType
      case .sqlite: NSSQLiteStoreType
      case .postgreSQL: "PostgreSQL"
      }
    }
  }

  private(set) var coordinator: NSPersistentStoreCoordinator
  private let folder: URL?
  private let kind: Kind
  private let openedURL: URL?
  /// The schema on a server that belongs to this store.
  private let schema: URL?

  init(_ kind: Kind = .inMemory, _ model: NSManagedObjectModel = TestModel.notes()) throws {
    self.kind = kind
    openedURL = nil
    let name = TestSchema.newName()
    schema = kind == .postgreSQL ? Kind.server.flatMap { URL(string: "\($0)?schema=\(name)") } : nil
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

  /// Opens the file of another store a second time, as another process does.
  init(opening url: URL, _ model: NSManagedObjectModel = TestModel.notes()) throws {
    kind = url.isFileURL ? .sqlite : .postgreSQL
    schema = nil
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    folder = nil
    openedURL = url
    try open()
  }

  deinit {
    if let folder { try? FileManager.default.removeItem(at: folder) }
    guard let schema else { return }
    try? close()
    try? coordinator.destroyPersistentStore(at: schema, ofType: kind.storeType)
  }

  /// The location of the store, on disk or on a server.
  var url: URL? { folder?.appendingPathComponent("Test.sqlite") ?? schema ?? openedURL }

  func open(options: [String: Any]? = nil) throws {
    try coordinator.addPersistentStore(
      ofType: kind.storeType,
      configurationName: nil,
      at: url,
      options: options
    )
  }

  /// Continues with another version of the model, older or newer. The versions are created in code, so no
  /// resource contains them.
  func migrate(to model: NSManagedObjectModel) throws {
    try close()
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try open(options: [
      NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
      NSPersistentStoreAllowsDowngradeOption: true,
    ])
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
    try Seeder(.data(Data(json.utf8), name: name), policy: policy).inPieces
      .runAndWait(in: coordinator)
  }

  /// Seeds several files in one run.
  @discardableResult
  func seed(files: [(name: String, text: String)], policy: SeedPolicy = .oncePerContent) throws -> SeedReport {
    let sources = files.map { SeedSource.data(Data($0.text.utf8), name: $0.name) }
    return try Seeder(sources, policy: policy).inPieces.runAndWait(in: coordinator)
  }

  func count(_ entity: String) throws -> Int {
    let context = newContext()
    return try context.performAndWait {
      try context.count(for: NSFetchRequest<NSManagedObject>(entityName: entity))
    }
  }

  /// The values of a key for all objects of an entity, as sorted text.
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

  /// A line for each object of an entity, sorted: its values for the key paths. Those of ordered relationships keep their
  /// order, and those of other to-many relationships are sorted.
  func lines(_ entity: String, _ keyPaths: String...) throws -> [String] {
    let context = newContext()
    return try context.performAndWait {
      let objects = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: entity))
      return objects.map { object in keyPaths.map { Self.text(object, $0) }.joined(separator: "|") }.sorted()
    }
  }

  /// All objects with their attributes, as text for comparisons.
  func contents() throws -> [String] {
    let context = newContext()
    return try context.performAndWait {
      var lines: [String] = []
      for name in coordinator.managedObjectModel.entitiesByName.keys.sorted() {
        let request = NSFetchRequest<NSManagedObject>(entityName: name)
        request.includesSubentities = false
        for object in try context.fetch(request) {
          let attributes = object.entity.attributesByName.keys.sorted()
          lines.append(
            ([name] + attributes.map { Self.text(object.value(forKey: $0)) }).joined(separator: "|")
          )
        }
      }
      return lines.sorted()
    }
  }

  private static func text(_ object: NSManagedObject, _ keyPath: String) -> String {
    let parts = keyPath.split(separator: ".", maxSplits: 1).map(String.init)
    let value = object.value(forKey: parts[0])
    guard parts.count == 2 else { return text(value) }
    switch value {
    case let one as NSManagedObject: return text(one, parts[1])
    case let ordered as NSOrderedSet:
      return ordered.array.compactMap { ($0 as? NSManagedObject).map { text($0, parts[1]) } }.joined(
        separator: ","
      )
    case let set as Set<NSManagedObject>:
      return set.map { text($0, parts[1]) }.sorted().joined(separator: ",")
    default: return text(value)
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
