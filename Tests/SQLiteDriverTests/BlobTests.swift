import Foundation
import TestSupport
import Testing

@testable import SQLiteDriver

@Suite("Reading and writing data of a row")
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

  @Test("a damaged row that would be larger than the database is an error before memory is allocated for it")
  func damaged() throws {
    let folder = try TestFolder()
    let path = folder.url.appendingPathComponent("damaged.sqlite").path
    let file = try SQLiteConnection(path: path)
    try file.write { database throws in
      try database.execute(sql: "CREATE TABLE note (id INTEGER PRIMARY KEY, body BLOB)")
      try database.execute(sql: "INSERT INTO note VALUES (1, zeroblob(3000000))")
    }
    try file.close()
    /// A number as SQLite writes it into rows, in four bytes: <https://www.sqlite.org/fileformat2.html>.
    func varint(_ number: Int) -> Data {
      let shifts = [21, 14, 7, 0]
      return Data(
        shifts.map { (shift: Int) -> UInt8 in
          let low = UInt8(number >> shift & 0x7F)
          return shift > 0 ? low | 0x80 : low
        }
      )
    }
    // The row has a header of six bytes, and then the data. The header has the type of data, which contains its size.
    var bytes = try Data(contentsOf: URL(fileURLWithPath: path))
    for (old, new) in [(3_000_006, 130_000_006), (3_000_000 * 2 + 12, 130_000_000 * 2 + 12)] {
      let range = try #require(bytes.firstRange(of: varint(old)))
      bytes.replaceSubrange(range, with: varint(new))
    }
    try bytes.write(to: URL(fileURLWithPath: path))
    let damaged = try SQLiteConnection(path: path)
    #expect(throws: DatabaseError.self) {
      try damaged.read { database in
        try database.withBlob(table: "note", column: "body", row: 1) { count, _ in Issue.record("\(count) bytes") }
      }
    }
    try damaged.close()
  }

  @Test("a row that does not exist, and a value that is not data, are errors", arguments: [2, 4])
  func absent(_ row: Int64) throws {
    #expect(throws: DatabaseError.self) { try blob(row: row) }
    #expect(try blob(row: 3) == body)
  }

  @Test("the written bytes of a row replace those of the same number, until the transaction fails")
  func written() throws {
    func write(_ data: Data, row: Int64, thenFail fails: Bool = false) throws {
      try connection.write { database in
        try database.writeBlob(data, table: "note", column: "body", row: row)
        if fails { throw CancellationError() }
      }
    }
    let other = Data(body.map { $0 ^ 1 })
    #expect(throws: CancellationError.self) { try write(other, row: 3, thenFail: true) }
    #expect(try blob(row: 3) == body)
    try write(other, row: 3)
    #expect(try blob(row: 3) == other)
    for data in [Data(), other.dropLast(), other + [1]] {
      #expect(throws: DatabaseError.self) { try write(data, row: 3) }
    }
    for row: Int64 in [2, 4] {
      #expect(throws: DatabaseError.self) { try write(other, row: row) }
    }
    #expect(try blob(row: 1) == Data([1]))
    #expect(try blob(row: 3) == other)
  }
}
