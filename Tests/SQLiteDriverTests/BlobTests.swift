import Foundation
import TestSupport
import Testing

@testable import SQLiteDriver

@Suite("Reading data of a row")
struct BlobTests {
  private let connection: SQLiteConnection
  private let body = Data((0..<200_000).map { UInt8(truncatingIfNeeded: $0 * 7) })

  init() throws {
    connection = try SQLiteConnection()
    try connection.write { database throws in
      try database.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, body BLOB)")
      try database.execute(sql: "INSERT INTO note VALUES (1, x'01'), (3, ?), (4, 4)", arguments: [body])
    }
  }

  private func blob(row: Int64) throws -> Data {
    try connection.read { database in
      try database.withBlob(table: "note", column: "body", row: row) { count, read in
        var data = Data(count: count)
        try data.withUnsafeMutableBytes { try read($0) }
        return data
      }
    }
  }

  @Test("the bytes of a row are those that were written")
  func bytes() throws {
    #expect(try blob(row: 1) == Data([1]))
    #expect(try blob(row: 3) == body)
  }

  @Test("a row that does not exist, and a value that is not data, are errors", arguments: [2, 4])
  func absent(_ row: Int64) throws {
    #expect(throws: DatabaseError.self) { try blob(row: row) }
    #expect(try blob(row: 3) == body)
  }
}
