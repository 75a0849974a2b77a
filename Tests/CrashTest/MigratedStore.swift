import CoreData
import Foundation

/// A store whose process is killed during a lightweight migration. It must then have the old model or the new one, intact.
struct MigratedStore {
  let file: URL
  let options: [AnyHashable: Any]
  private let type: String

  init(_ file: URL, options: [AnyHashable: Any], type: String = NSSQLiteStoreType) {
    (self.file, self.options, self.type) = (file, options, type)
  }

  /// The new model: an entity and an attribute are renamed, a required attribute is added, an entity and a many-to-many
  /// relationship are removed.
  static func newer() -> NSManagedObjectModel {
    let model = CrashModel.make()
    let entities = model.entitiesByName
    guard let item = entities["Item"], let tag = entities["Tag"], let text = item.attributesByName["text"]
    else {
      return model
    }
    (text.name, text.renamingIdentifier) = ("body", "text")
    let rank = NSAttributeDescription()
    (rank.name, rank.attributeType, rank.defaultValue) = ("rank", .integer16AttributeType, 5)
    rank.isOptional = false
    item.properties = item.properties.filter { $0.name != "tags" } + [rank]
    (item.name, item.renamingIdentifier) = ("Line", "Item")
    model.entities = model.entities.filter { $0 !== tag }
    return model
  }

  private func open(
    _ model: NSManagedObjectModel,
    _ more: [AnyHashable: Any] = [:]
  ) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(
      ofType: type,
      configurationName: nil,
      at: file,
      options: options.merging(more) { $1 }
    )
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return context
  }

  private func close(_ context: NSManagedObjectContext) throws {
    for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
      try context.persistentStoreCoordinator?.remove(store)
    }
  }

  /// Creates the store with the old model.
  func make(itemCount: Int) throws {
    let context = try open(CrashModel.make())
    let tag = NSEntityDescription.insertNewObject(forEntityName: "Tag", into: context)
    let batch = NSEntityDescription.insertNewObject(forEntityName: "Batch", into: context)
    batch.setValue(Data(repeating: 7, count: 150_000), forKey: "data")
    for number in 0..<itemCount {
      let item = NSEntityDescription.insertNewObject(forEntityName: "Item", into: context)
      item.setValue(Int64(number), forKey: "value")
      item.setValue("item \(number)", forKey: "text")
      item.setValue(batch, forKey: "batch")
      item.setValue(Set([tag]), forKey: "tags")
    }
    try context.save()
    try close(context)
  }

  /// Opens the store with the new model, which migrates it. The migration removes an entity, and no resource of the program
  /// contains the old model.
  func migrate() throws {
    let automatic = [
      NSMigratePersistentStoresAutomaticallyOption: true, NSInferMappingModelAutomaticallyOption: true,
      NSPersistentStoreAllowsDowngradeOption: true,
    ]
    try close(try open(Self.newer(), automatic))
  }

  /// Checks that the store is intact, with the model that it has.
  ///
  /// - Returns: `old` or `new`.
  func verify(itemCount: Int) throws -> String {
    let metadata = try NSPersistentStoreCoordinator.metadataForPersistentStore(
      ofType: type,
      at: file,
      options: nil
    )
    let isNew = Self.newer().isConfiguration(withName: nil, compatibleWithStoreMetadata: metadata)
    let (model, name, text) = isNew ? (Self.newer(), "Line", "body") : (CrashModel.make(), "Item", "text")
    if type == NSSQLiteStoreType,
      let finding = try SQLiteStoreCheck(store: file, model: model).findings().first
    {
      throw CrashStore.Wrong(description: "\(finding.kind.rawValue): \(finding.problem)")
    }
    let context = try open(isNew ? Self.newer() : CrashModel.make())
    let items = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: name))
    let isWhole = items.allSatisfy { item in
      let number = item.value(forKey: "value") as? Int64 ?? -1
      return item.value(forKey: text) as? String == "item \(number)"
        && ((item.value(forKey: "batch") as? NSManagedObject)?.value(forKey: "data") as? Data)?.count
          == 150_000
        && (isNew
          ? item.value(forKey: "rank") as? Int == 5
          : (item.value(forKey: "tags") as? Set<NSManagedObject>)?.count == 1)
    }
    let numbers = Set(items.compactMap { $0.value(forKey: "value") as? Int64 })
    try close(context)
    guard isWhole, numbers == Set(0..<Int64(itemCount)) else {
      throw CrashStore.Wrong(description: "the store of the \(isNew ? "new" : "old") model is not whole")
    }
    return isNew ? "new" : "old"
  }
}
