import Foundation
import TestSupport
import Testing

@testable import SQLiteDriver

@Suite("Opening a SQLite database")
struct OpeningTests {
  private let folder: TestFolder
  private var path: String { folder.url.appendingPathComponent("data.sqlite").path }

  init() throws { folder = try TestFolder() }

  private var readOnly: SQLiteConfiguration {
    var configuration = SQLiteConfiguration()
    configuration.readonly = true
    return configuration
  }

  @Test("a connection that may write makes the file")
  func makesFile() throws {
    let connection = try SQLiteConnection(path: path)
    try connection.write { try $0.execute(sql: "CREATE TABLE note (title)") }
    try connection.close()
    #expect(FileManager.default.fileExists(atPath: path))
  }

  @Test("a connection that may only read makes no file, and does not write")
  func readsOnly() throws {
    let missing = #expect(throws: DatabaseError.self) {
      try SQLiteConnection(path: path, configuration: readOnly)
    }
    #expect(missing?.resultCode == .SQLITE_CANTOPEN)
    #expect(!FileManager.default.fileExists(atPath: path))
    let writer = try SQLiteConnection(path: path)
    try writer.write { try $0.execute(sql: "CREATE TABLE note (title)") }
    let reader = try SQLiteConnection(path: path, configuration: readOnly)
    let refused = #expect(throws: DatabaseError.self) {
      try reader.use { try $0.execute(sql: "INSERT INTO note VALUES ('one')") }
    }
    #expect(refused?.resultCode == .SQLITE_READONLY)
    #expect(try reader.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM note") } == 0)
  }

  @Test("a file that is not a database is refused at once")
  func noDatabase() throws {
    try folder.write("data.sqlite", String(repeating: "no database ", count: 100))
    let error = #expect(throws: DatabaseError.self) { try SQLiteConnection(path: path) }
    #expect(error?.resultCode == .SQLITE_NOTADB)
  }

  @Test("a file URI may have parameters, and a path may contain a question mark")
  func addresses() throws {
    let connection = try SQLiteConnection(path: "file:/driver-\(UUID().uuidString)?vfs=memdb")
    try connection.write { try $0.execute(sql: "CREATE TABLE note (title)") }
    let marked = try SQLiteConnection(path: path + "?mode=memory")
    try marked.write { try $0.execute(sql: "CREATE TABLE note (title)") }
    #expect(FileManager.default.fileExists(atPath: path + "?mode=memory"))
  }

  @Test("preparations run in order, and close the connection if one throws")
  func preparations() throws {
    struct Unwanted: Error {}
    var configuration = SQLiteConfiguration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA user_version = 7") }
    configuration.prepareDatabase { database throws in
      if try Int.fetchOne(database, sql: "PRAGMA user_version") == 7 { throw Unwanted() }
    }
    #expect(throws: Unwanted.self) { try SQLiteConnection(path: path, configuration: configuration) }
    // The failed connection has left no lock on the file.
    let connection = try SQLiteConnection(path: path)
    try connection.use { try $0.execute(sql: "PRAGMA journal_mode = DELETE; BEGIN EXCLUSIVE; COMMIT") }
  }

  @Test("foreign keys are not enforced, and text in double quotes is a name")
  func settings() throws {
    try SQLiteConnection().use { database throws in
      #expect(try Int.fetchOne(database, sql: "PRAGMA foreign_keys") == 0)
      try database.execute(sql: "CREATE TABLE note (title)")
      let error = #expect(throws: DatabaseError.self) {
        try database.execute(sql: #"SELECT "missing" FROM note"#)
      }
      #expect(error?.message?.contains("missing") == true)
    }
  }
}
