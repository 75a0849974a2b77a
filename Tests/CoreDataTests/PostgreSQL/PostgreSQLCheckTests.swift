#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  @Suite(
    "The check of a store in PostgreSQL",
    .enabled(if: StoreKind.postgreSQLServer != nil, "PERENNIAL_POSTGRESQL has no URL of a server")
  )
  struct PostgreSQLCheckTests {
    private static let entities = """
      <entity name="Note"><attribute name="name" attributeType="String" optional="YES"/></entity>
      """

    private let store: VersionedStore
    private let check: PostgreSQLStoreCheck

    init() throws {
      store = try VersionedStore(Self.entities, on: .postgreSQL) { context in
        for number in 0..<20 { context.make("Note", ["name": "\(number)"]) }
      }
      check = try PostgreSQLStoreCheck(store: store.file, model: try VersionedStore.model(Self.entities))
    }

    /// Checks the store, and calls a closure before each part except the first.
    ///
    /// - Returns: the findings, and the number of parts.
    private func findings(_ between: (Int) throws -> Void) throws -> ([StoreFinding], Int) {
      let connections = try PostgreSQLStore.connections(to: store.file, options: nil)
      defer { connections.close() }
      var count = 0
      let findings = try withoutActuallyEscaping(between) { between in
        try check.findings(connections) { part in
          if count > 0 { try between(count) }
          count += 1
          try connections.read(part)
        }
      }
      return (findings, count)
    }

    @Test("the check names the schema in the statements that a person has to run")
    func remedies() throws {
      let schema = try PostgreSQLAddress(store.file.absoluteString).schema
      try store.execute("ALTER TABLE note ALTER name TYPE varchar")
      let type = try #require(try check.findings().first { $0.problem.contains("character varying") })
      #expect(type.remedy.hasSuffix("ALTER TABLE \(schema).note ALTER name TYPE text"))
      let unique = Self.entities.replacing(
        "</entity>",
        with: """
          <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint>\
          </uniquenessConstraints></entity>
          """
      )
      let other = try VersionedStore(unique, on: .postgreSQL)
      let name = try PostgreSQLAddress(other.file.absoluteString).schema
      try other.execute("DROP INDEX note_unique_name")
      let model = try VersionedStore.model(unique)
      let index = try #require(try PostgreSQLStoreCheck(store: other.file, model: model).findings().first)
      #expect(index.remedy.contains("CREATE UNIQUE INDEX note_unique_name ON \(name).note ("))
    }

    @Test("the check runs each part in its own transaction, so that none lasts as long as all")
    func parts() throws {
      try store.execute("UPDATE note SET z_opt = NULL WHERE z_pk = 1")
      let (found, count) = try findings { _ in
        // Other programs write between the parts.
        try store.execute("UPDATE note SET name = name || '.'")
      }
      #expect(count > 3)
      #expect(found.contains { $0.kind == .version })
      #expect(try check.findings() == found)
    }

    @Test("the check reads all rows in each part, or ends with an error")
    func allRows() throws {
      let connections = try PostgreSQLStore.connections(to: store.file, options: nil)
      defer { connections.close() }
      var settings: [String?] = []
      _ = try check.findings(connections) { part in
        try connections.read { connection in
          try part(connection)
          settings.append(try connection.run("SELECT current_setting('row_security')").text(0, column: 0))
        }
      }
      #expect(settings.count > 3 && settings.allSatisfy { $0 == "off" }, "\(settings)")
    }

    @Test(
      "the check ends with an error when another program migrates or replaces the store meanwhile",
      arguments: ["model_number = model_number + 1", "uuid = 'another'"]
    )
    func migrated(_ change: String) throws {
      let error = try #require(throws: (any Error).self) {
        try findings { count in
          if count == 2 { try store.execute("UPDATE perennial_metadata SET \(change)") }
        }
      }
      #expect(
        (error as NSError).localizedDescription.contains("another program has migrated or replaced the store")
      )
    }

    @Test("the check does not report an error of the server as an unreadable value")
    func failed() throws {
      var parts = 0
      _ = try findings { parts = $0 }
      let last = parts
      let error = try #require(throws: (any Error).self) {
        try findings { if $0 == last { try store.execute("SELECT 1 FROM nothing_of_the_name") } }
      }
      #expect(error is PostgreSQLError)
    }
  }
#endif
