import Foundation
import ModelFormats
import SQLiteDriver
import TestSupport

@testable import CoreData

/// A store made by Apple's framework, with its model.
struct AppleStore: CustomStringConvertible, Sendable {
  let store: String
  /// The path of the model; `nil` if the model was made in code, so that only the store contains it, or if
  /// `modelText` has it.
  let model: String?
  /// The model in today's file format.
  var modelText: String?
  /// Whether this is a store with the same objects and the same name that this library makes.
  var isMadeHere = false

  var description: String {
    String(store.split(separator: "/").last ?? "") + (isMadeHere ? ", made here" : "")
  }

  /// The same objects in a store that this library makes.
  var madeHere: AppleStore {
    var copy = self
    copy.isMadeHere = true
    return copy
  }

  private static let coreDataPlus = "fixtures/coredataplus/Tests/Resources/"
  private static let migration = "fixtures/progressive-migration/CoreDataMigration-Example"
  private static let moody = "fixtures/moody/Migrations/"
  private static let bug = "fixtures/derived-now/CoreDataModelMigrationBug/"

  static let manyToMany = AppleStore(
    store: "fixtures/many-to-many/Sample Model/Deprecated/TestModel.sqlite",
    model: "fixtures/many-to-many/CoreDataStackTests/TestModel.xcdatamodeld/TestModel.xcdatamodel"
  )
  static let derived = AppleStore(
    store: bug + "V1-database/CoreDataModelMigrationBug.sqlite",
    model: bug + "CoreDataModelMigrationBug.xcdatamodeld/CoreDataModelMigrationBug.xcdatamodel"
  )
  static let sample = AppleStore(
    store: coreDataPlus + "SampleModel/Fixtures/SampleModel_V1.sqlite",
    model: coreDataPlus + "SampleModel/SampleModel.xcdatamodeld/SampleModel.xcdatamodel"
  )
  static let migratedSample = AppleStore(
    store: coreDataPlus + "SampleModel/Fixtures/SampleModel_V2.sqlite",
    model: coreDataPlus + "SampleModel/SampleModel.xcdatamodeld/SampleModel2.xcdatamodel"
  )
  static let users = AppleStore(
    store: coreDataPlus + "SampleModel3/Fixtures/SampleModel3_V1.sqlite",
    model: coreDataPlus + "SampleModel3/SampleModel3.xcdatamodeld/SampleModel3.xcdatamodel"
  )
  static let posts: [AppleStore] = [1, 2, 3].map { number in
    AppleStore(
      store: migration + "Tests/Resources/SQLite/CoreDataMigration_Example_\(number).sqlite",
      model: migration
        + "/CoreData/Model/CoreDataMigration_Example.xcdatamodeld/CoreDataMigration_Example\(number == 1 ? "" : " \(number)").xcdatamodel"
    )
  }
  static let moods: [AppleStore] = (1...5).map { number in
    let name = number == 1 ? "Moody" : "Moody \(number)"
    return AppleStore(
      store: moody + "MigrationsTests/\(name).moody",
      model: moody + "Migrations/Moody.xcdatamodeld/\(name).xcdatamodel"
    )
  }

  static let books: [AppleStore] = [1, 2].map { number in
    AppleStore(store: coreDataPlus + "SampleModel2/Fixtures/SampleModel2_V\(number).sqlite", model: nil)
  }
  /// Whether the framework recorded a history in the store.
  var hasHistory: Bool { Self.books.contains { $0.store == store } }

  static let logs = AppleStore(store: "fixtures/pulse-logs/logs.sqlite", model: nil)
  /// A store of Mac OS X 10.6. Its model file has the format before XML, and the store does not contain the model.
  static let recipes = AppleStore(
    store: "fixtures/recipes-2009/Samples/iOS/Resources/RecipeData/Recipes.sqlite",
    model: nil,
    modelText: RecipesModel.text
  )

