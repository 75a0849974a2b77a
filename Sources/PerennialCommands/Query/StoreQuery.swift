import CoreData

/// What a command asks a store, and the forms of the answer.
protocol StoreQuery {
  func run(in coordinator: NSPersistentStoreCoordinator) throws -> ResultTable
  /// How many rows `run` has.
  func count(in coordinator: NSPersistentStoreCoordinator) throws -> Int
  /// How the store finds the objects.
  func explanation(in coordinator: NSPersistentStoreCoordinator) throws -> String
}
