import Foundation
import SQLiteDriver

/// The changes of one transaction on their way into a history.
///
/// A statement writes many rows in half the time that it takes for one at a time. So changes are collected
/// until others of the same kind follow, which differ only in their numbers and in the keys of their objects.
struct SQLiteChangeRows {
  /// What changes that are written together have in common.
  struct Kind: Equatable {
    let type: NSPersistentHistoryChangeType
    /// The number of the objects' entity in the store.
    let entity: Int64
    /// The bits of the properties that an update has changed; `nil` for inserts and deletions.
    let columns: Data?
  }

  /// The numbers of changes that statements write.
  private static let rowsOfStatements = [64, 8, 1]

  private let transaction: Int64
  private let database: Database
  private var kind: Kind?
  private var waiting: [(number: Int64, key: Int64)] = []

  /// - Parameter transaction: the number of the transaction.
  init(of transaction: Int64, in database: Database) {
    self.transaction = transaction
    self.database = database
    waiting.reserveCapacity(Self.rowsOfStatements[0])
  }

  /// Adds a change of the object with a key.
  ///
  /// - Parameter number: the number of the change.
  mutating func add(_ number: Int64, of key: Int64, kind: Kind) throws {
    if kind != self.kind {
      try write()
      self.kind = kind
    }
    waiting.append((number, key))
    if waiting.count == Self.rowsOfStatements[0] { try write() }
  }

  /// Writes the changes that wait.
  mutating func write() throws {
    guard let kind else { return }
    defer { waiting.removeAll(keepingCapacity: true) }
    var written = 0
    for rows in Self.rowsOfStatements {
      while waiting.count - written >= rows {
        try write(waiting[written..<written + rows], table: kind)
        written += rows
      }
    }
  }

  private func write(_ changes: ArraySlice<(number: Int64, key: Int64)>, table kind: Kind) throws {
    let statement = SQLStatement(
      sql: Self.insertions[changes.count] ?? Self.insertion(of: changes.count),
      bindings: [
        .integer(Int64(kind.type.rawValue)), .integer(kind.entity), .integer(transaction),
        kind.columns.map(SQLValue.blob) ?? .null,
      ] + changes.flatMap { [.integer($0.number), .integer($0.key)] }
    )
    try SQLiteQuery(statement, in: database, isCached: true).run()
  }

  private static let insertions = Dictionary(
    uniqueKeysWithValues: rowsOfStatements.map { ($0, insertion(of: $0)) }
  )

  private static func insertion(of count: Int) -> String {
    let rows = (0..<count).map { row in
      "(?\(5 + 2 * row), \(SQLiteHistoryTables.changeNumber), ?1, ?2, ?\(6 + 2 * row), ?3, ?4)"
    }
    return """
      INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS) \
      VALUES \(rows.joined(separator: ", "))
      """
  }
}
