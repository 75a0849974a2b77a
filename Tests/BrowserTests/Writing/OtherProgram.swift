import CoreData
import Foundation
import SQLiteDriver
import Testing

/// A transaction that writes a store on a connection outside of the store, as another program makes it.
final class OtherProgram: Sendable {
  private let connection: SQLiteConnection

  /// Begins the transaction, which has the write lock of the store.
  init(writing store: BrowsedStore) throws {
    let url = try #require(store.coordinator.persistentStores.first?.url)
    var configuration = SQLiteConfiguration()
    configuration.allowsUnsafeTransactions = true
    connection = try SQLiteConnection(path: url.path, configuration: configuration)
    try execute("BEGIN IMMEDIATE")
  }

  /// Ends the transaction, which writes nothing.
  func end() throws { try execute("ROLLBACK") }

  func execute(_ sql: String) throws { try connection.use { try $0.execute(sql: sql) } }
}
