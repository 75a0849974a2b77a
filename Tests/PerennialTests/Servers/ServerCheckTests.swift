import Foundation
import Testing

@Suite(
  "perennial check of a store on a server",
  .enabled(if: Program.url != nil, "the program is not built"),
  .enabled(if: ServerSchema.server != nil, "PERENNIAL_POSTGRESQL has no URL of a server")
)
struct ServerCheckTests {
  private let program: Program
  private let schema = ServerSchema()

  init() throws {
    program = try Program()
    let outcome = try program.run("seed", "Notes.xcdatamodeld", "seed.json", "--store", schema.url)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// A kind of damage, the finding that the check reports, and whether it can be repaired.
  struct Damage: Sendable, CustomTestStringConvertible {
    let sql: String
    let finding: String
    let isRepairable: Bool

    var testDescription: String { sql }

    static let all = [
      Damage(
        sql: "UPDATE perennial_keys SET last = 1 WHERE name = 'Note'",
        finding: "primaryKeys: perennial_keys says that the last key of Note is 1",
        isRepairable: true
      ),
      Damage(
        sql: "DELETE FROM perennial_keys WHERE name = 'Tag'; ",
        finding: "primaryKeys: perennial_keys has no row for Tag",
        isRepairable: true
      ),
      Damage(
        sql: "UPDATE note SET z_ent = 99 WHERE z_pk = 3",
        finding: "entity: note: 1 row have a z_ent that is none of",
        isRepairable: true
      ),
      Damage(
        sql: "UPDATE note SET z_opt = NULL WHERE z_pk < 3",
        finding: "version: note: 2 rows have no version (1, 2)",
        isRepairable: true
      ),
      Damage(
        sql: "UPDATE note SET category = 4711 WHERE z_pk = 1",
        finding: "foreignKey: note: 1 row lead by category to a Category that is not there (1)",
        isRepairable: true
      ),
      Damage(
        sql: "DELETE FROM tag WHERE z_pk = 1",
        finding: "joinTable: ",
        isRepairable: true
      ),
      Damage(
        sql: "UPDATE note SET title = NULL WHERE z_pk = 1",
        finding: "requiredValue: note: 1 row have no title, which Note requires (1)",
        isRepairable: false
      ),
      Damage(
        sql: "ALTER TABLE note ALTER title TYPE bytea USING title::bytea",
        finding: "schema: note.title is of the type bytea, and its values are of the type text",
        isRepairable: false
      ),
      Damage(sql: "ALTER TABLE note DROP COLUMN title", finding: "schema: ", isRepairable: false),
    ]
  }

  @Test("perennial check finds damage, and repairs what needs no decision", arguments: Damage.all)
  func damages(_ damage: Damage) throws {
    try schema.execute(damage.sql, program)
    let found = try program.run("check", schema.url, "--model", "Notes.xcdatamodeld")
    #expect(found.status == 1)
    #expect(found.output.contains(damage.finding), "\(found.output) \(found.errors)")
    let mended = try program.run("check", schema.url, "--repair", "--model", "Notes.xcdatamodeld")
    #expect((mended.status == 0) == damage.isRepairable, "\(mended.output) \(mended.errors)")
    let copy = ServerSchema.server.map { "\($0)?schema=\(schema.name)-unrepaired" } ?? ""
    let copied = try program.run("check", copy, "--model", "Notes.xcdatamodeld")
    if damage.isRepairable {
      #expect(mended.output.hasSuffix("nothing is wrong\n"))
      // The copy was made before the repair, so it still has the damage.
      #expect(
        copied.status == 1 && copied.output.contains(damage.finding),
        "\(copied.output) \(copied.errors)"
      )
    } else {
      #expect(copied.errors.contains("there is no store"), "\(copied.errors)")
    }
  }
}
