import CoreData
import Foundation
import Predicates
import TestSupport
import Testing

@testable import CoreData

/// Splits a note's name into words, makes an object from each word, and records which methods were called.
final class SplittingPolicy: NSEntityMigrationPolicy {
  override func begin(_ mapping: NSEntityMapping, with manager: NSMigrationManager) throws {
    log("begin", manager)
  }

  override func createDestinationInstances(
    forSource sInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    log("create \(manager.currentEntityMapping.name ?? "")", manager)
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let note = manager.destinationInstances(forEntityMappingName: mapping.name, sourceInstances: [sInstance])[
      0
    ]
    for word in (sInstance.text() ?? "").split(separator: " ") {
      let object = NSEntityDescription.insertNewObject(
        forEntityName: "Word",
        into: manager.destinationContext
      )
      object.setValue(String(word), forKey: "name")
      object.setValue(note, forKey: "note")
    }
  }

  override func endInstanceCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    log("instances", manager)
  }

  override func createRelationships(
    forDestination dInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    log("relate", manager)
    try super.createRelationships(forDestination: dInstance, in: mapping, manager: manager)
  }

  override func endRelationshipCreation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager)
    throws
  {
    log("relationships", manager)
  }

  override func performCustomValidation(forMapping mapping: NSEntityMapping, manager: NSMigrationManager)
    throws
  {
    log("validate", manager)
  }

  override func end(_ mapping: NSEntityMapping, manager: NSMigrationManager) throws {
    log("end", manager)
  }

  override func answer(_ selector: String, _ arguments: [Any?]) throws -> Any? {
    if selector == "loud:", let text = arguments.first as? String { return text.uppercased() }
    return try super.answer(selector, arguments)
  }

  private func log(_ line: String, _ manager: NSMigrationManager) {
    manager.userInfo = ["log": (manager.userInfo?["log"] as? [String] ?? []) + [line]]
  }
}

@Suite("A migration manager")
struct MigrationManagerTests {
  private static let name = #"<attribute name="name" attributeType="String" optional="YES"/>"#
  private static let old = """
    <entity name="Note" representedClassName="CoreDataTests.Note">\(name)\
    <relationship name="tags" toMany="YES" optional="YES" destinationEntity="Tag" inverseName="notes" inverseEntity="Tag"/>
    </entity><entity name="Tag">\(name)<relationship name="notes" toMany="YES" optional="YES" destinationEntity="Note" \
    inverseName="tags" inverseEntity="Note"/></entity>
    """
  private static let new = """
    <entity name="Note"><attribute name="title" attributeType="String" optional="YES"/>\
    <relationship name="labels" toMany="YES" optional="YES" destinationEntity="Label"/>
    <relationship name="words" toMany="YES" optional="YES" destinationEntity="Word" inverseName="note" \
    inverseEntity="Word"/></entity>
    <entity name="Word">\(name)<relationship name="note" maxCount="1" optional="YES" destinationEntity="Note" \
    inverseName="words" inverseEntity="Note"/></entity><entity name="Label">\(name)</entity>
    """

  private let store: VersionedStore
  private let models: (old: NSManagedObjectModel, new: NSManagedObjectModel)
  private var target: URL { store.folder.file("target.sqlite") }

  init() throws {
    store = try VersionedStore(Self.old) { context in
      let tag = context.make("Tag", ["name": "t"])
      let note = context.make("Note", ["name": "two words"])
      note.setValue(NSSet(object: tag), forKey: "tags")
      context.make("Note", ["name": "one"])
    }
    models = (try VersionedStore.model(Self.old), try VersionedStore.model(Self.new))
  }

  private func expression(_ format: String) throws -> Predicates.NSExpression {
    try NSExpression(parsing: format)
  }

  private func mapping(
    _ name: String,
    from source: String,
    to destination: String,
    _ attributes: [String: String],
    _ relationships: [String: String] = [:]
  ) throws -> NSEntityMapping {
    let mapping = NSEntityMapping()
    mapping.name = name
    mapping.mappingType = .customEntityMappingType
    mapping.sourceEntityName = source
    mapping.destinationEntityName = destination
    func properties(_ formats: [String: String]) throws -> [NSPropertyMapping] {
      try formats.map { name, format in
        let property = NSPropertyMapping()
        property.name = name
        property.valueExpression = try expression(format)
        return property
      }
    }
    mapping.attributeMappings = try properties(attributes)
    mapping.relationshipMappings = try properties(relationships)
    return mapping
  }

  private func mappingModel(
    title: String = "$source.name",
    policy: String? = "CoreDataTests.SplittingPolicy"
  ) throws -> NSMappingModel {
    let tags = try mapping("TagToLabel", from: "Tag", to: "Label", ["name": "$source.name"])
    tags.sourceExpression = try expression(
      #"FUNCTION($manager, "fetchRequestForSourceEntityNamed:predicateString:", "Tag", "name != nil")"#
    )
    let notes = try mapping(
      "NoteToNote",
      from: "Note",
      to: "Note",
      ["title": title],
      [
        "labels": """
        FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "TagToLabel", $source.tags)
        """
      ]
    )
    notes.entityMigrationPolicyClassName = policy
    let model = NSMappingModel()
    model.entityMappings = [notes, tags]
    return model
  }

  private func migrate(_ mapping: NSMappingModel, _ manager: NSMigrationManager? = nil) throws
    -> NSMigrationManager
  {
    let manager = manager ?? NSMigrationManager(sourceModel: models.old, destinationModel: models.new)
    try manager.migrateStore(from: store.file, type: .sqlite, mapping: mapping, to: target, type: .sqlite)
    return manager
  }

