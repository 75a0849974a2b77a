import CoreData
import Foundation
import SQLiteDriver
import TestSupport
import Testing

@testable import CoreData

@Suite("A page for which SQLite scans a large table")
struct TableScanTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore
  private let engine: SQLiteStore.Engine

  /// Notes whose keys lie so far apart that the table is treated as a large one. Many of their values are equal,
  /// and some are missing.
  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteStore.open(folder)
    engine = try store.engine()
    try folder.execute(
      """
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZTITLE, ZRATING, ZRATIO, ZCREATEDAT, ZISPINNED)
      SELECT i * 97, (SELECT Z_ENT FROM Z_PRIMARYKEY WHERE Z_NAME = 'Note'), 1,
        CASE WHEN i % 6 THEN 'title ' || (i * 7 % 11) END, CASE WHEN i % 5 THEN i * 31 % 13 END,
        CASE WHEN i % 4 THEN i * 17 % 23 / 3.0 END, CASE WHEN i % 7 THEN i / 3.0 END, i % 2
      FROM n
      """
    )
  }

  /// A query for a page of notes.
  private func page(
    _ format: String? = nil,
    by attribute: String? = nil,
    isAscending: Bool = true,
    limit: Int = 20
  ) throws -> FetchQuery {
    var query = FetchQuery(entity: try TestRows.entity("Note"))
    query.predicate = try format.map { try NSPredicate(parsing: $0, arguments: []) }
    query.sortDescriptors = attribute.map { [NSSortDescriptor(key: $0, ascending: isAscending)] } ?? []
    query.span = KeySpan(isAscending: isAscending)
    query.limit = limit
    return query
  }

  private func scanned(_ query: FetchQuery) throws -> [FetchedRow]? {
    try SQLiteTableScan(query: query, reader: engine.reader(store.index), engine: engine)?.rows()
  }

  private static let attributes = ["title", "rating", "ratio", "createdAt", "isPinned"]
  private static let formats = [
    nil, "title ENDSWITH '3'", "rating > 4", "title CONTAINS '1' OR rating == NULL", "rating == 99",
    "title BEGINSWITH 'title 1' AND ratio != NULL", "title LIKE[c] '*TITLE 1?'",
  ]

  @Test("a scanned page has the rows of a single statement", arguments: [1, 2, 3, 4] as [UInt64])
  func agreement(_ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    for _ in 0..<150 {
      let attribute =
        Int.random(in: 0..<3, using: &random) == 0 ? nil : Self.attributes.randomElement(using: &random)
      var format = Self.formats.randomElement(using: &random) ?? nil
      if attribute == nil, format == nil { format = "isPinned == YES" }
      var query = try page(format, by: attribute, isAscending: .random(using: &random))
      query.limit = .random(in: 1...60, using: &random)
      query.offset = Bool.random(using: &random) ? 0 : .random(in: 1...40, using: &random)
      query.includesRows = .random(using: &random)
      if Bool.random(using: &random) {
        let key = Int64.random(in: 1..<60_000, using: &random)
        if query.span?.isAscending == true {
          query.span?.lower = key
        } else {
          query.span?.upper = 200_000 - key
        }
        if let attribute, Bool.random(using: &random) {
          query.beyond = try NSPredicate(parsing: "%K != NULL", arguments: [attribute])
        }
      }
      let expected = try store.fetch(query, from: engine.newest)
      let found = try #require(try scanned(query), "\(query)")
      #expect(found.map(\.key) == expected.map(\.key), "\(query)")
      #expect(found.map { $0.row == nil } == expected.map { $0.row == nil })
    }
  }

  @Test("a scanned page has the values of its rows")
  func values() throws {
    let rows = try #require(try scanned(page("rating > 4", by: "title", isAscending: false, limit: 5)))
    let title = try TestRows.slot("title", TestRows.entity("Note").layout)
    let titles = rows.map { row -> String? in
      guard case .text(let text)? = row.row?.value(title) else { return nil }
      return text
    }
    #expect(titles == Array(repeating: "title 9", count: 5))
  }

  @Test("one statement fetches a page if an index helps, the table is small or any row fits")
  func oneStatement() throws {
    #expect(try scanned(page()) == nil)
    #expect(try scanned(page("rating > 4", limit: 0)) == nil)
    #expect(try scanned(page("rating > 4", limit: 100_000)) == nil)
    #expect(try scanned(page("rating > 4")) != nil)
    #expect(try scanned(page(by: "rating")) != nil)
    var withoutSpan = try page("rating > 4")
    withoutSpan.span = nil
    #expect(try scanned(withoutSpan) == nil)
    var narrow = try page("rating > 4")
    narrow.span?.lower = 194_000 - SQLiteTableScan.fewestKeys + 1
    #expect(try scanned(narrow) == nil)
    try folder.execute("CREATE INDEX Z_Note_byRating ON ZNOTE (ZRATING COLLATE BINARY ASC)")
    #expect(try scanned(page(by: "rating")) == nil)
    try folder.execute("DELETE FROM ZNOTE WHERE Z_PK > 97")
    #expect(try scanned(page(by: "ratio")) == nil)
    try folder.execute("DELETE FROM ZNOTE")
    #expect(try scanned(page(by: "ratio")) == nil)
  }

  @Test(
    "a page is found by the keys of slices, from the last slice in a descending order, and then by its own keys"
  )
  func statements() throws {
    let recorder = StatementRecorder(folder.url)
    let recorded = try SQLiteStore.open(folder)
    let query = try page("isPinned == YES", by: "rating", isAscending: false)
    let statements = try recorder.sql { _ = try recorded.fetch(query) }
    let slices = statements.filter {
      $0 == "SELECT t0.Z_PK, t0.ZRATING FROM (SELECT t0.Z_PK, t0.ZRATING FROM ZNOTE t0 "
        + "WHERE (t0.ZRATING < ?) IS NOT TRUE AND (t0.Z_PK BETWEEN ? AND ? AND t0.ZISPINNED = ?) "
        + "ORDER BY t0.Z_PK DESC LIMIT -1) t0 "
        + "ORDER BY t0.ZRATING DESC, t0.Z_PK DESC LIMIT ?"
    }
    #expect(slices.count == 16, "\(statements)")
    let last = try #require(statements.last)
    #expect(last.contains(" FROM ZNOTE t0 WHERE t0.Z_PK IN ("))
    #expect(last.hasSuffix(") ORDER BY t0.ZRATING DESC, t0.Z_PK DESC LIMIT ?"))
    let texts = try recorder.sql { _ = try recorded.fetch(page(by: "title", isAscending: false)) }
    #expect(
      texts.contains(
        "SELECT t0.Z_PK FROM ZNOTE t0 WHERE t0.Z_PK BETWEEN ? AND ? "
          + "ORDER BY t0.ZTITLE DESC, t0.Z_PK DESC LIMIT ?"
      )
    )
    let ascending = try recorder.sql { _ = try recorded.fetch(page(by: "rating")) }
    #expect(
      ascending.contains(
        "SELECT t0.Z_PK, t0.ZRATING FROM ZNOTE t0 WHERE (t0.ZRATING > ?) IS NOT TRUE "
          + "AND t0.Z_PK BETWEEN ? AND ? ORDER BY t0.ZRATING, t0.Z_PK LIMIT ?"
      )
    )
  }

  @Test("later slices leave out rows beyond those already found", arguments: [true, false])
  func bound(isAscending: Bool) throws {
    let recorder = StatementRecorder(folder.url)
    let recorded = try SQLiteStore.open(folder)
    // Keys and dates have the same order.
    let query = try page("isPinned == YES", by: "createdAt", isAscending: isAscending)
    let statements = try recorder.rowStatements { _ = try recorded.fetch(query) }
    let slices = statements.map(\.bindings).filter { $0.count == 5 }.sorted { one, other in
      guard case .integer(let one) = one[1], case .integer(let other) = other[1] else { return false }
      return (one < other) == isAscending
    }
    #expect(slices.count == 16, "\(statements)")
    #expect(slices.first?.first == .real(isAscending ? .infinity : -.infinity))
    guard case .real(let last)? = slices.last?.first else {
      Issue.record("\(slices)")
      return
    }
    // The other connection may still read the first slice, so the second slice must be done.
    let latest = 2000 / 3.0
    #expect(isAscending ? last < latest / 16 * 2 : last > latest / 16 * 14)
  }

  @Test("an integer without an exact floating-point number is bounded by the next number")
  func largeIntegers() throws {
    let reader = engine.reader(store.index)
    for isAscending in [true, false] {
      let query = try page(by: "rating", isAscending: isAscending)
      let fetch = try SQLFetch(query, schema: reader.schema, store: reader.store, dialect: reader.dialect)
      let slice = try fetch.slice()
      #expect(slice.number(1 << 53) == 0x1p53)
      #expect(slice.number(1 << 53 + 1) == (isAscending ? 0x1.0000000000001p53 : 0x1.fffffffffffffp52))
      #expect(slice.number(.max) == (isAscending ? 0x1p63.nextUp : 0x1p63.nextDown))
      #expect(slice.first(1, other: 2) == (isAscending ? 1 : 2))
    }
  }

  // MARK: - Two connections

  private static let slices = (0..<4).map { slice in
    SQLiteSlice(
      SQLStatement(
        sql: "SELECT Z_PK FROM ZNOTE WHERE Z_PK / 50000 = ? ORDER BY Z_PK LIMIT 3",
        bindings: [.integer(slice)]
      )
    )
  }

  /// Calls a closure with an object that scans on another of the store's connections.
  private func withHelper(_ work: (SQLiteScanHelper) throws -> Void) throws {
    let readers = try #require(engine.connections.readers)
    try readers.with { connection in
      let helper = try SQLiteScanHelper(connection)
      try work(try #require(helper))
    }
  }

  @Test("a second connection scans at the same state")
  func sameState() throws {
    try withHelper { helper in
      let scan = SQLiteScan(Self.slices, needed: 3, isByKey: false)
      helper.takePart(in: scan)
      let keys = try scan.keys()
      #expect(keys.count == 12)
    }
  }

  @Test("a second connection does not scan if others have committed since the first one began")
  func otherState() throws {
    try withHelper { helper in
      try folder.execute("UPDATE ZNOTE SET ZRATING = 1 WHERE Z_PK = 97")
      let scan = SQLiteScan(Self.slices, needed: 3, isByKey: false)
      helper.takePart(in: scan)
      let keys = try scan.keys()
      #expect(keys.isEmpty)
    }
  }

  @Test("a scan waits for a second connection that has begun, and for no other")
  func finishing() throws {
    for _ in 0..<50 {
      try withHelper { helper in
        let scan = SQLiteScan(Self.slices, needed: 3, isByKey: false)
        helper.begin(scan)
        try engine.connections.read { scan.run(on: $0) }
        helper.finish()
        let keys = try scan.keys()
        #expect(keys.count == 12)
      }
    }
  }

  @Test("a scan needs no more slices if the first ones have enough rows")
  func enough() throws {
    let scan = SQLiteScan(Self.slices, needed: 5, isByKey: true)
    try engine.connections.read { scan.run(on: $0) }
    let keys = try scan.keys()
    #expect(keys.count == 6)
  }

  @Test("a failure ends the scan on both connections")
  func failure() throws {
    let wrong = SQLiteSlice(SQLStatement(sql: "SELECT nothing FROM ZNOTE"))
    let scan = SQLiteScan([wrong] + Self.slices, needed: 3, isByKey: false)
    try engine.connections.read { scan.run(on: $0) }
    try withHelper { $0.takePart(in: scan) }
    let error = #expect(throws: DatabaseError.self) { try scan.keys() }
    #expect(error?.message?.contains("nothing") == true)
  }

  @Test("a scan ends with the call that needs it")
  func cancelled() throws {
    let call = StoreCall(isBounded: true)
    call.cancel()
    let query = try page("rating > 4")
    #expect(throws: CancellationError.self) { try call.run { _ = try store.fetch(query) } }
  }

  @Test("one connection scans if no other one is free")
  func oneConnection() throws {
    let readers = SQLiteReaders(count: 1, timeout: 3600) { [engine] in try engine.connections.openReader() }
    try readers.with { _ in try readers.withAnother(wanted: true) { #expect($0 == nil) } }
    try readers.withAnother(wanted: true) { #expect($0 != nil) }
    try readers.withAnother(wanted: false) { #expect($0 == nil) }
    try readers.close()
  }
}
