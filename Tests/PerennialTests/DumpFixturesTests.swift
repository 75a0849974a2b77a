import CoreData
import Foundation
import Seeding
import Testing

/// Dumps of stores that Apple's framework made.
@Suite(
  "Dumps of Apple-made stores",
  .enabled(if: Program.url != nil && !FixtureStore.all.isEmpty, "the program or the stores are not there")
)
struct DumpFixturesTests {
  @Test("each can be dumped as a whole, and loads into an equal store", arguments: FixtureStore.all)
  func roundTrip(fixture: FixtureStore) throws {
    let program = try Program()
    let store = try fixture.copy(to: program.folder)
    let (model, path) = try FixtureStore.model(of: store)
    let options = path.map { ["--model", $0] } ?? []
    let dumped = try program.run(["dump", store.path, "--output", "dump.json"] + options)
    #expect(dumped.status == 0, "\(dumped.errors)")

    let copy = program.folder.appendingPathComponent("Copy.sqlite")
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let file = program.folder.appendingPathComponent("dump.json")
    let added = try coordinator.addPersistentStore(type: .sqlite, at: copy)
    try Seeder(.file(file)).runAndWait(in: coordinator)
    let loaded = try Self.lines(of: coordinator)
    try coordinator.remove(added)

    let original = try coordinator.addPersistentStore(
      type: .sqlite,
      at: store,
      options: [NSReadOnlyPersistentStoreOption: true, NSIgnorePersistentStoreVersioningOption: true]
    )
    #expect(try Self.lines(of: coordinator) == loaded)
    try coordinator.remove(original)

    let again = try program.run(["dump", copy.path] + options)
    #expect(try again.output == String(contentsOf: file, encoding: .utf8), "\(again.errors)")
  }

  /// A line for each object: what it has, and what those have that it is related to.
  private static func lines(of coordinator: NSPersistentStoreCoordinator) throws -> [String] {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      var lines: [String] = []
      for entity in coordinator.managedObjectModel.entities {
        let request = NSFetchRequest<NSManagedObject>(entityName: entity.name ?? "")
        request.includesSubentities = false
        for object in try context.fetch(request) {
          let relations = entity.relationshipsByName.sorted { $0.key < $1.key }.map { name, relationship in
            let others = destinations(object, relationship).map(attributes)
            return "\(name): \(relationship.isOrdered ? others : others.sorted())"
          }
          lines.append("\(attributes(of: object)) \(relations)")
        }
      }
      return lines.sorted()
    }
  }

  private static func attributes(of object: NSManagedObject) -> String {
    let values = object.entity.attributesByName.filter {
      !$1.isTransient && !($1 is NSDerivedAttributeDescription)
    }
    .sorted { $0.key < $1.key }
    .map { name, _ in "\(name)=\(object.value(forKey: name).map { "\($0)" } ?? "")" }
    return "\(object.entity.name ?? "") \(values)"
  }

  private static func destinations(_ object: NSManagedObject, _ relationship: NSRelationshipDescription)
    -> [NSManagedObject]
  {
    switch object.value(forKey: relationship.name) {
    case let one as NSManagedObject: [one]
    case let ordered as NSOrderedSet: ordered.array as? [NSManagedObject] ?? []
    case let set as Set<NSManagedObject>: Array(set)
    default: []
    }
  }
}

/// A SQLite store in the folder `shared/fixtures` beside the package.
struct FixtureStore: CustomTestStringConvertible, Sendable {
  let url: URL

  var testDescription: String { url.lastPathComponent }

  private static let folder = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("shared/fixtures")

  private static let paths: [String] =
    (FileManager.default.enumerator(atPath: folder.path)?.compactMap { $0 as? String } ?? []).sorted()

  static let all: [FixtureStore] = paths.compactMap { path in
    let url = folder.appendingPathComponent(path)
    guard let file = try? FileHandle(forReadingFrom: url), let head = try? file.read(upToCount: 15) else {
      return nil
    }
    return head == Data("SQLite format 3".utf8) ? FixtureStore(url: url) : nil
  }

  /// The store, and the log that much of it may be in.
  func copy(to folder: URL) throws -> URL {
    let copy = folder.appendingPathComponent(url.lastPathComponent)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: url.path + suffix) {
      try FileManager.default.copyItem(atPath: url.path + suffix, toPath: copy.path + suffix)
    }
    return copy
  }

  /// The model that it was made with, and its file; without one what the store itself tells of it.
  static func model(of store: URL) throws -> (NSManagedObjectModel, path: String?) {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: store)
    for path in paths where path.hasSuffix(".xcdatamodel") {
      let url = folder.appendingPathComponent(path)
      if let model = NSManagedObjectModel(contentsOf: url),
        model.isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
      {
        return (model, url.path)
      }
    }
    if let model = try? NSManagedObjectModel(cachedIn: store) { return (model, nil) }
    return (try NSManagedObjectModel(tablesOf: store), nil)
  }
}
