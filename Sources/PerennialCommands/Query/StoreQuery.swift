import CoreData

/// A question that a command asks a store, and the forms of the answer.
protocol StoreQuery {
  func run(in coordinator: NSPersistentStoreCoordinator) throws -> ResultTable
  /// The number of rows that `run` has.
  func count(in coordinator: NSPersistentStoreCoordinator) throws -> Int
  /// The explanation of how the store finds the objects.
  func explanation(in coordinator: NSPersistentStoreCoordinator) throws -> String
}
