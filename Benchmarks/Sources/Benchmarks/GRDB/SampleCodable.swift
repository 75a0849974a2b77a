import GRDB
import Samples

/// A struct that reads and writes rows with the compiler's `Codable`.
struct SampleCodable: GRDBSample, Codable {
  static let databaseTableName = "ZSAMPLE"

  var key: Int64?
  let entity: Int64
  var version: Int64
  var a0: Int64
  let a1, a2, a3, a4, a5, a6, a7, a8, a9: Int64

  private enum CodingKeys: String, CodingKey {
    case key = "Z_PK"
    case entity = "Z_ENT"
    case version = "Z_OPT"
    case a0 = "ZA0"
    case a1 = "ZA1"
    case a2 = "ZA2"
    case a3 = "ZA3"
    case a4 = "ZA4"
    case a5 = "ZA5"
    case a6 = "ZA6"
    case a7 = "ZA7"
    case a8 = "ZA8"
    case a9 = "ZA9"
  }

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

  mutating func didInsert(_ inserted: InsertionSuccess) { key = inserted.rowID }

  var sum: Int64 { a0 &+ a1 &+ a2 &+ a3 &+ a4 &+ a5 &+ a6 &+ a7 &+ a8 &+ a9 }

  mutating func write(first value: Int64, _ database: Database) throws {
    a0 = value
    version += 1
    try update(database, columns: ["ZA0", "Z_OPT"])
  }
}
