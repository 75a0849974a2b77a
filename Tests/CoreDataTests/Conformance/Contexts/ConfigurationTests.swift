import CoreData
import Foundation
import TestSupport
import Testing

@testable import CoreData

/// A store on disk or on a server that is opened with one configuration after another.
private final class ConfiguredStore {
  let kind: StoreKind
  let folder: TemporaryFolder
  let place: URL
  private var open: (coordinator: NSPersistentStoreCoordinator, context: NSManagedObjectContext)?

  /// The stores that persist when they are closed.
  static let kinds = StoreKind.allCases.filter {
    [.sqlite, .xml, .binary, .atomic, .postgreSQL].contains($0)
  }

  init(_ kind: StoreKind) throws {
    _ = StoreKind.registersOwnStores
    self.kind = kind
    folder = try TemporaryFolder()
    place = try #require(kind.place(in: folder.url))
  }

  deinit {
    try? close()
    guard kind.isPostgreSQL else { return }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NSManagedObjectModel())
    try? coordinator.destroyPersistentStore(at: place, ofType: kind.storeType)
  }

  func open(
    _ model: NSManagedObjectModel,
    _ configuration: String? = nil,
    options: [AnyHashable: Any]? = nil
  ) throws -> NSManagedObjectContext {
    try close()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: kind.storeType,
      configurationName: configuration,
      at: place,
      options: options
    )
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    open = (coordinator, context)
    return context
  }

  func close() throws {
    if let open {
      for store in open.coordinator.persistentStores { try open.coordinator.remove(store) }
    }
    open = nil
  }

  /// The metadata of the open store.
  var metadata: [String: Any] { open?.coordinator.persistentStores.first?.metadata ?? [:] }

  /// The entities for which the open store has version hashes.
  var hashed: [String] {
    NSManagedObjectModel.entityVersionHashes(inStoreMetadata: metadata)?.keys.sorted() ?? []
  }
}

@Suite("A store of a configuration")
struct ConfigurationTests {
  private static let name = #"<attribute name="name" attributeType="String" optional="YES"/>"#

  private static func link(_ name: String, _ entity: String, _ inverse: String, many: Bool = false) -> String {
    """
    <relationship name="\(name)" optional="YES" \(many ? "toMany=\"YES\"" : "maxCount=\"1\"") \
    destinationEntity="\(entity)" inverseName="\(inverse)" inverseEntity="\(entity)"/>
    """
  }

  private static func configuration(_ name: String, _ entities: String...) -> String {
    let members = entities.map { "<memberEntity name=\"\($0)\"/>" }.joined()
    return "<configuration name=\"\(name)\">\(members)</configuration>"
  }

  private static let garden = """
    <entity name="Plant">\(name)\(link("bed", "Bed", "plants"))</entity>
    <entity name="Bed">\(name)\(link("plants", "Plant", "bed", many: true))</entity>
    """
  private static let plants = configuration("Plants", "Plant", "Bed")

  /// The model of the garden, with the given contents of the configuration Tools.
  private static func model(
    _ tool: String = "<entity name=\"Tool\">\(name)</entity>",
    _ tools: String = configuration("Tools", "Tool")
  ) throws -> NSManagedObjectModel {
    try VersionedStore.model(garden + tool + plants + tools)
  }

  private static func fillGarden(_ context: NSManagedObjectContext) throws {
    let bed = context.make("Bed", ["name": "b"])
    for name in ["p", "q"] { context.make("Plant", ["name": name, "bed": bed]) }
    try context.save()
  }

  private func expectGarden(
    _ context: NSManagedObjectContext,
    _ names: [String] = ["p", "q"],
    _ location: SourceLocation = #_sourceLocation
  ) throws {
    #expect(try context.texts("Plant") == names, sourceLocation: location)
    let plants = try context.all("Bed").map { $0.names("plants") }
    #expect(plants == [names], sourceLocation: location)
  }

