import CoreData

/// Makes the container that keeps users between launches.
enum UserStore {
  /// The store is in the given folder, or in the container's default one.
  static func makeContainer(folder: URL? = nil) async throws -> NSPersistentContainer {
    let modelURL =
      Bundle.module.url(forResource: "Users", withExtension: "momd")
      ?? Bundle.module.url(forResource: "Users", withExtension: "xcdatamodeld")
    guard let modelURL, let model = NSManagedObjectModel(contentsOf: modelURL) else {
      fatalError("Unable to Load Data Model")
    }

    let container = NSPersistentContainer(name: "Users", managedObjectModel: model)
    if let folder {
      let url = folder.appendingPathComponent("Users.sqlite")
      container.persistentStoreDescriptions = [NSPersistentStoreDescription(url: url)]
    }
    return try await withCheckedThrowingContinuation { continuation in
      container.loadPersistentStores { _, error in
        if let error {
          continuation.resume(throwing: error)
        } else {
          continuation.resume(returning: container)
        }
      }
    }
  }
}
