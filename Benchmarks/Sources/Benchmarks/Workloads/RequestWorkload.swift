import CoreData
import GRDB
import Samples

/// The work of a server for each request: a new context, one object or a few, and one save.
enum RequestWorkload {
  private static let requests = 5000

  static func make(_ files: SampleFiles) -> Workload {
    func pool() throws -> DatabasePool { try DatabasePool(path: files.make(rows: 0).path) }
    return Workload(
      title: "insert one object in a transaction, \(requests) times",
      contenders: [
        Contender("C API", prepare: { try RawSQLite(files.make(rows: 0).path) }) { raw in
          for row in 0..<requests { try raw.insert(1, from: row) }
        },
        Contender("GRDB struct, DatabasePool", prepare: pool) { pool in
          for row in 0..<requests {
            try pool.write { database in
              var sample = SampleStruct(number: row)
              try sample.insert(database)
            }
          }
        },
        Contender("GRDB Record, DatabasePool", prepare: pool) { pool in
          for row in 0..<requests { try pool.write { try SampleRecord(number: row).insert($0) } }
        },
        Contender("a context for each", [.times(3)], prepare: { try SampleStore(files.make(rows: 0)) }) {
          store in
          for row in 0..<requests { try save(row, in: store.context()) }
        },
        Contender(
          "one context for all",
          [.times(3)],
          prepare: { try SampleStore(files.make(rows: 0)).context() }
        ) { context in
          for row in 0..<requests { try save(row, in: context) }
        },
      ]
    )
  }

  private static func save(_ row: Int, in context: NSManagedObjectContext) throws {
    try context.performAndWait {
      Sample(context: context).fill(row)
      try context.save()
    }
  }
}
