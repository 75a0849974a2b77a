import Foundation
import GRDBSQLite

/// The least cost of walks from notes to their categories and tags: SQLite's C API, an object for each row, a
/// map that finds it by its key, and a set of tags for each note.
enum NoteFloors {
  private final class Named: FloorObject {
    let name: String

    init(_ key: Int64, _ name: String, in map: FloorMap) {
      self.name = name
      super.init(key, in: map)
    }
  }

  private final class Note: FloorObject {
    let title: String
    let category: Int64
    var tags: Set<Named>?

    init(_ key: Int64, _ title: String, _ category: Int64, in map: FloorMap) {
      (self.title, self.category) = (title, category)
      super.init(key, in: map)
    }
  }

  /// A map for each entity.
  private struct Maps {
    let notes = FloorMap()
    let categories = FloorMap()
    let tags = FloorMap()
  }

  static func prefetched(_ raw: RawSQLite, _ expected: Int) -> Contender {
    Contender(SampleFloors.name) {
      let count = try walk(raw, Maps())
      precondition(count == expected)
    }
  }

  static func oneByOne(_ raw: RawSQLite, notes: Int, _ expected: Int) -> Contender {
    Contender(SampleFloors.name) {
      let count = try walkOneByOne(raw, notes, Maps())
      precondition(count == expected)
    }
  }

  private static func walk(_ raw: RawSQLite, _ maps: Maps) throws -> Int {
    let notes = try self.notes(raw, NoteStore.noteQuery, maps)
    var categories: [Int64: Named] = [:]
    try raw.each(NoteStore.categoryQuery) { row in
      let key = sqlite3_column_int64(row, 0)
      categories[key] = Named(key, raw.text(row, 2), in: maps.categories)
    }
    var tags: [Int64: Named] = [:]
    var tagsOfNotes: [Int64: [Named]] = [:]
    try raw.each(NoteStore.tagQuery) { row in
      let tag = self.tag(row, raw, &tags, maps)
      tagsOfNotes[sqlite3_column_int64(row, 0), default: []].append(tag)
    }
    return notes.reduce(0) { count, note in
      note.tags = Set(tagsOfNotes[note.key] ?? [])
      return count + (categories[note.category] == nil ? 0 : named(note))
    }
  }

  private static func walkOneByOne(_ raw: RawSQLite, _ limit: Int, _ maps: Maps) throws -> Int {
    let notes = try self.notes(raw, NoteStore.noteQuery + " LIMIT \(limit)", maps)
    let category = try raw.prepare(NoteStore.categoryQuery + " WHERE Z_PK = ?")
    let tagsOfNote = try raw.prepare(NoteStore.tagQuery + " WHERE j.Z_2NOTES = ?")
    defer { for statement in [category, tagsOfNote] { sqlite3_finalize(statement) } }
    var (categories, tags): ([Int64: Named], [Int64: Named]) = ([:], [:])
    var count = 0
    for note in notes {
      if maps.categories.object(note.category) == nil {
        raw.step(category, note.category) { row in
          categories[note.category] = Named(note.category, raw.text(row, 2), in: maps.categories)
        }
      }
      var found: Set<Named> = []
      raw.step(tagsOfNote, note.key) { found.insert(tag($0, raw, &tags, maps)) }
      note.tags = found
      count += named(note)
    }
    return count
  }

  private static func notes(_ raw: RawSQLite, _ sql: String, _ maps: Maps) throws -> [Note] {
    var notes: [Note] = []
    try raw.each(sql) { row in
      let (key, category) = (sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 2))
      notes.append(Note(key, raw.text(row, 3), category, in: maps.notes))
    }
    return notes
  }

  private static func tag(_ row: OpaquePointer?, _ raw: RawSQLite, _ tags: inout [Int64: Named], _ maps: Maps)
    -> Named
  {
    let key = sqlite3_column_int64(row, 1)
    if let known = tags[key] { return known }
    let tag = Named(key, raw.text(row, 3), in: maps.tags)
    tags[key] = tag
    return tag
  }

  private static func named(_ note: Note) -> Int {
    note.tags?.reduce(0) { $0 + ($1.name.isEmpty ? 0 : 1) } ?? 0
  }
}
