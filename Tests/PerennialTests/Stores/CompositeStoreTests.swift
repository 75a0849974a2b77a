import Foundation
import SQLiteDriver
import Testing

@Suite("Stores as SwiftData makes them", .enabled(if: Program.url != nil, "the program is not built"))
struct CompositeStoreTests {
  /// Entities with composites whose elements have equal names, constraints, an index of two properties, and a to-many
  /// relationship without an inverse.
  private static func model(version: String, author: String) -> String {
    """
    <model userDefinedModelVersionIdentifier="\(version)" usedWithSwiftData="YES">
      <entity name="Drink">
        <attribute name="author" optional="YES" attributeType="Composite" composite="Author"/>
        <attribute name="drinkName" attributeType="String"/>
        <attribute name="glass" optional="YES" attributeType="Composite" composite="Glass"/>
        <attribute name="id" optional="YES" attributeType="UUID"/>
        <relationship name="parts" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="Part"/>
        <fetchIndex name="SwiftDataIndexOnBinarydrinkNameid">
          <fetchIndexElement property="drinkName" type="Binary" order="ascending"/>
          <fetchIndexElement property="id" type="Binary" order="ascending"/>
        </fetchIndex>
        <uniquenessConstraints>
          <uniquenessConstraint><constraint value="drinkName"/></uniquenessConstraint>
        </uniquenessConstraints>
      </entity>
      <entity name="Part">
        <attribute name="amount" optional="YES" attributeType="Double"/>
        <attribute name="id" optional="YES" attributeType="UUID"/>
        <attribute name="unit" optional="YES" attributeType="Composite" composite="Unit"/>
      </entity>
      <composite name="Author">
        <attribute name="id" optional="YES" attributeType="UUID"/>
        <attribute name="person" optional="YES" attributeType="String"/>
        \(author)
      </composite>
      <composite name="Glass"><attribute name="glass" optional="YES" attributeType="String"/></composite>
      <composite name="Unit"><attribute name="unit" optional="YES" attributeType="String"/></composite>
    </model>
    """
  }

  private static let seed = """
    {"parts": [{"$id": "p", "amount": 2.5, "unit": {"unit": "cl"}}],
     "drinks": [{"drinkName": "Tea", "author": {"person": "Ann", "id": "8E8F8C1E-4A7B-4E0C-9C53-1B6E0A0D2F11"},
                 "id": "0D2F1111-4A7B-4E0C-9C53-1B6E0A8E8F8C", "glass": {"glass": "cup"}, "parts": [{"$ref": "p"}]}]}
    """

  /// Makes a store of such a model. The commands of the test do not get the model.
  private func program() throws -> Program {
    let program = try Program()
    for (name, version, more) in [
      ("One", "1.0.0", ""),
      ("Two", "2.0.0", #"<attribute name="place" optional="YES" attributeType="String"/>"#),
    ] {
      let text = Self.model(version: version, author: more)
      try program.write(text, to: "models/\(name).xcdatamodel/contents")
    }
    try program.write(Self.seed, to: "drinks.json")
    let outcome = try program.run("seed", "models/One.xcdatamodel", "drinks.json", "--store", "bar.sqlite")
    #expect(outcome.status == 0, "\(outcome.errors)")
    return program
  }

  /// The first column of a query's rows.
  private func rows(_ sql: String, _ program: Program) throws -> [String] {
    let queue = try SQLiteConnection(path: program.folder.appendingPathComponent("bar.sqlite").path)
    defer { try? queue.close() }
    return try queue.read { try String?.fetchAll($0, sql: sql).map { $0 ?? "NULL" } }
  }

  @Test("each element has a column in Apple's order, numbered if the name occurs twice")
  func tables() throws {
    let program = try program()
    let statements = try rows("SELECT sql FROM sqlite_master WHERE tbl_name IN ('ZDRINK', 'ZPART')", program)
    #expect(
      statements == [
        """
        CREATE TABLE ZDRINK ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZPERSON VARCHAR, \
        ZDRINKNAME VARCHAR, ZGLASS VARCHAR, ZID BLOB, ZID1 BLOB )
        """,
        """
        CREATE TABLE ZPART ( Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, Z1PARTS INTEGER, \
        ZAMOUNT FLOAT, ZUNIT VARCHAR, ZID BLOB )
        """,
        """
        CREATE INDEX Z_Drink_SwiftDataIndexOnBinarydrinkNameid ON ZDRINK (ZDRINKNAME COLLATE BINARY ASC, \
        ZID1 COLLATE BINARY ASC)
        """,
        "CREATE UNIQUE INDEX Z_Drink_UNIQUE_drinkName ON ZDRINK (ZDRINKNAME COLLATE BINARY ASC)",
        "CREATE INDEX ZPART_Z1PARTS_INDEX ON ZPART (Z1PARTS)",
      ]
    )
  }

  @Test("the store's own model is enough to inspect, check, fetch, dump, copy and decompile it")
  func withoutModel() throws {
    let program = try program()
    #expect(try program.run("inspect", "bar.sqlite").output.contains("in the store"))
    #expect(try program.run("check", "bar.sqlite").output == "nothing is wrong\n")
    let fetched = try program.run(
      "fetch",
      "bar.sqlite",
      "Drink",
      "--where",
      #"author.person == "Ann" AND glass.glass == "cup""#,
      "--columns",
      "drinkName"
    )
    #expect(fetched.output.contains("Tea"), "\(fetched.errors)")
    let dump = try program.run("dump", "bar.sqlite").output
    #expect(dump.contains(#""author":{"id":"8E8F8C1E-4A7B-4E0C-9C53-1B6E0A0D2F11","person":"Ann"}"#))
    #expect(dump.contains(#""unit":{"unit":"cl"}"#))
    for copy in ["copy.xml", "copy.sqlite"] {
      #expect(try program.run("copy", "bar.sqlite", copy).status == 0)
      #expect(try program.run("dump", copy, "--model", "models/One.xcdatamodel").output == dump)
    }
    #expect(try program.run("decompile", "bar.sqlite", "-o", "Bar.xcdatamodeld").status == 0)
    let differences = try program.run("diff", "Bar.xcdatamodeld", "models/One.xcdatamodel").output
    #expect(differences.contains("The models are the same."))
    let contents = try String(
      contentsOf: program.folder.appendingPathComponent("Bar.xcdatamodeld/bar.xcdatamodel/contents"),
      encoding: .utf8
    )
    #expect(contents.contains(#"<composite name="Author">"#))
  }

  @Test("a new element is a new version, to which the store migrates with its values")
  func migration() throws {
    let program = try program()
    let dump = try program.run("dump", "bar.sqlite").output
    let migrated = try program.run("migrate", "bar.sqlite", "--to", "models/Two.xcdatamodel")
    #expect(migrated.status == 0, "\(migrated.errors)")
    #expect(migrated.output.contains("entity Drink: changed"))
    #expect(try program.run("dump", "bar.sqlite").output == dump)
    #expect(try rows("SELECT ZPLACE FROM ZDRINK", program) == ["NULL"])
    #expect(try program.run("check", "bar.sqlite").output == "nothing is wrong\n")
  }
}
