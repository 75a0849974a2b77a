import CoreData
import DataGeneration
import Foundation
import Seeding

/// Generated data, as a seed and in a store.
struct Made {
  let seed: Data
  let coordinator: NSPersistentStoreCoordinator
  let report: SeedReport

  init(_ model: NSManagedObjectModel, _ plan: GenerationPlan, as format: GeneratedSeedFormat = .jsonLines)
    throws
  {
    seed = try Self.seed(model, plan, as: format)
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: NSInMemoryStoreType,
      configurationName: nil,
      at: nil,
      options: nil
    )
    report = try Seeder(.data(seed, name: "made.\(format.rawValue)")).runAndWait(in: coordinator)
  }

  static func seed(
    _ model: NSManagedObjectModel,
    _ plan: GenerationPlan,
    as format: GeneratedSeedFormat = .jsonLines
  ) throws -> Data {
    var bytes = Data()
    try DataGenerator(model: model, plan: plan).write(as: format) { bytes += $0 }
    return bytes
  }

  /// Calls a closure with every object of an entity and returns the results.
  func map<Value: Sendable>(_ entity: String, _ body: @Sendable (NSManagedObject) -> Value) throws -> [Value] {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.includesSubentities = false
      return try context.fetch(request).map(body)
    }
  }

  /// The number of linked objects for each object of an entity.
  func linkCounts(_ entity: String, _ key: String) throws -> [Int] {
    try map(entity) { object in
      switch object.value(forKey: key) {
      case let set as NSSet: set.count
      case let ordered as NSOrderedSet: ordered.count
      case let set as Set<NSManagedObject>: set.count
      case is NSManagedObject: 1
      default: 0
      }
    }
  }
}
