import CoreData
import GRDB
import Samples

/// What a server does for each request: a context of its own, one object or a few, one save.
extension Benchmarks {
  private static let requests = 5000

  static func requests(_ files: SampleFiles) throws -> Workload {
    var workload = Workload(
      name: "insert one object in a transaction, \(requests) times",
      raw: try Stopwatch.best(prepare: { try RawSQLite(files.make(rows: 0).path) }) { raw in
        try raw.execute("PRAGMA synchronous = NORMAL")
        for row in 0..<requests { try raw.insert(1, from: row) }
      }
    )
    let record = try Stopwatch.best(prepare: { try DatabasePool(path: files.make(rows: 0).path) }) { pool in
      for row in 0..<requests { try pool.write { try SampleRecord(row: row).insert($0) } }
    }
    workload.entries.append(("GRDB Record, DatabasePool", record, nil))
    let contexts = try Stopwatch.best(prepare: { try SampleStore(files.make(rows: 0)) }) { store in
      for row in 0..<requests {
        let context = store.context()
        try context.performAndWait {
          Sample(context: context).fill(row)
          try context.save()
        }
      }
    }
    workload.entries.append(("a context for each", contexts, 3))
    let context = try Stopwatch.best(prepare: { try SampleStore(files.make(rows: 0)).context() }) { context in
      for row in 0..<requests {
        try context.performAndWait {
          Sample(context: context).fill(row)
          try context.save()
        }
      }
    }
    workload.entries.append(("one context for all", context, 3))
    return workload
  }
}
