import CoreData
import Foundation
import RemoteSeeding
import Seeding

/// A SQLite store of tags, each with a name and a color.
final class TagStore {
  static let news = #"{"tags": [{"name": "News", "colour": "red"}]}"#

  let folder: URL
  let coordinator: NSPersistentStoreCoordinator

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let tag = NSEntityDescription()
    tag.name = "Tag"
    tag.properties = ["name", "colour"].map { name in
      let attribute = NSAttributeDescription()
      attribute.name = name
      attribute.attributeType = .stringAttributeType
      attribute.isOptional = true
      return attribute
    }
    let model = NSManagedObjectModel()
    model.entities = [tag]
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: folder.appendingPathComponent("Tags.sqlite"),
      options: nil
    )
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  /// The tags as `News red`, sorted.
  func tags() throws -> [String] {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Tag")).map { tag in
        "\(tag.value(forKey: "name") ?? "-") \(tag.value(forKey: "colour") ?? "-")"
      }.sorted()
    }
  }

  /// The bytes of the store's files.
  func bytes() throws -> [Data] {
    try ["Tags.sqlite", "Tags.sqlite-wal"].map { name in
      try Data(contentsOf: folder.appendingPathComponent(name))
    }
  }

  @discardableResult
  func seed(
    _ url: URL,
    fallback: SeedSource? = nil,
    policy: SeedPolicy = .oncePerContent,
    _ change: (inout RemoteSeedOptions) -> Void = { _ in }
  ) throws -> SeedReport {
    var options = RemoteSeedOptions()
    options.retryDelay = .milliseconds(1)
    change(&options)
    return try Seeder(.url(url, options: options, fallback: fallback), policy: policy)
      .runAndWait(in: coordinator)
  }

  /// The error of a seeding that fails and leaves the store unchanged.
  func failure(_ url: URL, _ change: (inout RemoteSeedOptions) -> Void = { _ in }) throws -> SeedError? {
    let before = try bytes()
    do {
      try seed(url, change)
      return nil
    } catch let error as SeedError {
      return try bytes() == before ? error : nil
    }
  }
}
