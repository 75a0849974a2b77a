import CoreData
import Foundation
import Testing

@testable import Seeding

/// The ways in which records reach a store. A seed has the same effect in all of them.
enum SeedWay: String, CaseIterable, CustomTestStringConvertible, Sendable {
  /// One save of a new context.
  case oneSave
  /// One save in a transaction of a SQLite store.
  case transaction
  /// Many saves of two records each, in one transaction.
  case pieces
  /// Through a child of a context.
  case parent
  /// Many saves in a transaction on a server.
  case server

  static let allCases: [SeedWay] =
    [.oneSave, .transaction, .pieces, .parent] + (TestStore.Kind.server == nil ? [] : [.server])

  var testDescription: String { rawValue }

  func store(_ model: NSManagedObjectModel = TestModel.notes()) throws -> TestStore {
    switch self {
    case .oneSave, .parent: try TestStore(.inMemory, model)
    case .transaction, .pieces: try TestStore(.sqlite, model)
    case .server: try TestStore(.postgreSQL, model)
    }
  }

  @discardableResult
  func run(_ seeder: Seeder, in store: TestStore, progress: Progress? = nil) throws -> SeedReport {
    var seeder = seeder
    if self == .pieces || self == .server { (seeder.mostRecordsAtOnce, seeder.recordsInPiece) = (0, 2) }
    guard self == .parent else { return try seeder.runAndWait(in: store.coordinator, progress: progress) }
    return try seeder.runAndWait(with: store.newContext(), progress: progress)
  }

  /// Imports seeds from texts, by file name.
  @discardableResult
  func seed(
    _ store: TestStore,
    _ files: KeyValuePairs<String, String>,
    mode: SeedMode = .upsert,
    policy: SeedPolicy = .oncePerContent,
    _ configure: (inout Seeder) -> Void = { _ in }
  ) throws -> SeedReport {
    var seeder = Seeder(sources(files), mode: mode, policy: policy)
    configure(&seeder)
    return try run(seeder, in: store)
  }

  /// Imports seeds from texts with a profile.
  @discardableResult
  func seed(
    _ store: TestStore,
    _ files: KeyValuePairs<String, String>,
    profile: SeedProfile,
    _ configure: (inout Seeder) -> Void = { _ in }
  ) throws -> SeedReport {
    var seeder = Seeder(sources(files), profile: profile)
    seeder.allowsReset = true
    configure(&seeder)
    return try run(seeder, in: store)
  }

  private func sources(_ files: KeyValuePairs<String, String>) -> [SeedSource] {
    files.map { SeedSource.data(Data($0.value.utf8), name: $0.key) }
  }
}

extension Seeder {
  /// More records than ``inPieces`` plans in one piece.
  static let manyRecords = 1150

  /// The seeder with smaller limits, so that ``manyRecords`` take several saves.
  var inPieces: Seeder {
    var seeder = self
    (seeder.mostRecordsAtOnce, seeder.recordsInPiece, seeder.mostDestinationsAtHand) = (1000, 200, 300)
    return seeder
  }
}

extension TestStore {
  /// Changes the objects of an entity as a user does, and saves.
  func edit(
    _ entity: String,
    where key: String,
    is value: String,
    _ body: (NSManagedObject, NSManagedObjectContext) throws -> Void
  ) throws {
    let context = newContext()
    try context.performUncheckedAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: "%K == %@", key, value)
      for object in try context.fetch(request) { try body(object, context) }
      try context.save()
    }
  }

  func set(_ entity: String, _ key: String, _ value: String, _ property: String, to new: Any?) throws {
    nonisolated(unsafe) let new = new
    try edit(entity, where: key, is: value) { object, _ in object.setValue(new, forKey: property) }
  }

  func delete(_ entity: String, _ key: String, _ value: String) throws {
    try edit(entity, where: key, is: value) { object, context in context.delete(object) }
  }

  func insert(_ entity: String, _ values: [String: String]) throws {
    let context = newContext()
    try context.performAndWait {
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: context)
      for (key, value) in values { object.setValue(value, forKey: key) }
      try context.save()
    }
  }
}
