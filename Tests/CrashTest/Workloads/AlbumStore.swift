import CoreData
import Foundation

/// The store of an album, and the version of its model.
struct AlbumStore {
  private let context: NSManagedObjectContext
  /// Whether the store was migrated to the newer model.
  let isNewer: Bool

  /// - Parameter kind: a known kind of finding that the check of the store ignores.
  init(_ file: URL, type: String = NSSQLiteStoreType, ignoring kind: StoreFinding.Kind? = nil) throws {
    let model: NSManagedObjectModel
    if type == NSSQLiteStoreType {
      model = try NSManagedObjectModel(cachedIn: file)
      let findings = try SQLiteStoreCheck(store: file, model: nil).findings()
        .filter { $0.kind != kind && ($0.kind != .externalData || !$0.isRepairable) }
      if let finding = findings.first {
        throw CrashStore.Wrong(description: "\(finding.kind.rawValue): \(finding.problem)")
      }
    } else {
      model = Self.model()
    }
    isNewer = model.entitiesByName["Photo"]?.attributesByName["caption"] != nil
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
    try coordinator.addPersistentStore(ofType: type, configurationName: nil, at: file)
    context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
  }

  private static func model() -> NSManagedObjectModel {
    let photo = NSEntityDescription()
    photo.name = "Photo"
    let types: [(String, NSAttributeType)] = [
      ("image", .binaryDataAttributeType), ("number", .integer64AttributeType),
      ("title", .stringAttributeType),
    ]
    photo.properties = types.map { name, type in
      let attribute = NSAttributeDescription()
      (attribute.name, attribute.attributeType, attribute.isOptional) = (name, type, name != "number")
      attribute.allowsExternalBinaryDataStorage = name == "image"
      return attribute
    }
    photo.uniquenessConstraints = [["number"]]
    let model = NSManagedObjectModel()
    model.entities = [photo]
    return model
  }

  /// Closes the store.
  ///
  /// - Returns: the number of photos, each of which is intact.
  func photos() throws -> Int {
    let title = isNewer ? "caption" : "title"
    let photos = try context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Photo"))
    for photo in photos {
      let number = (photo.value(forKey: "number") as? Int64).map(Int.init) ?? -1
      let hasImage = AlbumFiles.hasImage(title: photo.value(forKey: title) as? String, number)
      guard let hasImage, photo.value(forKey: "image") as? Data == (hasImage ? AlbumFiles.image(number) : nil)
      else { throw CrashStore.Wrong(description: "photo \(number) is not whole") }
    }
    let numbers = Set(photos.compactMap { $0.value(forKey: "number") as? Int64 })
    guard numbers == Set(0..<Int64(photos.count)) else {
      throw CrashStore.Wrong(description: "\(numbers.count) different photos of \(photos.count) are there")
    }
    for store in context.persistentStoreCoordinator?.persistentStores ?? [] {
      try context.persistentStoreCoordinator?.remove(store)
    }
    return photos.count
  }
}
