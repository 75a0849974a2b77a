public import CoreData
import Foundation
import Synchronization

/// A store that tests start with: an in-memory store that is filled once per process, and that each
/// test gets a copy of.
///
/// ```swift
/// @Suite struct GardenTests {
///   static let garden = SeedFixture(Seeder(.bundle(.module, "garden.json")), model: model)
///
///   @Test func eachBedHasPlants() throws {
///     let context = try Self.garden.container().newBackgroundContext()
///     let empty = try context.performAndWait {
///       let request = NSFetchRequest<NSManagedObject>(entityName: "Bed")
///       request.predicate = NSPredicate(format: "plants.@count == 0")
///       return try context.count(for: request)
///     }
///     #expect(empty == 0)
///   }
/// }
/// ```
///
/// The first test that asks for the store fills it, and tests that ask at the same time wait. A
/// copy shares its rows with the filled store until a test changes them. Apple's framework cannot
/// copy an in-memory store, so that on Apple's platforms each test's store is filled anew.
///
/// A fixture in a resource needs no constant: see ``Seeder/fixture(_:in:model:)``.
// The model does not change after the fixture is created, and a lock protects the store that the fixture creates.
public final class SeedFixture: @unchecked Sendable {
  private enum Origin {
    case seeds(Seeder)
    case store(ShippedStore)
  }

  /// The name of the containers.
  public let name: String

  /// The model of the stores.
  public let model: NSManagedObjectModel

  private let origin: Origin
  #if !canImport(Darwin)
    private let template = Mutex<NSPersistentStoreCoordinator?>(nil)
  #endif

  /// Creates a fixture from the seeds of a seeder. Nothing is read before a test asks for a store.
  ///
  /// - Parameters:
  ///   - seeder: The seeds. The fixture always imports them, whatever the seeder's policy.
  ///   - model: The model, one object for all tests that use its classes.
  ///   - name: The name of the containers.
  public init(_ seeder: Seeder, model: NSManagedObjectModel, name: String = "Fixture") {
    var seeder = seeder
    seeder.policy = .oncePerContent
    // The store is the fixture's own, so that a reset does not lose data.
    seeder.allowsReset = true
    origin = .seeds(seeder)
    self.model = model
    self.name = name
  }

  /// Creates a fixture from a SQLite store, such as one that `perennial build-store` has made.
  /// Nothing is read before a test asks for a store, and the file is not changed.
  ///
  /// - Parameters:
  ///   - store: The store.
  ///   - model: The store's model, one object for all tests that use its classes.
  ///   - name: The name of the containers.
  public init(_ store: ShippedStore, model: NSManagedObjectModel, name: String = "Fixture") {
    origin = .store(store)
    self.model = model
    self.name = name
  }

  /// A new container with an in-memory store that is filled and open. Its `loadPersistentStores`
  /// has nothing left to do and reports success.
  ///
  /// ```swift
  /// let garden = SeedFixture(Seeder(.bundle(.module, "garden.json")), model: model)
  /// let mine = try garden.container().newBackgroundContext()
  /// let theirs = try garden.container().newBackgroundContext()
  ///
  /// let beds = NSFetchRequest<NSManagedObject>(entityName: "Bed")
  /// for bed in try mine.fetch(beds) { mine.delete(bed) }
  /// try mine.save()
  /// print(try mine.count(for: beds), try theirs.count(for: beds))  // 0 2
  /// ```
  ///
  /// - Throws: The errors of ``add(to:)``.
  public func container() throws -> NSPersistentContainer {
    let container = FixtureContainer(name: name, managedObjectModel: model)
    let store = try add(to: container.persistentStoreCoordinator)
    let description = NSPersistentStoreDescription()
    description.url = store.url
    description.type = NSInMemoryStoreType
    container.persistentStoreDescriptions = [description]
    return container
  }

  /// Adds a filled in-memory store to the caller's own coordinator, such as that of a subclass of
  /// `NSPersistentContainer`.
  ///
  /// ```swift
  /// let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
  /// let store = try garden.add(to: coordinator)
  /// print(store.type)  // InMemory
  /// ```
  ///
  /// - Parameter coordinator: A coordinator without stores that has the fixture's model.
  /// - Throws: A `SeedError` for an error in the seeds, in the fixture's store, or, with the code
  ///   `no-store`, in the coordinator.
  @discardableResult
  public func add(to coordinator: NSPersistentStoreCoordinator) throws -> NSPersistentStore {
    try checkIsFree(coordinator)
    #if canImport(Darwin)
      return try fill(coordinator)
    #else
      return try coordinator.addCopy(of: filled().persistentStores[0])
    #endif
  }

  #if !canImport(Darwin)
    /// The coordinator of the filled store, from which the others are copied.
    private func filled() throws -> NSPersistentStoreCoordinator {
      try template.withLock { template in
        if let template { return template }
        let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
        _ = try fill(coordinator)
        template = coordinator
        return coordinator
      }
    }
  #endif

  private func checkIsFree(_ coordinator: NSPersistentStoreCoordinator) throws {
    guard coordinator.persistentStores.isEmpty else {
      throw SeedError(
        code: .noStore,
        problem: "the coordinator has a store already, and objects would go there",
        remedy: "add the fixture before any other store, or in its place"
      )
    }
    guard coordinator.managedObjectModel === model else {
      throw SeedError(
        code: .noStore,
        problem: "the coordinator's model is another object than the fixture's",
        remedy: "keep the model in a constant, and make the coordinator and the fixture with it"
      )
    }
  }

  /// Fills the one store of a coordinator, which is as it was when that fails.
  private func fill(_ coordinator: NSPersistentStoreCoordinator) throws -> NSPersistentStore {
    switch origin {
    case .seeds(let seeder): try seeded(coordinator, by: seeder)
    case .store(let shipped): try moved(into: coordinator, from: try shipped.file())
    }
  }

  private func seeded(_ coordinator: NSPersistentStoreCoordinator, by seeder: Seeder) throws -> NSPersistentStore {
    let store = try coordinator.addPersistentStore(ofType: NSInMemoryStoreType, configurationName: nil, at: nil)
    do {
      try seeder.runAndWait(in: coordinator)
    } catch {
      try? coordinator.remove(store)
      throw error
    }
    return store
  }

  private func moved(into coordinator: NSPersistentStoreCoordinator, from url: URL) throws
    -> NSPersistentStore
  {
    do {
      let file = try coordinator.addPersistentStore(
        ofType: NSSQLiteStoreType,
        configurationName: nil,
        at: url,
        options: [NSReadOnlyPersistentStoreOption: true]
      )
      let memory = URL(string: "memory://\(UUID().uuidString)") ?? url
      do {
        return try coordinator.migratePersistentStore(file, to: memory, withType: NSInMemoryStoreType)
      } catch {
        try? coordinator.remove(file)
        throw error
      }
    } catch {
      throw SeedError(
        code: .storeFailed,
        at: SeedPosition(file: url.path),
        problem: "the store of the fixture cannot be read: \(ErrorWords.describe(error))",
        remedy: "build it with the model that the fixture has",
        underlying: error
      )
    }
  }
}

/// The container of a fixture, whose store is open from the beginning.
// As its superclass, to which it adds nothing that changes.
final class FixtureContainer: NSPersistentContainer, @unchecked Sendable {
  /// Says that the store is open, to stacks that load whatever container they are given.
  override func loadPersistentStores(
    completionHandler block: @escaping (NSPersistentStoreDescription, (any Error)?) -> Void
  ) {
    for description in persistentStoreDescriptions { block(description, nil) }
  }
}
