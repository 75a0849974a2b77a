#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  extension PostgreSQLStore {
    /// The metadata row is locked first, so that a transaction that waits for the lock reads the committed state: if
    /// several machines import the same seeds at once, one of them does the work. Saves do not wait.
    func exclusiveTransaction<Value>(_ body: (any StoreTransaction) throws -> Value) throws -> Value {
      try transaction { transaction in
        if let own = transaction as? PostgreSQLTransaction { try readMetadata(locking: own.connection) }
        return try body(transaction)
      }
    }

    private func readMetadata(locking connection: PostgreSQLConnection) throws {
      let row = try connection.run("SELECT uuid, properties FROM perennial_metadata FOR NO KEY UPDATE")
      guard row.rowCount > 0, let uuid = row.text(0, column: 0), let list = row.data(0, column: 1) else { return }
      let properties = try StoreMetadata.properties(list, in: PostgreSQLSystemTables.metadata, store: place)
      metadataState.wereRead(StoreMetadata(uuid: uuid, properties: properties))
    }
  }
#endif
