import CoreData
import Foundation
import SQLiteDriver
import TestSupport
import Testing

@testable import CoreData

@Suite("The number of rows of a large table")
struct CountsTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore
  private let recorder: StatementRecorder
  private let rowCount = 60_000

  init() throws {
    folder = try TemporaryFolder()
    recorder = StatementRecorder(folder.url)
    store = try SQLiteStore.open(folder)
    try add(rowCount, from: 1)
  }

  /// Commits notes on another connection.
  private func add(_ count: Int, from first: Int) throws {
    try folder.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT \(first) UNION ALL SELECT i + 1 FROM n WHERE i < \(first + count - 1))
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZRATING)
      SELECT i, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'), 1,
        CASE i % 3 WHEN 0 THEN 'caf' || char(0xE9) WHEN 1 THEN 'cafe' || char(0x301) END, i % 7
      FROM n
      """
    )
  }

  private func count(_ format: String? = nil, _ arguments: [Any] = [], limit: Int = 0) throws -> Int {
    var query = FetchQuery(entity: try TestRows.entity("Note"))
    query.predicate = try format.map { try NSPredicate(parsing: $0, arguments: arguments) }
    query.limit = limit
    return try store.count(query)
  }

  /// The count, and the number of statements that it took.
  private func counted(_ format: String? = nil, limit: Int = 0) throws -> [Int] {
    var number = 0
    let statements = try recorder.sql { number = try count(format, limit: limit) }
    return [number, statements.count]
  }

  @Test("a large table is counted once until a commit")
  func once() throws {
    #expect(try counted("rating < 3") == [25_715, 1])
    #expect(try counted("rating < 3") == [25_715, 0])
    try add(1, from: rowCount + 1)
    #expect(try counted("rating < 3") == [25_715, 1])
    try add(7, from: rowCount + 2)
    #expect(try counted("rating < 3") == [25_718, 1])
    #expect(try counted("rating < 3") == [25_718, 0])
  }

  @Test("a large table is counted again after a save of the same store")
  func ownSave() throws {
    #expect(try count("rating < 3") == 25_715)
    try store.engine().connections.write { database in
      try database.execute(sql: "DELETE FROM ZNOTE WHERE ZRATING = 1 AND Z_PK < 70")
    }
    #expect(try count("rating < 3") == 25_705)
  }

  @Test("a cached count belongs to a statement with its exact values")
  func statements() throws {
    for _ in 0..<2 {
      #expect(try count("rating == %@", [1]) == 8_572)
      #expect(try count("rating == %@", [6]) == 8_571)
      #expect(try count("title == %@", ["caf\u{E9}"]) == 20_000)
      #expect(try count("title == %@", ["cafe\u{301}"]) == 20_000)
    }
    try folder.execute("DELETE FROM ZNOTE WHERE Z_PK = 3")
    for _ in 0..<2 {
      #expect(try count("title == %@", ["caf\u{E9}"]) == 19_999)
      #expect(try count("title == %@", ["cafe\u{301}"]) == 20_000)
    }
  }

  @Test("a cheap count is not cached")
  func small() throws {
    let most = SQLiteCounts.leastEffort
    for _ in 0..<2 {
      #expect(try counted() == [rowCount, 1])
      #expect(try counted("rating < 3", limit: 10) == [10, 1])
    }
    try add(most - rowCount, from: rowCount + 1)
    #expect(try counted() == [most, 1])
    #expect(try counted() == [most, 0])
  }
}
