#if PostgreSQL
  import CoreData
  import PostgreSQLDriver
  import Synchronization

  /// Gives out keys, in blocks that a short transaction of its own takes from the row of the root
  /// entity in `perennial_keys`: inside a save, that row would make all writers wait for each other.
  /// Keys of a block that a process does not use are never used.
  final class PostgreSQLKeys: Sendable {
    private struct Block {
      var next: Int64 = 1
      var last: Int64 = 0
      /// The number of keys that are taken next time.
      var size: Int64 = firstSize

      var count: Int64 { last - next + 1 }
    }

    private static let firstSize: Int64 = 100
    private static let largestSize: Int64 = 10_000

    private let blocks = Mutex<[Int64: Block]>([:])

    /// Reserves consecutive keys.
    ///
    /// - Parameters:
    ///   - root: the root entity.
    ///   - connections: the connections that reserve a new block, outside of any transaction.
    /// - Returns: the first of them.
    func reserve(_ count: Int, of root: SQLEntity, from connections: PostgreSQLConnections) throws -> Int64 {
      while true {
        let (key, wanted): (Int64?, Int64) = blocks.withLock { blocks in
          var block = blocks[root.number] ?? Block()
          defer { blocks[root.number] = block }
          guard block.count >= count else { return (nil, max(Int64(count), block.size)) }
          defer { block.next += Int64(count) }
          return (block.next, 0)
        }
        if let key { return key }
        let last = try connections.runAlone(
          SQLStatement(
            sql: """
              UPDATE \(connections.name(of: PostgreSQLSystemTables.keys)) SET last = last + $1 \
              WHERE z_ent = $2 RETURNING last
              """,
            bindings: [.integer(wanted), .integer(root.number)]
          )
        )
        .firstInteger
        guard let last else {
          throw StoreFailure.error(
            NSPersistentStoreIncompatibleSchemaError,
            message: """
              perennial_keys has no row of \(root.entity.name ?? ""), the entity with the number \(root.number); \
              another program has changed the store.
              """
          )
        }
        blocks.withLock { blocks in
          var block = blocks[root.number] ?? Block()
          // Another thread may have reserved a block in the meantime. The larger rest is kept.
          if block.count < wanted { (block.next, block.last) = (last - wanted + 1, last) }
          block.size = min(2 * block.size, Self.largestSize)
          blocks[root.number] = block
        }
      }
    }
  }

  extension PostgreSQLResult {
    /// The whole number in the first column of the first row.
    fileprivate var firstInteger: Int64? { rowCount > 0 ? integer(0, column: 0) : nil }
  }
#endif
