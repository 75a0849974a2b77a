import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("The log of migrations")
struct MigrationLogTests {
  private static let old = """
    <entity name="Note"><attribute name="name" attributeType="String" optional="YES"/></entity>
    """
  private static let new = """
    <entity name="Note"><attribute name="name" attributeType="String" optional="YES"/>
    <attribute name="rating" attributeType="Integer 16" defaultValueString="3"/></entity>
    """

  @Test("the log says why a store is migrated and by which mapping, and has each step in SQL")
  func steps() throws {
    let store = try VersionedStore(Self.old)
    let recorder = StatementRecorder(store.folder.url)
    _ = try store.migrate(Self.new)
    #expect(
      recorder.steps == [
        "the store is of another version of the model: changed: Note",
        "the model of the store is the one that is kept in it",
        "the mapping model is inferred",
        "it goes by statements, in one transaction",
        "step 1 of 4: ALTER TABLE ZNOTE ADD COLUMN ZRATING INTEGER",
        "step 2 of 4: UPDATE ZNOTE SET ZRATING = ? WHERE ZRATING IS NULL AND Z_ENT = 1",
        "step 3 of 4: DELETE FROM Z_PRIMARYKEY WHERE Z_ENT < 16001",
        "step 4 of 4: INSERT INTO Z_PRIMARYKEY (Z_ENT, Z_NAME, Z_SUPER, Z_MAX) VALUES (?, ?, ?, ?)",
        "the migration has ended",
      ]
    )
    let executed = recorder.statements.map(\.asPlanned)
    #expect(executed.contains(SQLStatement(sql: "ALTER TABLE ZNOTE ADD COLUMN ZRATING INTEGER")))
    #expect(
      executed.contains(
        SQLStatement(
          sql: "UPDATE ZNOTE SET ZRATING = ? WHERE ZRATING IS NULL AND Z_ENT = 1",
          bindings: [.integer(3)]
        )
      )
    )
  }

  @Test("the log has the mappings of each pass of a migration object by object")
  func byObjects() throws {
    let store = try VersionedStore(Self.old) { context in
      _ = NSEntityDescription.insertNewObject(forEntityName: "Note", into: context)
    }
    let recorder = StatementRecorder(store.folder.url)
    _ = try store.migrate(Self.new, .byObjects)
    let mapping = "IEM_Transform_Note (Note to Note) by NSEntityMigrationPolicy"
    #expect(
      recorder.steps == [
        "instances of \(mapping)", "relationships of \(mapping)", "validation of \(mapping)",
      ]
    )
    #expect(recorder.statements.contains { $0.sql.hasPrefix("INSERT INTO ZNOTE") })
  }

  @Test("nothing is logged about a store that fits its model")
  func nothing() throws {
    let store = try VersionedStore(Self.old)
    let recorder = StatementRecorder(store.folder.url)
    _ = try store.migrate(Self.old)
    #expect(recorder.steps == [])
  }
}
