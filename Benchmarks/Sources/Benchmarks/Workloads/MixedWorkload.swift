import CoreData
import Foundation
import GRDB

/// Fetches objects of mixed types, and reads all of their values.
enum MixedWorkload {
  static func make(_ files: SampleFiles, count: Int) throws -> Workload {
    let url = try MixedStore.make(files, count: count)
    let raw = try RawSQLite(url.path)
    let expected = try raw.readMixed()
    let store = try MixedStore(url)
    let request = NSFetchRequest<Mixed>(entityName: "Mixed")
    return Workload(
      title: "fetch \(count) objects of mixed types, and read all",
      contenders: [
        Contender("C API") {
          let sum = try raw.readMixed()
          precondition(sum == expected)
        },
        try fetch(MixedStruct.self, "GRDB struct", url, expected),
        try fetch(MixedCodable.self, "GRDB Codable", url, expected),
        try fetch(MixedRecord.self, "GRDB Record", url, expected),
        Contender("managed objects", [.times(2), .under("GRDB struct")]) {
          let context = store.context()
          let sum = try context.fetch(request).reduce(0) { $0 &+ $1.digest }
          precondition(sum == expected)
        },
      ]
    )
  }

  private static func fetch<Form: GRDBMixed>(
    _ form: Form.Type,
    _ name: String,
    _ url: URL,
    _ expected: Int64
  ) throws -> Contender {
    let queue = try GRDBFile.queue(url.path)
    return Contender(name) {
      let sum = try queue.read { try Form.fetchAll($0, sql: MixedStore.query) }.reduce(0) { $0 &+ $1.digest }
      precondition(sum == expected)
    }
  }
}
