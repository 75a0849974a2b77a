import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Contents of a store that are not in its model")
struct ForeignContentTests {
  @Test("saves do not change foreign tables, columns, indexes, triggers, entities and metadata")
  func leftAlone() throws {
    let folder = try TemporaryFolder()
    try SQLiteStore.open(folder).close()
    let statements = [
      "CREATE TABLE ZOTHER (Z_PK INTEGER PRIMARY KEY, ZNAME VARCHAR)",
      "INSERT INTO ZOTHER VALUES (1, 'kept')", "ALTER TABLE ZTAG ADD COLUMN ZCOLOUR VARCHAR DEFAULT 'blue'",
      "CREATE INDEX byColour ON ZTAG (ZCOLOUR)", "CREATE TABLE log (what TEXT)",
      "CREATE TRIGGER watch AFTER UPDATE ON ZTAG BEGIN INSERT INTO log VALUES (OLD.ZNAME); END",
      "INSERT INTO Z_PRIMARYKEY VALUES (99, 'Other', 0, 7)",
    ]
    for statement in statements { try folder.execute(statement) }
    let store = try SQLiteStore.open(folder)
    store.metadata["mine"] = "kept"
    try store.save(ChangeSet(inserted: [try TestRows.tag("one"), try TestRows.tag("two")]))
    try folder.execute("UPDATE ZTAG SET ZCOLOUR = 'red' WHERE ZNAME = 'one'")
    let row = try #require(try store.rows("Tag", "name == 'one'").first)
    try store.save(ChangeSet(updated: [try TestRows.update(row, ["name": .text("uno")])]))
    try store.close()

    #expect(try folder.query("SELECT ZCOLOUR FROM ZTAG ORDER BY ZNAME") == ["blue", "red"])
    #expect(try folder.query("SELECT what FROM log") == ["one", "one"])
    #expect(try folder.query("SELECT ZNAME FROM ZOTHER") == ["kept"])
    #expect(try folder.query("SELECT Z_NAME || Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT = 99") == ["Other7"])
    #expect(
      try folder.query("SELECT COUNT(*) FROM sqlite_master WHERE name IN ('byColour', 'watch', 'log')") == [3]
    )
    let metadata = try SQLiteStore.metadataForPersistentStore(with: folder.file())
    #expect(metadata["mine"] as? String == "kept")
  }
}
