import CoreData
import Foundation
import Samples

/// Batch requests, beside the one statement that does the same, and rows as dictionaries.
extension Benchmarks {
  static func dictionaries(_ url: URL) throws -> Workload {
    let raw = try RawSQLite(url.path)
    let expected = try raw.readAll()
    var workload = Workload(
      name: "fetch \(rows) rows of 10 integers as dictionaries, and read all",
      raw: try Stopwatch.best { _ = try raw.readAll() }
    )
    let store = try SampleStore(url)
    let request = NSFetchRequest<NSDictionary>(entityName: "Sample")
    request.resultType = .dictionaryResultType
    request.includesPendingChanges = false
    let dictionaries = try Stopwatch.best {
      let sum = try store.context().fetch(request).reduce(Int64(0)) { sum, row in
        Sample.keys.reduce(sum) { $0 &+ ((row[$1] as? NSNumber)?.int64Value ?? 0) }
      }
      precondition(sum == expected)
    }
    workload.entries.append(("dictionaries", dictionaries, 3))
    return workload
  }

  static func batchInsertion(_ files: SampleFiles) throws -> Workload {
    var workload = Workload(
      name: "batch insertion of \(changes) objects from a dictionary handler",
      raw: try Stopwatch.best(prepare: { try RawSQLite(files.make(rows: 0).path) }) { try $0.insert(changes) }
    )
    let batch = try Stopwatch.best(prepare: { try SampleStore(files.make(rows: 0)) }) { store in
      var row = 0
      let request = NSBatchInsertRequest(entity: Sample.entity()) { (values: NSMutableDictionary) in
        guard row < changes else { return true }
        for (column, key) in Sample.keys.enumerated() { values[key] = Sample.value(row, column) }
        row += 1
        return false
      }
      request.resultType = .count
      let result = try store.context().execute(request) as? NSBatchInsertResult
      precondition(result?.result as? Int == changes)
    }
    workload.entries.append(("NSBatchInsertRequest", batch, 1.5))
    return workload
  }

  static func batchUpdate(_ files: SampleFiles) throws -> Workload {
    var workload = Workload(
      name: "batch update of one attribute of \(changes) objects",
      raw: try Stopwatch.best(prepare: { try RawSQLite(files.make(rows: changes).path) }) {
        try $0.execute("UPDATE ZSAMPLE SET ZA0 = 7, Z_OPT = Z_OPT + 1 WHERE ZA1 >= 0")
      }
    )
    let batch = try Stopwatch.best(prepare: { try SampleStore(files.make(rows: changes)) }) { store in
      let request = NSBatchUpdateRequest(entityName: "Sample")
      request.predicate = NSPredicate(format: "a1 >= 0")
      request.propertiesToUpdate = ["a0": 7]
      request.resultType = .updatedObjectsCountResultType
      let result = try store.context().execute(request) as? NSBatchUpdateResult
      precondition(result?.result as? Int == changes)
    }
    workload.entries.append(("NSBatchUpdateRequest", batch, 1.1))
    return workload
  }

  static func batchDeletion(_ files: SampleFiles) throws -> Workload {
    var workload = Workload(
      name: "batch deletion of \(changes) objects",
      raw: try Stopwatch.best(prepare: { try RawSQLite(files.make(rows: changes).path) }) {
        try $0.execute("DELETE FROM ZSAMPLE WHERE ZA1 >= 0")
      }
    )
    let batch = try Stopwatch.best(prepare: { try SampleStore(files.make(rows: changes)) }) { store in
      let fetch = NSFetchRequest<NSFetchRequestResult>(entityName: "Sample")
      fetch.predicate = NSPredicate(format: "a1 >= 0")
      let request = NSBatchDeleteRequest(fetchRequest: fetch)
      request.resultType = .resultTypeCount
      let result = try store.context().execute(request) as? NSBatchDeleteResult
      precondition(result?.result as? Int == changes)
    }
    workload.entries.append(("NSBatchDeleteRequest", batch, 1.1))
    return workload
  }
}
