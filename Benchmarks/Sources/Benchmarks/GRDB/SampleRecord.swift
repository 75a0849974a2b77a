import GRDB
import Samples

/// A subclass of GRDB's `Record`, which tracks changes as a managed object does.
final class SampleRecord: Record, GRDBSample {
  var key: Int64?
  let entity: Int64
  var version: Int64
  var values: (Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64, Int64)

  init(number: Int) {
    entity = 1
    version = 1
    let value = { Sample.value(number, $0) }
    values = (
      value(0), value(1), value(2), value(3), value(4), value(5), value(6), value(7), value(8), value(9)
    )
    super.init()
  }

  required init(row: Row) throws {
    key = row[0]
    entity = row[1]
    version = row[2]
    values = (row[3], row[4], row[5], row[6], row[7], row[8], row[9], row[10], row[11], row[12])
    try super.init(row: row)
  }

  override class var databaseTableName: String { "ZSAMPLE" }

  override func encode(to container: inout PersistenceContainer) throws {
    container["Z_PK"] = key
    container["Z_ENT"] = entity
    container["Z_OPT"] = version
    container["ZA0"] = values.0
    container["ZA1"] = values.1
    container["ZA2"] = values.2
    container["ZA3"] = values.3
    container["ZA4"] = values.4
    container["ZA5"] = values.5
    container["ZA6"] = values.6
    container["ZA7"] = values.7
    container["ZA8"] = values.8
    container["ZA9"] = values.9
  }

  override func didInsert(_ inserted: InsertionSuccess) { key = inserted.rowID }

  var sum: Int64 {
    values.0 &+ values.1 &+ values.2 &+ values.3 &+ values.4 &+ values.5 &+ values.6 &+ values.7 &+ values.8
      &+ values.9
  }

  func write(first value: Int64, _ database: Database) throws {
    values.0 = value
    version += 1
    try updateChanges(database)
  }
}
