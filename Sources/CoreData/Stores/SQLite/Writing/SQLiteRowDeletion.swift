/// Deletes the rows of objects of one entity, several rows with the same version at once.
struct SQLiteRowDeletion {
  private let group: SQLSavePlan.Group
  private let one: SQLiteRowWriter
  private let several: SQLiteRowWriter?

  init(group: SQLSavePlan.Group, session: SQLiteWriteSession, isOneByOne: Bool) throws {
    self.group = group
    func writer(_ sql: String) throws -> SQLiteRowWriter {
      try SQLiteRowWriter(sql: sql, entity: group.entity, slots: [], session: session)
    }
    one = try writer(session.statements.deletion(group.entity))
    let rows = SQLiteRowsPerStatement.deleted
    several =
      isOneByOne || group.count < rows
      ? nil : try writer(session.statements.deletion(group.entity, rows: rows))
  }

  /// Calls back with the rows of each statement, all of which stores know.
  func forEachStatement(_ body: (Range<Int>) throws -> Void) throws {
    var first = 0
    while first < group.count {
      let end = several == nil ? first + 1 : endOfLikes(from: first)
      if end - first == SQLiteRowsPerStatement.deleted {
        try body(first..<end)
      } else {
        for index in first..<end where !group.reference(index).isTemporary { try body(index..<index + 1) }
      }
      first = end
    }
  }

  /// Deletes the rows that one statement is for.
  ///
  /// - Returns: how many there were, with their versions.
  func run(_ indices: Range<Int>) throws -> Int {
    guard indices.count > 1, let several else {
      one.bind(group.reference(indices.lowerBound).key, at: 1)
      one.bind(version(indices.lowerBound), at: 2)
      return try one.run()
    }
    several.bind(version(indices.lowerBound), at: 1)
    for (place, index) in indices.enumerated() { several.bind(group.reference(index).key, at: Int32(place + 2)) }
    return try several.run()
  }

  /// The end of the rows from one on that can be deleted at once, as far as one statement goes.
  private func endOfLikes(from first: Int) -> Int {
    let version = version(first)
    let most = min(first + SQLiteRowsPerStatement.deleted, group.count)
    return (first..<most).first { group.reference($0).isTemporary || self.version($0) != version }
      .map { max($0, first + 1) } ?? most
  }

  private func version(_ index: Int) -> Int64 { group.committedVersion(index) ?? 0 }
}
