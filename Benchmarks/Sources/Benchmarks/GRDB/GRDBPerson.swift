import GRDB

/// A type with which GRDB reads a person.
protocol GRDBPerson: FetchableRecord, TableRecord {
  var age: Int64 { get }
}

/// A plain struct.
struct PersonStruct: GRDBPerson {
  static let databaseTableName = "ZPERSON"

  let key, version, age: Int64
  let name: String?

  init(row: Row) {
    key = row["Z_PK"]
    version = row["Z_OPT"]
    age = row["ZAGE"]
    name = row["ZNAME"]
  }
}

/// A struct that reads rows with the compiler's `Codable`.
struct PersonCodable: GRDBPerson, Decodable {
  static let databaseTableName = "ZPERSON"

  let key, version, age: Int64
  let name: String?

  private enum CodingKeys: String, CodingKey {
    case key = "Z_PK"
    case version = "Z_OPT"
    case age = "ZAGE"
    case name = "ZNAME"
  }
}

/// A subclass of GRDB's `Record`.
final class PersonRecord: Record, GRDBPerson {
  let key, version, age: Int64
  let name: String?

  required init(row: Row) throws {
    key = row["Z_PK"]
    version = row["Z_OPT"]
    age = row["ZAGE"]
    name = row["ZNAME"]
    try super.init(row: row)
  }

  override class var databaseTableName: String { "ZPERSON" }
}
