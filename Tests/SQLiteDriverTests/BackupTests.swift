import TestSupport
import Testing

@testable import SQLiteDriver

@Suite("Backing a database up")
struct BackupTests {
  private struct Unwanted: Error {}

  private let source: SQLiteConnection
  private let target: SQLiteConnection

  init() throws {
    source = try SQLiteConnection()
    target = try SQLiteConnection()
    try source.write { database throws in
      try database.execute(sql: "CREATE TABLE note (body)")
      for _ in 0..<20 { try database.execute(sql: "INSERT INTO note VALUES (zeroblob(5000))") }
    }
    try target.write { try $0.execute(sql: "CREATE TABLE former (title)") }
  }

  private func backUp(pagesPerStep: Int32?, _ report: (Int) throws -> Void = { _ in }) throws {
    try source.use { source in
      try target.use { try source.backUp(to: $0, pagesPerStep: pagesPerStep, report) }
    }
  }

  @Test("a backup copies everything over the previous contents")
  func all() throws {
    try backUp(pagesPerStep: nil)
    try target.read { database throws in
      #expect(try Int.fetchOne(database, sql: "SELECT sum(length(body)) FROM note") == 100_000)
      #expect(try !database.tableExists("former"))
    }
  }

  @Test("a backup reports the pages after each step")
  func steps() throws {
    var reports: [Int] = []
    try backUp(pagesPerStep: 4) { reports.append($0) }
    #expect(reports.first == 4 && reports == reports.sorted() && reports.count > 5)
    #expect(try source.use { try Int.fetchOne($0, sql: "PRAGMA page_count") } == reports.last)
  }

  @Test("an error of the report cancels the backup")
  func takenBack() throws {
    #expect(throws: Unwanted.self) { try backUp(pagesPerStep: 4) { _ in throw Unwanted() } }
    #expect(try target.read { try $0.tableExists("former") && !$0.tableExists("note") })
  }

  @Test("a backup to a locked target is an error with its code")
  func locked() throws {
    let error = #expect(throws: DatabaseError.self) {
      try source.use { source in
        try target.use { database throws in
          try database.inTransaction { try source.backUp(to: database) }
        }
      }
    }
    #expect(error != nil)
    #expect(try target.read { try $0.tableExists("former") })
  }
}
