import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("The SQL of a lightweight migration")
struct MigrationPlanTests {
  /// The statements that SQLite executes between two versions, without those on Core Data's own tables.
  private func statements(_ old: String, _ new: String, defers: Bool = false) throws -> [String] {
    let store = try VersionedStore(old)
    let recorder = StatementRecorder(store.folder.url, details: .bindings)
    var options = VersionedStore.automatic
    options[NSPersistentStoreDeferredLightweightMigrationOptionKey] = defers
    _ = try store.open(VersionedStore.model(new), options: options)
    return recorder.statements.map(\.sql).filter { sql in
      sql.contains(" Z")
        && !["sqlite_master", "Z_PRIMARYKEY", "Z_METADATA", "Z_MODELCACHE"].contains(where: sql.contains)
    }
  }

  private static func note(_ properties: String) -> String {
    """
    <entity name="Note"><attribute name="name" attributeType="String" optional="YES"/>\(properties)</entity>
    """
  }

  private static let rating = #"<attribute name="rating" attributeType="Integer 16" defaultValueString="3"/>"#

  @Test("a migration adds columns to the existing table")
  func added() throws {
    #expect(
      try statements(Self.note(""), Self.note(Self.rating)) == [
        "ALTER TABLE ZNOTE ADD COLUMN ZRATING INTEGER",
        "UPDATE ZNOTE SET ZRATING = ? WHERE ZRATING IS NULL AND Z_ENT = 1",
      ]
    )
  }

  @Test("a migration rebuilds a table that loses a column, unless the cleanup is deferred")
  func removed() throws {
    let (old, new) = (Self.note(Self.rating), Self.note(""))
    #expect(
      try statements(old, new) == [
        "ALTER TABLE ZNOTE RENAME TO Z_OLD_ZNOTE",
        "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZNAME VARCHAR )",
        "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT, ZNAME) SELECT Z_PK, 1, Z_OPT, ZNAME FROM Z_OLD_ZNOTE WHERE Z_ENT = 1",
        "DROP TABLE Z_OLD_ZNOTE",
      ]
    )
    #expect(try statements(old, new, defers: true) == [])
  }

  @Test("a migration does not access rows of unchanged tables")
  func untouched() throws {
    let tag = #"<entity name="Tag"><attribute name="name" attributeType="String" optional="YES"/></entity>"#
    let zebra = #"<entity name="Zebra"/>"#
    #expect(
      try statements(Self.note("") + tag, Self.note("") + tag + zebra) == [
        "CREATE TABLE ZZEBRA ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )"
      ]
    )
  }

  @Test("a migration looks for rows without a required value before it ends")
  func required() throws {
    let optional = #"<attribute name="rating" attributeType="Integer 16" optional="YES"/>"#
    let required = #"<attribute name="rating" attributeType="Integer 16"/>"#
    #expect(
      try statements(Self.note(optional), Self.note(required)) == [
        "SELECT Z_PK FROM ZNOTE WHERE Z_ENT = 1 AND ZRATING IS NULL LIMIT 1"
      ]
    )
  }

  @Test("a migration moves the keys of a relationship into a join table")
  func joined() throws {
    func model(_ rest: String, _ inverse: String) -> String {
      """
      <entity name="Note"><relationship name="tag" optional="YES" \(rest) destinationEntity="Tag" \
      inverseName="notes" inverseEntity="Tag"/></entity><entity name="Tag"><relationship name="notes" optional="YES" \
      toMany="YES" destinationEntity="Note" inverseName="tag" inverseEntity="Note"/></entity>
      """
    }
    let found = try statements(model(#"maxCount="1""#, ""), model(#"toMany="YES""#, ""))
    #expect(
      found == [
        "DROP INDEX ZNOTE_ZTAG_INDEX",
        "ALTER TABLE ZNOTE RENAME TO Z_OLD_ZNOTE",
        "CREATE TABLE ZNOTE ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER )",
        "CREATE TABLE Z_1TAG ( Z_1NOTES INTEGER, Z_2TAG INTEGER, PRIMARY KEY (Z_1NOTES, Z_2TAG) )",
        "INSERT INTO ZNOTE (Z_PK, Z_ENT, Z_OPT) SELECT Z_PK, 1, Z_OPT FROM Z_OLD_ZNOTE WHERE Z_ENT = 1",
        "INSERT OR IGNORE INTO Z_1TAG (Z_1NOTES, Z_2TAG) SELECT s, t FROM (SELECT Z_PK AS s, ZTAG AS t, NULL AS o, "
          + "NULL AS i FROM Z_OLD_ZNOTE WHERE Z_PK IS NOT NULL AND ZTAG IS NOT NULL) AS pairs",
        "DROP TABLE Z_OLD_ZNOTE",
        "CREATE INDEX Z_1TAG_Z_2TAG_INDEX ON Z_1TAG (Z_2TAG, Z_1NOTES)",
      ]
    )
  }
}