  /// The stores that contain their model, which are all but the oldest.
  static let keepingModels =
    [manyToMany, derived, sample, migratedSample, users, logs] + books + posts + moods
  static let all = keepingModels + [recipes]

  /// Apple's stores, and the equivalent stores that this library makes. Both must behave alike.
  static let andOurs = all + all.map(\.madeHere)

  /// Each store with the model in its file, and with the cached model if there is one.
  static let andOursWithModels = andOurs.flatMap { store in
    store.keepsModel ? [(store, false), (store, true)] : [(store, false)]
  }

  private var keepsModel: Bool { isMadeHere || modelText == nil }

  func loadModel() throws -> NSManagedObjectModel {
    if let modelText {
      let document = try ModelDocument(contents: Data(modelText.utf8))
      let model = try NSManagedObjectModel(document: document)
      model.freeze()
      return model
    }
    guard let model else {
      // SQLite leaves files next to a store in WAL mode when it reads the store.
      let folder = try TemporaryFolder()
      var apple = self
      apple.isMadeHere = false
      let model = try NSManagedObjectModel(cachedIn: apple.copy(to: folder.url))
      model.freeze()
      return model
    }
    let url = SharedFolder.url(model)
    guard let model = NSManagedObjectModel(contentsOf: url) else {
      throw CocoaError.coreData(NSCoreDataError, message: "\(url.path) is not a model")
    }
    model.freeze()
    return model
  }

  /// Copies the store into a folder, with its write-ahead log, which may contain much of it. Opening a store writes.
  func copy(to folder: URL) throws -> URL {
    if isMadeHere { return try remake(in: folder) }
    let source = SharedFolder.url(store)
    let copy = folder.appendingPathComponent(source.lastPathComponent)
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: source.path + suffix) {
      try FileManager.default.copyItem(atPath: source.path + suffix, toPath: copy.path + suffix)
    }
    return copy
  }
}

extension AppleStore {
  /// Makes a store here and copies the objects into it.
  private func remake(in folder: URL) throws -> URL {
    let other = try TemporaryFolder()
    var apple = self
    apple.isMadeHere = false
    let source = try apple.copy(to: other.url)
    let made = folder.appendingPathComponent(source.lastPathComponent)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try loadModel())
    let store = try coordinator.addPersistentStore(type: .sqlite, at: source)
    let tracking = hasHistory ? [NSPersistentHistoryTrackingKey: true] : nil
    let new = try coordinator.addPersistentStore(type: .sqlite, at: made, options: tracking)
    func openStore(_ store: NSPersistentStore) throws -> any ObjectStore {
      guard let open = coordinator.openStores.first(where: { $0 === store }) else {
        throw CocoaError(.fileReadUnknown)
      }
      return open
    }
    _ = try StoreTransfer.run(
      from: openStore(store),
      to: openStore(new),
      model: coordinator.managedObjectModel
    )
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    return made
  }
}

/// A folder that exists as long as a test runs.
final class TemporaryFolder {
  let url: URL

  init() throws {
    url = FileManager.default.temporaryDirectory.appendingPathComponent("perennial-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: url) }

  func file(_ name: String = "store.sqlite") -> URL { url.appendingPathComponent(name) }

  /// Queries a database without Core Data.
  func query<Value: DatabaseValueConvertible>(_ sql: String, at file: URL? = nil) throws -> [Value] {
    let queue = try SQLiteConnection(path: (file ?? self.file()).path)
    return try queue.read { try Value.fetchAll($0, sql: sql) }
  }

  func hasTable(_ name: String, at file: URL) throws -> Bool {
    try SQLiteConnection(path: file.path).read { try $0.tableExists(name) }
  }

  /// Changes a database without Core Data.
  func execute(_ sql: String, at file: URL? = nil) throws {
    let queue = try SQLiteConnection(path: (file ?? self.file()).path)
    try queue.write { try $0.execute(sql: sql) }
  }
}
