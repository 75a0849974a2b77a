import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Decoding rows")
struct DecodingTests {
  private let folder: TemporaryFolder
  private let store: SQLiteStore

  init() throws {
    folder = try TemporaryFolder()
    store = try SQLiteStore.open(folder)
    try store.save(ChangeSet(inserted: [try TestRows.insertion("Note", ["title": .text("x")])]))
  }

  private func value(_ name: String, _ sql: String) throws -> StoredValue {
    try folder.execute("UPDATE ZNOTE SET Z\(name.uppercased()) = \(sql)")
    let fetched = try #require(try store.rows("Note").first)
    let byKey = try #require(try store.row(of: fetched.reference, layout: fetched.layout))
    let slot = try TestRows.slot(name, fetched.layout)
    let value = try #require(fetched.row).value(slot)
    #expect("\(try #require(byKey.row).value(slot))" == "\(value)")
    return value
  }

  @Test(
    "decoding converts a stored value to the attribute's type, however it is stored",
    arguments: [
      ("rating", "5", "integer(5)"), ("rating", "5.0", "integer(5)"), ("rating", "' 7'", "integer(7)"),
      ("rating", "NULL", "null"), ("rating", "9223372036854775807", "integer(9223372036854775807)"),
      ("isPinned", "17", "integer(1)"), ("isPinned", "0", "integer(0)"),
      ("ratio", "3", "real(3.0)"), ("ratio", "2.5", "real(2.5)"), ("ratio", "'1.5'", "real(1.5)"),
      ("createdAt", "10", "real(10.0)"), ("createdAt", "10.25", "real(10.25)"),
      ("title", "5", "text(\"5\")"), ("title", "x'c3a4'", "text(\"ä\")"), ("title", "''", "text(\"\")"),
      ("price", "10.11", "decimal(10.11)"), ("price", "12", "decimal(12)"),
      ("body", "x''", "data(0 bytes)"), ("body", "'abc'", "data(3 bytes)"),
      (
        "identifier", "x'000102030405060708090a0b0c0d0e0f'", "uuid(00010203-0405-0607-0809-0A0B0C0D0E0F)"
      ),
      (
        "identifier", "'00010203-0405-0607-0809-0A0B0C0D0E0F'", "uuid(00010203-0405-0607-0809-0A0B0C0D0E0F)"
      ),
      ("link", "'https://a.b/c?d=e'", "object(https://a.b/c?d=e)"),
      ("category", "0", "null"),
    ]
  )
  func coerced(_ name: String, _ sql: String, _ expected: String) throws {
    #expect("\(try value(name, sql))" == expected)
  }

  @Test(
    "decoding names the table, column, key and file of an invalid value",
    arguments: [
      ("rating", "'many'"), ("rating", "1.5"), ("rating", "x'00'"), ("ratio", "'x'"), ("ratio", "x'00'"),
      ("createdAt", "'yesterday'"), ("title", "x'ff'"), ("price", "'cheap'"), ("price", "9e999"),
      ("identifier", "x'0001'"), ("identifier", "7"), ("body", "7"), ("link", "x'00'"), ("category", "'x'"),
    ]
  )
  func refused(_ name: String, _ sql: String) throws {
    try folder.execute("UPDATE ZNOTE SET Z\(name.uppercased()) = \(sql)")
    let fetched = try #require(try store.rows("Note").first)
    let slot = try TestRows.slot(name, fetched.layout)
    let failure = try #require(fetched.row?.failure(slot))
    #expect(fetched.row?.failures.map(\.slot) == [slot])
    let error = failure.error as NSError
    #expect(error.code == CocoaError.fileReadCorruptFile.rawValue)
    let message = error.localizedDescription
    #expect(message.contains("ZNOTE.Z\(name.uppercased()) of the row 1 holds"))
    #expect(message.contains("Note.\(name)"))
    #expect(message.contains(folder.file().path))
  }

  @Test("an entity number that the model does not know is an error, not a trap")
  func unknownEntity() throws {
    try store.save(ChangeSet(inserted: [try TestRows.insertion("Employee", ["name": .text("e")])]))
    try folder.execute("UPDATE ZPERSON SET Z_ENT = 99")
    let error = #expect(throws: NSError.self) { try store.rows("Person") }
    #expect(error?.localizedDescription.contains("99") == true)
  }

  @Test(
    "rows of subentities have their own layout, and a to-one relationship knows the entity of its destination"
  )
  func polymorphic() throws {
    let person = try TestRows.insertion("Person", ["name": .text("p")])
    let boss = try TestRows.insertion("Employee", ["name": .text("b"), "salary": .real(2)])
    let clerk = try TestRows.insertion(
      "Employee",
      ["name": .text("c"), "salary": .real(1), "manager": .reference(boss.reference)]
    )
    try store.save(ChangeSet(inserted: [person, boss, clerk]))
    let rows = try store.rows("Person")
    #expect(rows.map { $0.layout.entity.name } == ["Person", "Employee", "Employee"])
    let layout = try #require(rows.last?.layout)
    let manager = try #require(rows.last?.row).value(try TestRows.slot("manager", layout))
    #expect("\(manager)".contains("of entity \(layout.number)"))
    #expect(try store.rows("Employee").count == 2)
    #expect(try folder.query("SELECT Z_MAX FROM Z_PRIMARYKEY WHERE Z_ENT IN (5, 6)") == [3, 0])
  }

  @Test("rows of a big fetch stay intact when most of them are released")
  func slabs() throws {
    try store.save(
      ChangeSet(
        inserted: try (0..<1000).map {
          try TestRows.insertion("Tag", ["name": .text("a rather long name \($0)")])
        }
      )
    )
    let kept = try store.rows("Tag").filter { $0.key.isMultiple(of: 97) }
    #expect(
      kept.allSatisfy { "\($0.row?.value(0) ?? .null)" == "text(\"a rather long name \($0.key - 1)\")" }
    )
  }

  @Test("a fetch of some properties reads only their columns")
  func someProperties() throws {
    let entity = try TranslatedFetch.schema.entity(try TestRows.entity("Note"))
    let plan = SQLRowPlan(
      entity.table,
      entities: [entity],
      properties: ["title", "category"],
      dialect: SQLiteDialect()
    )
    #expect(plan.columns == ["Z_PK", "Z_OPT", "Z_ENT", "ZTITLE", "ZCATEGORY"])
    #expect(
      SQLRowPlan(entity.table, entities: [entity], properties: [], dialect: SQLiteDialect()).columns == [
        "Z_PK", "Z_OPT", "Z_ENT",
      ]
    )
    var query = FetchQuery(entity: entity.entity)
    query.properties = ["rating"]
    let row = try #require(try store.fetch(query).first?.row)
    #expect(!row.hasValue(try TestRows.slot("title", entity.layout)))
  }
}
