import GRDBSQLite

/// Walks from notes to their categories and tags.
extension RawSQLite {
  /// Reads all notes, categories and tags, and joins them by key. Returns the number of tags.
  func walk() throws -> Int {
    var categories: [Int64: String] = [:]
    try each(NoteStore.categoryQuery) { categories[sqlite3_column_int64($0, 0)] = text($0, 2) }
    var tags: [Int64: [String]] = [:]
    try each(NoteStore.tagQuery) { tags[sqlite3_column_int64($0, 0), default: []].append(text($0, 3)) }
    var count = 0
    try each(NoteStore.noteQuery) { statement in
      _ = text(statement, 3)
      guard categories[sqlite3_column_int64(statement, 2)] != nil else { return }
      count += tags[sqlite3_column_int64(statement, 0)]?.count ?? 0
    }
    return count
  }

  /// Walks with queries for each note's tags and each category.
  func walkOneByOne(_ limit: Int) throws -> Int {
    let category = try prepare(NoteStore.categoryQuery + " WHERE Z_PK = ?")
    let tags = try prepare(NoteStore.tagQuery + " WHERE j.Z_2NOTES = ?")
    defer { for statement in [category, tags] { sqlite3_finalize(statement) } }
    var known: [Int64: String] = [:]
    var count = 0
    try each(NoteStore.noteQuery + " LIMIT \(limit)") { note in
      _ = text(note, 3)
      let key = sqlite3_column_int64(note, 2)
      if known[key] == nil { step(category, key) { known[key] = text($0, 2) } }
      step(tags, sqlite3_column_int64(note, 0)) { if !text($0, 3).isEmpty { count += 1 } }
    }
    return count
  }

  func step(_ statement: OpaquePointer?, _ key: Int64, _ body: (OpaquePointer?) -> Void) {
    sqlite3_bind_int64(statement, 1, key)
    while sqlite3_step(statement) == SQLITE_ROW { body(statement) }
    sqlite3_reset(statement)
  }
}