  private func open() throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: models.new)
    try coordinator.addPersistentStore(type: .sqlite, at: target)
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  @Test("a migration manager applies mappings with an application's policy in three passes")
  func policy() throws {
    let manager = try migrate(mappingModel())
    #expect(
      manager.userInfo?["log"] as? [String] == [
        "begin", "create NoteToNote", "create NoteToNote", "instances", "relate", "relate", "relationships",
        "validate", "end",
      ]
    )
    #expect(manager.migrationProgress == 1)
    let context = try open()
    #expect(try context.texts("Word") == ["one", "two", "words"])
    let notes = try context.all("Note", by: "title")
    #expect(notes.map { $0.text("title") } == ["one", "two words"])
    #expect(notes.map { $0.names("words") } == [["one"], ["two", "words"]])
    #expect(notes.map { $0.names("labels") } == [[], ["t"]])
  }

  @Test("a migration manager evaluates expressions with functions, and messages to the policy")
  func expressions() throws {
    _ = try migrate(mappingModel(title: #"FUNCTION($entityPolicy, "loud:", $source.name)"#))
    #expect(try open().texts("Note", "title") == ["ONE", "TWO WORDS"])
  }

  @Test("a migration manager uses NSManagedObject for all objects, whatever class the model names")
  func classes() throws {
    let manager = NSMigrationManager(sourceModel: models.old, destinationModel: models.new)
    #expect(manager.sourceModel.entitiesByName["Note"]?.managedObjectClassName == "NSManagedObject")
    #expect(models.old.entitiesByName["Note"]?.managedObjectClassName == "CoreDataTests.Note")
    let mapping = try #require(mappingModel().entityMappings.first)
    #expect(manager.sourceEntity(for: mapping)?.name == "Note")
    #expect(manager.destinationEntity(for: mapping)?.name == "Note")
  }

  @Test("a migration manager keeps the application's metadata, and gives the new store a new identity")
  func metadata() throws {
    var metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: store.file)
    metadata["app"] = "mine"
    try NSPersistentStoreCoordinator.setMetadata(
      metadata,
      forPersistentStoreOfType: NSSQLiteStoreType,
      at: store.file
    )
    _ = try migrate(mappingModel())
    let migrated = try NSPersistentStoreCoordinator.metadataForPersistentStore(type: .sqlite, at: target)
    #expect(migrated["app"] as? String == "mine")
    #expect(migrated[NSStoreUUIDKey] as? String != metadata[NSStoreUUIDKey] as? String)
    #expect(models.new.isConfiguration(withName: nil, compatibleWithStoreMetadata: migrated))
  }

  @Test("a canceled migration manager stops with the given error until it is reset")
  func cancelled() throws {
    struct Stop: Error {}
    let manager = NSMigrationManager(sourceModel: models.old, destinationModel: models.new)
    manager.cancelMigrationWithError(Stop())
    #expect(throws: Stop.self) { try migrate(mappingModel(), manager) }
    manager.reset()
    _ = try migrate(mappingModel(), manager)
    #expect(try open().texts("Word").count == 3)
  }

  @Test("a migration manager applies an inferred mapping inside the database, keeping keys and identity")
  func inferred() throws {
    let new = try VersionedStore.model(Self.old + #"<entity name="More"/>"#)
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: models.old, destinationModel: new)
    let manager = NSMigrationManager(sourceModel: models.old, destinationModel: new)
    _ = try migrate(mapping, manager)
    let titles: [String] = try store.folder.query("SELECT ZNAME FROM ZNOTE ORDER BY ZNAME", at: target)
    #expect(titles == ["one", "two words"])
    let identities = try [store.file, target].map { file -> [String] in
      try store.folder.query("SELECT Z_UUID FROM Z_METADATA", at: file)
    }
    #expect(identities[0] == identities[1])
  }

  @Test(
    "a migration manager names the wrong mapping and property",
    arguments: [
      ("$source.unknown", "title"), (#"FUNCTION($manager, "unknown:", 1)"#, "unknown:"),
      (#"FUNCTION($entityPolicy, "unknown:", 1)"#, "SplittingPolicy"),
      (
        #"FUNCTION($manager, "destinationInstancesForEntityMappingNamed:sourceInstances:", "X", nil)"#,
        "named X"
      ),
      ("$manager", "not a value of the attribute's type"),
    ]
  )
  func wrongExpression(format: String, words: String) throws {
    let mapping = try mappingModel(title: format)
    do {
      _ = try migrate(mapping)
      Issue.record("it was carried out")
    } catch {
      #expect((error as NSError).code == NSMigrationError)
      #expect(error.localizedDescription.contains("NoteToNote"))
      #expect(error.localizedDescription.contains("title"))
      #expect(error.localizedDescription.contains(words))
    }
  }

  @Test("a migration manager names the missing policy, and the store that cannot be opened")
  func missing() throws {
    let unknown = try mappingModel(policy: "Nowhere.Policy")
    #expect { try migrate(unknown) } throws: { error in
      (error as NSError).code == NSEntityMigrationPolicyError
        && error.localizedDescription.contains("Nowhere.Policy")
    }
    let mapping = try mappingModel()
    let manager = NSMigrationManager(sourceModel: models.new, destinationModel: models.new)
    #expect { try migrate(mapping, manager) } throws: { error in
      (error as NSError).code == NSMigrationManagerSourceStoreError
    }
  }
}
