import CoreData
import Foundation
import TestModels
import TestSupport
import Testing

// example: NSEntityMigrationPolicy.swift class NSEntityMigrationPolicy
final class LanguagePolicy: NSEntityMigrationPolicy {
  override func createDestinationInstances(
    forSource sInstance: NSManagedObject,
    in mapping: NSEntityMapping,
    manager: NSMigrationManager
  ) throws {
    try super.createDestinationInstances(forSource: sInstance, in: mapping, manager: manager)
    let new = manager.destinationInstances(
      forEntityMappingName: mapping.name,
      sourceInstances: [sInstance]
    )
    for note in new { note.setValue("en", forKey: "language") }
  }
}
// end

@Suite("Examples of migrations")
struct MigrationExamples {
  private let files: TestFolder
  private let oldModel = makeModel([makeEntity("Note", makeAttribute("title"))])
  private let model = makeModel([makeEntity("Note", makeAttribute("title"), makeAttribute("language"))])

  private var folder: URL { files.url }
  private var url: URL { folder.appendingPathComponent("Notes.sqlite") }

  /// Makes a store of the old model with one note.
  init() throws {
    files = try TestFolder()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: oldModel)
    let store = try coordinator.addPersistentStore(
      type: .sqlite,
      at: files.url.appendingPathComponent("Notes.sqlite")
    )
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
    note.setValue("Sow the peas", forKey: "title")
    try context.save()
    try coordinator.remove(store)
  }

  /// The languages of the notes in a store, read with the new model.
  private func languages(at url: URL) throws -> [String?] {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(type: .sqlite, at: url)
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = coordinator
    let notes = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Note"))
    return notes.map { $0.value(forKey: "language") as? String }
  }

  @Test("a store is migrated when it is opened")
  func lightweight() throws {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    // example: StoreOptions.swift let NSInferMappingModelAutomaticallyOption
    let options = [
      NSMigratePersistentStoresAutomaticallyOption: true,
      NSInferMappingModelAutomaticallyOption: true,
    ]
    let store = try coordinator.addPersistentStore(type: .sqlite, at: url, options: options)
    // end
    try coordinator.remove(store)
    #expect(try languages(at: url) == [nil])
  }

  @Test("a container migrates its stores by default")
  func descriptions() throws {
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    let show = Shown<String>()
    // example: NSPersistentStoreDescription.swift var shouldInferMappingModelAutomatically
    let description = NSPersistentStoreDescription(url: url)
    description.shouldInferMappingModelAutomatically = false
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { _, error in
      if let error { show("there is no mapping model for this: \(error.localizedDescription)") }
    }
    // end
    #expect(show.values.count == 1)
  }

  @Test("a mapping between two models is inferred")
  func inferred() throws {
    // example: NSMappingModel.swift class func inferredMappingModel
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: oldModel, destinationModel: model)
    for entity in mapping.entityMappings {
      print(entity.sourceEntityName ?? "nothing", "becomes", entity.destinationEntityName ?? "nothing")
    }
    // end
    #expect(mapping.entityMappings.map(\.destinationEntityName) == ["Note"])
  }

  @Test("a manager migrates a store into another file")
  func manager() throws {
    // example: NSMigrationManager.swift class NSMigrationManager
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: oldModel, destinationModel: model)
    let manager = NSMigrationManager(sourceModel: oldModel, destinationModel: model)
    let old = folder.appendingPathComponent("Notes.sqlite")
    let new = folder.appendingPathComponent("Notes 2.sqlite")
    try manager.migrateStore(from: old, type: .sqlite, mapping: mapping, to: new, type: .sqlite)
    // end
    #expect(try languages(at: new) == [nil])
  }

  @Test("a policy makes the objects of the new version")
  func policy() throws {
    // example: NSEntityMapping.swift var entityMigrationPolicyClassName
    let mapping = try NSMappingModel.inferredMappingModel(forSourceModel: oldModel, destinationModel: model)
    for entity in mapping.entityMappings where entity.destinationEntityName == "Note" {
      entity.mappingType = .customEntityMappingType
      entity.entityMigrationPolicyClassName = NSStringFromClass(LanguagePolicy.self)
    }
    let manager = NSMigrationManager(sourceModel: oldModel, destinationModel: model)
    manager.usesStoreSpecificMigrationManager = false  // which has no policies
    // end
    let new = folder.appendingPathComponent("Notes 2.sqlite")
    try manager.migrateStore(from: url, type: .sqlite, mapping: mapping, to: new, type: .sqlite)
    #expect(try languages(at: new) == ["en"])
  }

  @Test("a stage has work of the application's own")
  func staged() throws {
    // example: NSStagedMigrationManager.swift class NSStagedMigrationManager
    let checksum = oldModel.versionChecksum
    let v1 = NSManagedObjectModelReference(model: oldModel, versionChecksum: checksum)
    let v2 = NSManagedObjectModelReference(model: model, versionChecksum: model.versionChecksum)
    let stage = NSCustomMigrationStage(migratingFrom: v1, to: v2)
    stage.didMigrateHandler = { manager, _ in
      let context = manager.container?.newBackgroundContext()
      try context?.performAndWait {
        let request = NSBatchUpdateRequest(entityName: "Note")
        request.propertiesToUpdate = ["language": "en"]
        _ = try context?.execute(request)
      }
    }
    let stages = NSStagedMigrationManager([stage])
    let description = NSPersistentStoreDescription(url: url)
    description.setOption(stages, forKey: NSPersistentStoreStagedMigrationManagerOptionKey)
    // end
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: model)
    container.persistentStoreDescriptions = [description]
    container.loadPersistentStores { #expect($1 == nil) }
    for store in container.persistentStoreCoordinator.persistentStores {
      try container.persistentStoreCoordinator.remove(store)
    }
    #expect(try languages(at: url) == ["en"])
  }

  @Test("versions lead one to the next")
  func lightweightStage() throws {
    // example: NSStagedMigrationManager.swift class NSLightweightMigrationStage
    let stage = NSLightweightMigrationStage([oldModel.versionChecksum, model.versionChecksum])
    stage.label = "notes get a language"
    let stages = NSStagedMigrationManager([stage])
    // end
    #expect(stages.stages.count == 1 && stage.versionChecksums.count == 2)
  }

  @Test("a reference names a version of a model")
  func reference() {
    // example: NSManagedObjectModelReference.swift class NSManagedObjectModelReference
    let version = NSManagedObjectModelReference(model: oldModel, versionChecksum: oldModel.versionChecksum)
    print(version.resolvedModel.entitiesByName.keys)  // ["Note"]
    // end
    #expect(version.resolvedModel === oldModel)
  }
}
