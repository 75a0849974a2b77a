import GRDB
import Samples

/// A type with which GRDB reads and writes rows of ten integers.
protocol GRDBSample: FetchableRecord, MutablePersistableRecord {
  init(number: Int)
  var sum: Int64 { get }
  /// Changes the first integer, and writes it and the row's version.
  mutating func write(first value: Int64, _ database: Database) throws
}

/// Opens the files of samples with GRDB.
enum GRDBFile {
  static func queue(_ path: String) throws -> DatabaseQueue {
    try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Uses the synchronous mode of stores in WAL mode, which the C API also uses here and `DatabasePool` uses
  /// by default.
  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    return configuration
  }
}
