import CoreData

/// What lies in a depot.
struct Depot: Sendable {
  private let container = NSPersistentContainer(name: "Depot")

  /// Opens the store of a file or on a server, and makes it where it is missing.
  init(_ place: URL) throws {
    let store = NSPersistentStoreDescription(url: place)
    if !place.isFileURL { store.type = NSPostgreSQLStoreType }
    container.persistentStoreDescriptions = [store]
    var failure: (any Error)?
    container.loadPersistentStores { _, error in failure = error }
    if let failure { throw failure }
  }

  /// Adds what was delivered of a product, and begins again if another program has changed it meanwhile.
  func deliver(_ count: Int64, of name: String) async throws {
    for attempt in 1...5 {
      do {
        return try await add(count, of: name)
      } catch let error as CocoaError where error.code == .managedObjectMerge && attempt < 5 {}
    }
  }

  private func add(_ count: Int64, of name: String) async throws {
    try await container.performBackgroundTask { context in
      let request = NSFetchRequest<Product>(entityName: "Product")
      request.predicate = NSPredicate(format: "name == %@", argumentArray: [name])
      let product = try context.fetch(request).first ?? Product(context: context)
      product.name = name
      product.stock += count
      try context.save()
    }
  }

  /// A line for each product, by their names.
  func lines() async throws -> [String] {
    try await container.performBackgroundTask { context in
      let request = NSFetchRequest<Product>(entityName: "Product")
      request.sortDescriptors = [NSSortDescriptor(key: "name", ascending: true)]
      return try context.fetch(request).map { "\($0.name): \($0.stock)" }
    }
  }
}