  @Test(
    "a store of the whole model can be opened with each configuration",
    arguments: ConfiguredStore.kinds
  )
  func opened(_ kind: StoreKind) throws {
    let (store, model) = (try ConfiguredStore(kind), try Self.model())
    try Self.fillGarden(store.open(model, "Plants"))
    #expect(store.hashed == ["Bed", "Plant", "Tool"])
    for configuration in [nil, "Plants", "Tools"] {
      #expect(
        model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: store.metadata)
      )
    }
    #expect(!model.isConfiguration(withName: "None", compatibleWithStoreMetadata: store.metadata))
    var context = try store.open(model)
    try expectGarden(context)
    context.make("Tool", ["name": "t"])
    try context.save()
    // Each store has its own entities, and does not affect the other's.
    context = try store.open(model, "Tools")
    #expect(try context.texts("Tool") == ["t"])
    #expect(try context.texts("Plant") == [])
    context.make("Tool", ["name": "u"])
    try context.save()
    context = try store.open(model, "Plants")
    try expectGarden(context)
    #expect(try context.texts("Tool") == [])
    context.make("Plant", ["name": "r", "bed": try #require(try context.all("Bed").first)])
    try context.save()
    context = try store.open(model)
    try expectGarden(context, ["p", "q", "r"])
    #expect(try context.texts("Tool") == ["t", "u"])
    #expect(store.hashed == ["Bed", "Plant", "Tool"])
  }

  @Test(
    "a store with only a configuration's entities can be opened with this configuration",
    arguments: ConfiguredStore.kinds
  )
  func madeBefore(_ kind: StoreKind) throws {
    let (store, model) = (try ConfiguredStore(kind), try Self.model())
    try Self.fillGarden(store.open(VersionedStore.model(Self.garden)))
    let metadata = store.metadata
    #expect(store.hashed == ["Bed", "Plant"])
    #expect(model.isConfiguration(withName: "Plants", compatibleWithStoreMetadata: metadata))
    for configuration in [nil, "Tools"] {
      #expect(!model.isConfiguration(withName: configuration, compatibleWithStoreMetadata: metadata))
      let error = #expect(throws: NSError.self) { try store.open(model, configuration) }
      #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
    }
    let context = try store.open(model, "Plants", options: VersionedStore.byDefault)
    try expectGarden(context)
    #expect(store.hashed == ["Bed", "Plant"])
    context.make("Plant", ["name": "r", "bed": try #require(try context.all("Bed").first)])
    try context.save()
    try expectGarden(store.open(VersionedStore.model(Self.garden)), ["p", "q", "r"])
    try expectGarden(store.open(model, "Plants"), ["p", "q", "r"])
  }

  @Test(
    "a migration adds the missing entities to a store with only a configuration's entities",
    arguments: ConfiguredStore.kinds.filter { $0 != .atomic }
  )
  func completed(_ kind: StoreKind) throws {
    let (store, model) = (try ConfiguredStore(kind), try Self.model())
    try Self.fillGarden(store.open(VersionedStore.model(Self.garden)))
    let context = try store.open(model, options: VersionedStore.byDefault)
    #expect(store.hashed == ["Bed", "Plant", "Tool"])
    try expectGarden(context)
    context.make("Tool", ["name": "t"])
    try context.save()
    #expect(try store.open(model, "Tools").texts("Tool") == ["t"])
    try expectGarden(store.open(model, "Plants"))
  }

  @Test(
    "a migration includes the entities of other configurations, whichever one the store is opened with",
    arguments: StoreKind.migrating,
    ["Plants", "Tools"]
  )
  func migrated(_ kind: StoreKind, _ configuration: String) throws {
    let (store, model) = (try ConfiguredStore(kind), try Self.model())
    var context = try store.open(model)
    context.make("Tool", ["name": "t"])
    try Self.fillGarden(context)
    let newer = try Self.model(
      "<entity name=\"Tool\">\(Self.name)<attribute name=\"size\" attributeType=\"Integer 16\" optional=\"YES\"/></entity>"
        + "<entity name=\"Box\">\(Self.name)</entity>",
      Self.configuration("Tools", "Tool", "Box")
    )
    let error = #expect(throws: NSError.self) { try store.open(newer, configuration) }
    #expect(error?.code == NSPersistentStoreIncompatibleVersionHashError)
    context = try store.open(newer, configuration, options: VersionedStore.byDefault)
    #expect(store.hashed == ["Bed", "Box", "Plant", "Tool"])
    #expect(try context.texts(configuration == "Tools" ? "Tool" : "Bed").count == 1)
    context = try store.open(newer)
    try expectGarden(context)
    #expect(try context.texts("Tool") == ["t"])
    context.make("Box", ["name": "x"])
    try context.save()
  }

  @Test(
    "a mapping model migrates a store, even with only a configuration's entities",
    arguments: StoreKind.migrating + [.xml],
    [true, false]
  )
  func migratedByObjects(_ kind: StoreKind, _ isComplete: Bool) throws {
    let (store, model) = (try ConfiguredStore(kind), try Self.model())
    try Self.fillGarden(store.open(isComplete ? model : VersionedStore.model(Self.garden)))
    try store.close()
    let more =
      #"<entity name="Tool"><attribute name="label" attributeType="String" optional="YES"/></entity>"#
    let newer = try Self.model(more)
    let target = try ConfiguredStore(kind)
    let manager = NSMigrationManager(sourceModel: model, destinationModel: newer)
    manager.usesStoreSpecificMigrationManager = false
    try manager.migrateStore(
      from: store.place,
      sourceType: kind.storeType,
      with: NSMappingModel.inferredMappingModel(forSourceModel: model, destinationModel: newer),
      toDestinationURL: target.place,
      destinationType: kind.storeType
    )
    try expectGarden(target.open(newer, "Plants"))
    #expect(target.hashed == ["Bed", "Plant", "Tool"])
  }

  private static let moves: [(StoreKind, StoreKind)] =
    [(.sqlite, .xml), (.xml, .sqlite), (.xml, .binary), (.sqlite, .sqlite), (.xml, .inMemory)]
    + (StoreKind.postgreSQLServer == nil ? [] : [(.postgreSQL, .sqlite), (.xml, .postgreSQL)])

  @Test("moving a store includes the objects of all other configurations", arguments: moves)
  func moved(_ from: StoreKind, _ to: StoreKind) throws {
    let (store, model) = (try ConfiguredStore(from), try Self.model())
    var context = try store.open(model)
    context.make("Tool", ["name": "t"])
    try Self.fillGarden(context)
    context = try store.open(model, "Plants")
    let coordinator = try #require(context.persistentStoreCoordinator)
    let target = try ConfiguredStore(to == .inMemory ? .xml : to)
    let moved = try coordinator.migratePersistentStore(
      try #require(coordinator.persistentStores.first),
      to: target.place,
      withType: to.storeType
    )
    #expect(moved.configurationName == "Plants")
    try expectGarden(context)
    #expect(try context.texts("Tool") == [])
    if to == .inMemory { return }
    try coordinator.remove(moved)
    context = try target.open(model)
    try expectGarden(context)
    #expect(try context.texts("Tool") == ["t"])
  }

  @Test(
    "a store of a configuration does not save objects of other entities",
    arguments: StoreKind.allCases.filter { !$0.isChild }
  )
  func refused(_ kind: StoreKind) throws {
    _ = StoreKind.registersOwnStores
    let folder = try TemporaryFolder()
    let place = kind.place(in: folder.url)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: try Self.model())
    let store = try coordinator.addPersistentStore(
      ofType: kind.storeType,
      configurationName: "Plants",
      at: place
    )
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    try Self.fillGarden(context)
    let tool = context.make("Tool", ["name": "t"])
    let error = #expect(throws: NSError.self) { try context.save() }
    #expect(
      error?.localizedDescription.contains("no store that can be written keeps objects of entity Tool")
        == true
    )
    context.delete(tool)
    context.make("Bed", ["name": "c"])
    try context.save()
    #expect(try context.texts("Bed") == ["b", "c"])
    try coordinator.remove(store)
    if kind.isPostgreSQL, let place {
      try coordinator.destroyPersistentStore(at: place, ofType: kind.storeType)
    }
  }

  @Test(
    "a relationship to another configuration is stored, but no object refers to one in another store",
    arguments: ConfiguredStore.kinds
  )
  func across(_ kind: StoreKind) throws {
    let model = try VersionedStore.model(
      """
      <entity name="Plant">\(Self.name)\(Self.link("tools", "Tool", "plants", many: true))\
      \(Self.link("first", "Tool", "firsts"))</entity>
      <entity name="Tool">\(Self.name)\(Self.link("plants", "Plant", "tools", many: true))\
      \(Self.link("firsts", "Plant", "first", many: true))</entity>
      """ + Self.configuration("Plants", "Plant") + Self.configuration("Tools", "Tool")
    )
    let (plants, tools) = (try ConfiguredStore(kind), try ConfiguredStore(kind))
    let context = try plants.open(model, "Plants")
    let coordinator = try #require(context.persistentStoreCoordinator)
    try coordinator.addPersistentStore(
      ofType: kind.storeType,
      configurationName: "Tools",
      at: tools.place
    )
    let (plant, tool) = (context.make("Plant", ["name": "p"]), context.make("Tool", ["name": "t"]))
    try context.save()
    #expect(try context.all("Plant").map { $0.names("tools") } == [[]])
    #expect(try context.all("Tool").map { $0.names("plants") } == [[]])
    plant.setValue(tool, forKey: "first")
    let error = #expect(throws: NSError.self) { try context.save() }
    #expect(error?.localizedDescription.contains("leads to an object of another store") == true)
    context.rollback()
    // A store that contains both configurations can be opened with either.
    try coordinator.remove(#require(coordinator.persistentStores.last))
    let all = try plants.open(model)
    let found = try #require(try all.all("Plant").first)
    let other = all.make("Tool", ["name": "u"])
    found.setValue(other, forKey: "first")
    found.setValue(NSSet(object: other), forKey: "tools")
    try all.save()
    let some = try plants.open(model, "Tools")
    #expect(try some.texts("Tool") == ["u"])
  }

  @Test(
    "a store with only a subentity answers fetches of its superentity",
    arguments: StoreKind.allCases.filter { !$0.isChild && $0 != .incremental }
  )
  func separated(_ kind: StoreKind) throws {
    _ = StoreKind.registersOwnStores
    let model = try VersionedStore.model(
      "<entity name=\"Person\">\(Self.name)</entity><entity name=\"Employee\" parentEntity=\"Person\"/>"
        + Self.configuration("People", "Person") + Self.configuration("Staff", "Employee")
    )
    let folder = try TemporaryFolder()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    let places = ["People", "Staff"].map { name in
      kind.isPostgreSQL || kind == .inMemory ? kind.place(in: folder.url) : folder.file(name)
    }
    for (name, place) in zip(["People", "Staff"], places) {
      try coordinator.addPersistentStore(ofType: kind.storeType, configurationName: name, at: place)
    }
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.make("Person", ["name": "a"])
    context.make("Employee", ["name": "b"])
    try context.save()
    let people = try context.all("Person")
    #expect(people.map { $0.text() } == ["a", "b"])
    #expect(people.map { $0.objectID.persistentStore?.configurationName } == ["People", "Staff"])
    #expect(try context.count(for: NSFetchRequest<NSManagedObject>(entityName: "Person")) == 2)
    let alone = NSFetchRequest<NSManagedObject>(entityName: "Person")
    alone.includesSubentities = false
    #expect(try context.count(for: alone) == 1)
    for store in coordinator.persistentStores { try coordinator.remove(store) }
    if kind.isPostgreSQL {
      for place in places.compactMap(\.self) {
        try coordinator.destroyPersistentStore(at: place, ofType: kind.storeType)
      }
    }
  }

  @Test(
    "a store of a model with fewer entities opens if versions are ignored",
    arguments: StoreKind.migrating
  )
  func ignored(_ kind: StoreKind) throws {
    let store = try ConfiguredStore(kind)
    try Self.fillGarden(store.open(Self.model(), "Plants"))
    let newer = try Self.model(
      "<entity name=\"Tool\">\(Self.name)</entity><entity name=\"Box\">\(Self.name)</entity>",
      Self.configuration("Tools", "Tool", "Box")
    )
    let options = [NSIgnorePersistentStoreVersioningOption: true]
    try expectGarden(store.open(newer, "Plants", options: options))
  }
}
