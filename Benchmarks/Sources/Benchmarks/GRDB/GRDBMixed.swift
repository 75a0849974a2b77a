import Foundation
import GRDB

/// A type with which GRDB reads an object of mixed types.
protocol GRDBMixed: FetchableRecord {
  var digest: Int64 { get }
}

/// A plain struct that reads columns by index.
struct MixedStruct: GRDBMixed {
  let key, version, number: Int64
  let rank: Int64?
  let ratio: Double
  let isDone: Bool
  let title, body: String
  let createdAt: Date
  let identifier: UUID
  let price: Decimal

  init(row: Row) {
    key = row[0]
    version = row[1]
    number = row[2]
    rank = row[3]
    ratio = row[4]
    isDone = row[5]
    title = row[6]
    body = row[7]
    createdAt = Date(timeIntervalSinceReferenceDate: row[8])
    identifier = row[9]
    price = row[10]
  }

  var digest: Int64 {
    MixedDigest.of(number, rank, ratio, isDone, title, body, createdAt, identifier, price)
  }
}

/// A struct that reads rows with the compiler's `Codable`.
struct MixedCodable: GRDBMixed, Decodable {
  let key, version, number: Int64
  let rank: Int64?
  let ratio: Double
  let isDone: Bool
  let title, body: String
  let createdAt: Date
  let identifier: UUID
  let price: Decimal

  private enum CodingKeys: String, CodingKey {
    case key = "Z_PK"
    case version = "Z_OPT"
    case number = "ZNUMBER"
    case rank = "ZRANK"
    case ratio = "ZRATIO"
    case isDone = "ZISDONE"
    case title = "ZTITLE"
    case body = "ZBODY"
    case createdAt = "ZCREATEDAT"
    case identifier = "ZIDENTIFIER"
    case price = "ZPRICE"
  }

  static func databaseDateDecodingStrategy(for column: String) -> DatabaseDateDecodingStrategy {
    .timeIntervalSinceReferenceDate
  }

  var digest: Int64 {
    MixedDigest.of(number, rank, ratio, isDone, title, body, createdAt, identifier, price)
  }
}

/// A subclass of GRDB's `Record`.
final class MixedRecord: Record, GRDBMixed {
  let values: MixedStruct

  required init(row: Row) throws {
    values = MixedStruct(row: row)
    try super.init(row: row)
  }

  override class var databaseTableName: String { "ZMIXED" }

  var digest: Int64 { values.digest }
}
