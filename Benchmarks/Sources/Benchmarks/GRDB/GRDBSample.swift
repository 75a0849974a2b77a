import GRDB
import Samples

/// A form in which GRDB has the rows of ten integers.
protocol GRDBSample: FetchableRecord, MutablePersistableRecord {
  init(number: Int)
  var sum: Int64 { get }
  /// Changes the first integer, and writes it with the row's version.
  mutating func write(first value: Int64, _ database: Database) throws
}

/// The files of samples, as GRDB opens them.
enum GRDBFile {
  static func queue(_ path: String) throws -> DatabaseQueue {
    try DatabaseQueue(path: path, configuration: configuration)
  }

  /// Syncs as stores in WAL mode do, as the C API here does and `DatabasePool` of its own accord.
  private static var configuration: Configuration {
    var configuration = Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = NORMAL") }
    return configuration
  }
}
