import CoreData
import Foundation
import GRDB
import Samples

/// Rows without objects: as dictionaries, and as values that a closure receives for each row.
struct RowWorkloads {
  let files: SampleFiles
  let rows: Int

  func dictionaries() throws -> Workload {
    let url = try files.original(rows: rows)
    let raw = try RawSQLite(url.path)
    let expected = try raw.readAll()
    let store = try SampleStore(url)
    let request = NSFetchRequest<NSDictionary>(entityName: "Sample")
    request.resultType = .dictionaryResultType
    request.includesPendingChanges = false
    return Workload(
      title: "fetch \(rows) rows of 10 integers as dictionaries, and read all",
      contenders: [
        Contender("the same dictionaries by the C API") {
          let sum = Self.sum(try raw.readDictionaries())
          precondition(sum == expected)
        },
        Contender("C API, no dictionaries") { _ = try raw.readAll() },
        Contender("dictionaryResultType", [.times(1.15)]) {
          let sum = Self.sum(try store.context().fetch(request))
          precondition(sum == expected)
        },
      ]
    )
  }

  func values() throws -> Workload {
    let url = try files.original(rows: rows)
    let raw = try RawSQLite(url.path)
    let expected = try raw.readAll()
    let queue = try GRDBFile.queue(url.path)
    let store = try SampleStore(url)
    let request = NSFetchRequest<NSManagedObject>(entityName: "Sample")
    return Workload(
      title: "go over \(rows) rows of 10 integers without objects",
      contenders: [
        Contender("C API") { _ = try raw.readAll() },
        Contender("GRDB Row") {
          var sum: Int64 = 0
          try queue.read { database in
            let cursor = try Row.fetchCursor(database, sql: "SELECT * FROM ZSAMPLE")
            while let row = try cursor.next() {
              for column in 3..<13 { sum &+= row[column] as Int64 }
            }
          }
          precondition(sum == expected)
        },
        Contender("forEachSavedValues", [.times(1.5)]) {
          var sum: Int64 = 0
          try store.context().forEachSavedValues(of: request, attributes: Sample.keys) { row in
            for index in Sample.keys.indices { sum &+= row.int64(at: index) ?? 0 }
          }
          precondition(sum == expected)
        },
      ]
    )
  }

  private static func sum(_ rows: [NSDictionary]) -> Int64 {
    rows.reduce(0) { sum, row in
      Sample.keys.reduce(sum) { $0 &+ ((row[$1] as? NSNumber)?.int64Value ?? 0) }
    }
  }
}
