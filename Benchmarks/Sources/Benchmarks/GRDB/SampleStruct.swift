import GRDB
import Samples

/// A plain struct that reads columns by index.
struct SampleStruct: GRDBSample {
  static let databaseTableName = "ZSAMPLE"

  var key: Int64?
  let entity: Int64
  var version: Int64
  var a0: Int64
  let a1, a2, a3, a4, a5, a6, a7, a8, a9: Int64

  init(number: Int) {
    key = nil
    entity = 1
    version = 1
    a0 = Sample.value(number, 0)
    a1 = Sample.value(number, 1)
    a2 = Sample.value(number, 2)
    a3 = Sample.value(number, 3)
    a4 = Sample.value(number, 4)
    a5 = Sample.value(number, 5)
    a6 = Sample.value(number, 6)
    a7 = Sample.value(number, 7)
    a8 = Sample.value(number, 8)
    a9 = Sample.value(number, 9)
  }

  init(row: Row) {
    key = row[0]
    entity = row[1]
    version = row[2]
    a0 = row[3]
    a1 = row[4]
    a2 = row[5]
    a3 = row[6]
    a4 = row[7]
    a5 = row[8]
    a6 = row[9]
    a7 = row[10]
    a8 = row[11]
    a9 = row[12]
  }

  func encode(to container: inout PersistenceContainer) {
    container["Z_PK"] = key
    container["Z_ENT"] = entity
    container["Z_OPT"] = version
    container["ZA0"] = a0
    container["ZA1"] = a1
    container["ZA2"] = a2
    container["ZA3"] = a3
    container["ZA4"] = a4
    container["ZA5"] = a5
    container["ZA6"] = a6
    container["ZA7"] = a7
    container["ZA8"] = a8
    container["ZA9"] = a9
  }

  mutating func didInsert(_ inserted: InsertionSuccess) { key = inserted.rowID }

  var sum: Int64 { a0 &+ a1 &+ a2 &+ a3 &+ a4 &+ a5 &+ a6 &+ a7 &+ a8 &+ a9 }

  mutating func write(first value: Int64, _ database: Database) throws {
    a0 = value
    version += 1
    try update(database, columns: ["ZA0", "Z_OPT"])
  }
}
