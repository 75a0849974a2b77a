import CoreData
import Foundation
import Predicates
import SQLiteDriver
import Testing

@testable import CoreData

@Suite("The end of a text in SQLite")
struct TextEndTests {
  /// Texts with U+0000, with characters of one to four bytes, composed and decomposed, and some whose bytes
  /// resemble parts of others.
  private static let texts = [
    "", "a", "ba", "a\u{0}", "\u{0}a", "b\u{0}a", "\u{0}", "e\u{301}", "\u{e9}", "\u{301}", "caf\u{e9}",
    "cafe\u{301}", "e\u{301}\u{327}", "🌱", "a🌱", "👩‍🌾", "👩", "🌾", "\u{fe0f}", "❤\u{fe0f}", "ā", "\u{161}", "š",
    "\u{d7ff}", "\u{e000}", "\u{ffff}", "\u{10061}", "x\u{10061}",
  ]

  @Test(
    "the end of a text is compared by bytes, whatever the encoding of the database",
    arguments: ["UTF-8", "UTF-16le", "UTF-16be"]
  )
  func agreesWithMemory(_ encoding: String) throws {
    let database = try SQLiteConnection()
    try database.write { database in
      SQLiteFunctions.register(in: database)
      try database.execute(sql: "PRAGMA encoding = '\(encoding)'")
      try database.execute(sql: "CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY, ZTITLE VARCHAR)")
      for text in Self.texts {
        let insertion = SQLStatement(sql: "INSERT INTO ZNOTE (ZTITLE) VALUES (?)", bindings: [.text(text)])
        try SQLiteQuery(insertion, in: database, isCached: true).run()
      }
      try database.execute(sql: "INSERT INTO ZNOTE (ZTITLE) VALUES (NULL)")
      #expect(try String.fetchOne(database, sql: "PRAGMA encoding") == encoding)
    }
    for pattern in Self.texts {
      let matcher = try TextMatcher(.endsWith, pattern: pattern)
      let expected = try Self.texts.indices.filter { try matcher.matches(Self.texts[$0]) }.map {
        Int64($0) + 1
      }
      let predicate = NSPredicate(format: "title ENDSWITH %@", pattern)
      let statement = try TranslatedFetch.statement("Note", predicate)
      let found = try database.read { database in
        var keys: [Int64] = []
        try SQLiteQuery(statement, in: database, isCached: false).forEachRow { row in
          keys.append(SQLiteRow(statement: row).number(0))
        }
        return keys
      }
      #expect(found == expected, "\(pattern.unicodeScalars.map { String($0.value, radix: 16) })")
    }
  }

  @Test("a negated suffix comparison does not find the matching rows")
  func negated() throws {
    let stack = try Stack(.sqlite)
    for title in ["ba", "b\u{0}a", "ab", ""] { stack.note(title) }
    try stack.save()
    let context = stack.newContext()
    let found = try stack.fetch(Note.self, "NOT title ENDSWITH 'a'", in: context).compactMap(\.title)
    #expect(found.sorted() == ["", "ab"])
  }
}
