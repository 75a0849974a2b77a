import Foundation
import SQLiteDriver

/// Row counts that took a connection long to compute. Each is valid until another connection commits.
///
/// A program that pages through a large table, or shows its number of rows, asks for the same count
/// repeatedly, and SQLite scans the table each time.
struct SQLiteCounts {
  /// The number of rows and steps from which on a count is kept.
  static let leastEffort = 100_000
  /// The most numbers that are kept of a connection.
  private static let limit = 32
  private static let mostBytes = 4_096

  private var commit: UInt32?
  private var numbers: [[UInt8]: Int64] = [:]

  /// The number that a statement answers.
  ///
  /// - Parameter database: the connection. It must never write, because `data_version` does not change
  ///   with its own writes: <https://www.sqlite.org/pragma.html#pragma_data_version>.
  func number(of statement: SQLStatement, in database: Database) throws -> Int64? {
    guard !numbers.isEmpty, let key = statement.exactBytes(atMost: Self.mostBytes), let number = numbers[key]
    else { return nil }
    try database.hearOfCommits()
    return database.commitNumber == commit ? number : nil
  }

  /// Keeps a number that the connection has just counted, if it was an effort.
  mutating func keep(_ number: Int64, of statement: SQLStatement, effort: Int, in database: Database) {
    guard effort >= Self.leastEffort, let commit = database.commitNumber,
      let key = statement.exactBytes(atMost: Self.mostBytes)
    else { return }
    if self.commit != commit || numbers.count == Self.limit { numbers = [:] }
    self.commit = commit
    numbers[key] = number
  }
}

extension SQLStatement {
  /// The statement with its values as bytes, because texts that are equal in Swift may differ in SQLite.
  ///
  /// - Returns: `nil` for a longer one.
  fileprivate func exactBytes(atMost limit: Int) -> [UInt8]? {
    var bytes = Array(sql.utf8)
    func add(_ kind: UInt8, content: some Collection<UInt8>) {
      withUnsafeBytes(of: content.count) { bytes += $0 }
      bytes.append(kind)
      if bytes.count + content.count <= limit { bytes += content }
    }
    for value in bindings where bytes.count <= limit {
      switch value {
      case .null: add(0, content: [])
      case .integer(let value): withUnsafeBytes(of: value) { add(1, content: $0) }
      case .real(let value): withUnsafeBytes(of: value.bitPattern) { add(2, content: $0) }
      case .text(let value): add(3, content: value.utf8)
      case .blob(let value): add(4, content: value)
      }
    }
    return bytes.count <= limit ? bytes : nil
  }
}
