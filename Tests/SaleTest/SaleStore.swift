import CoreData
import Foundation

/// The store in which all processes sell: a file, or a schema of a server.
struct SaleStore {
  static let productCount = 20
  static let firstStock = 50
  /// The author of the transaction that closes the sale.
  static let closingAuthor = "closing"

  let coordinator: NSPersistentStoreCoordinator

  init(_ place: URL) throws {
    coordinator = NSPersistentStoreCoordinator(managedObjectModel: SaleModel.model)
    try coordinator.addPersistentStore(
      ofType: Self.type(of: place),
      configurationName: nil,
      at: place,
      options: [
        NSPersistentHistoryTrackingKey: NSNumber(value: true),
        NSPersistentStoreRemoteChangeNotificationPostOptionKey: NSNumber(value: true),
      ]
    )
  }

  /// The store's location for an argument: a file or the URL of a server.
  static func place(_ argument: String) -> URL {
    if !argument.contains("://") { return URL(fileURLWithPath: argument) }
    guard let url = URL(string: argument) else { return URL(fileURLWithPath: argument) }
    return url
  }

  private static func type(of place: URL) -> String {
    #if PostgreSQL
      if !place.isFileURL { return NSPostgreSQLStoreType }
    #endif
    return NSSQLiteStoreType
  }

  /// A context whose saves throw conflicts as errors.
  func newContext(author: String) -> NSManagedObjectContext {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    context.transactionAuthor = author
    context.undoManager = nil
    return context
  }

  /// Makes the products.
  func makeProducts() throws {
    let context = newContext(author: "opening")
    try context.performAndWait {
      for number in 0..<Self.productCount {
        let product = NSEntityDescription.insertNewObject(forEntityName: "Product", into: context)
        product.setValue(Self.sku(number), forKey: "sku")
        product.setValue(Self.firstStock, forKey: "stock")
      }
      try context.save()
    }
  }

  static func sku(_ number: Int) -> String { "P-\(number)" }

  /// Saves the transaction that closes the sale for all readers of the history.
  func writeClosing() throws {
    let context = newContext(author: Self.closingAuthor)
    try context.performAndWait {
      _ = NSEntityDescription.insertNewObject(forEntityName: "Closing", into: context)
      try context.save()
    }
  }
}
