#if PostgreSQL
  import CoreData
  import Digests
  import Foundation

  /// Names that are convenient for people who write SQL by hand, except for the three columns of every table.
  ///
  /// A name that the server reserves gets a number at its end, or `entity_` before it. The result follows from the
  /// model: an attribute `xmin` has the column `xmin1`, an entity `NotePkey` next to `Note` the table `note_pkey1`,
  /// and `PgUser` the table `entity_pg_user`.
  ///
  /// The server silently truncates names of more than 63 bytes:
  /// <https://www.postgresql.org/docs/current/sql-syntax-lexical.html#SQL-SYNTAX-IDENTIFIERS>. A name longer than 60
  /// bytes, so that a number may follow, is cut and ends with a hash of the whole name. The same name always becomes
  /// the same one.
  struct PostgreSQLNames: SQLNames {
    let primaryKey = "z_pk"
    let entity = "z_ent"
    let version = "z_opt"
    let entityTable = "perennial_keys"

    /// The store's own tables begin with ``systemPrefix``, and none of an entity does.
    let systemTables: Set<String>? = []
    let keepsEntityNumbers = true

    /// The columns that every table has: <https://www.postgresql.org/docs/current/ddl-system-columns.html>. `oid` has
    /// not been one of them since version 12.
    let systemColumns = ["tableoid", "xmin", "cmin", "xmax", "cmax", "ctid"]

    /// A table, an index and a constraint with an index share one space of names in a schema.
    func keyIndex(ofTable table: String) -> String? {
      let name = "\(table)_pkey"
      // The server shortens a longer one to more bytes than the name of any table has.
      return name.utf8.count > Self.mostServerBytes ? nil : name
    }

    /// The prefix of the store's own names.
    static let systemPrefix = "perennial_"

    /// The prefix of the server's own names, because PostgreSQL finds a table of `pg_catalog` before tables of any
    /// schema: <https://www.postgresql.org/docs/current/ddl-schemas.html#DDL-SCHEMAS-CATALOG>.
    static let serverPrefix = "pg_"

    func table(_ entity: String) -> String { Self.ofTable(Self.snake(entity)) }

    func formerTable(_ entity: String) -> String? { Self.former(Self.snake(entity)) }

    func column(_ property: String) -> String { Self.fitted(Self.snake(property)) }

    func entityColumn(of foreignKey: String, destination: Int64) -> String { Self.fitted("\(foreignKey)_entity") }

    func orderColumn(of foreignKey: String) -> String { Self.fitted("\(foreignKey)_order") }

    func foreignKey(of relationship: SQLRelationshipName) -> String { Self.fitted(Self.name(relationship)) }

    func join(_ first: SQLRelationshipName, second: SQLRelationshipName?) -> SQLJoinNames {
      SQLJoinNames(
        tables: [Self.ofTable(Self.name(first))],
        formerTables: [Self.former(Self.name(first))].compactMap(\.self),
        first: [second.map { Self.fitted(Self.name($0)) } ?? "reflexive"],
        second: [Self.fitted(Self.name(first))]
      )
    }

    func orderColumns(ofJoined column: String, of relationship: SQLRelationshipName) -> [String] {
      [Self.fitted("\(column)_order")]
    }

    func index(table: String, column: String) -> String { Self.fitted("\(table)_\(column)_index") }

    func fetchIndex(entity: String, name: String) -> String {
      Self.ofIndex("\(Self.snake(entity))_\(Self.snake(name))")
    }

    func foldedIndex(entity: String, property: String, letters: String) -> String? {
      Self.ofIndex("\(Self.snake(entity))_\(Self.snake(property))_folded_\(letters)")
    }

    func compoundIndex(table: String, columns: [String]) -> String {
      Self.ofIndex("\(table)_\(columns.joined(separator: "_"))")
    }

    func uniqueIndex(entity: String, properties: [String]) -> String {
      Self.ofIndex("\(Self.snake(entity))_unique_\(properties.map(Self.snake).joined(separator: "_"))")
    }

    /// A name that differs from the names of the store's own tables and of the server's.
    private static func ofTable(_ name: String) -> String {
      name.hasPrefix(serverPrefix) ? renamed(name) : ofIndex(name)
    }

    /// The name of a table that would begin as one of the server's own.
    static func renamed(_ name: String) -> String { fitted("entity_\(name)") }

    /// The name that earlier versions of the library gave a table whose name begins like one of the server's own;
    /// `nil` for other names.
    private static func former(_ name: String) -> String? { name.hasPrefix(serverPrefix) ? fitted(name) : nil }

    /// A name that differs from the names of the store's own tables and indexes. Indexes are created in the schema of
    /// their table, so that the server's indexes do not conflict.
    private static func ofIndex(_ name: String) -> String {
      fitted(name.hasPrefix(systemPrefix) ? "entity_\(name)" : name)
    }

    private static let mostBytes = 60
    /// The bytes of a name that the server keeps.
    private static let mostServerBytes = 63

    /// A name that the server keeps as it is.
    static func fitted(_ name: String) -> String {
      if name.utf8.count <= mostBytes { return name }
      let hash = SHA256.hash(data: Data(name.utf8)).prefix(8).map { byte in
        let digits = String(byte, radix: 16)
        return digits.count < 2 ? "0\(digits)" : digits
      }.joined()
      var start = ""
      for character in name {
        if start.utf8.count + character.utf8.count > mostBytes - hash.count - 1 { break }
        start.append(character)
      }
      return "\(start)_\(hash)"
    }

    private static func name(_ relationship: SQLRelationshipName) -> String {
      "\(snake(relationship.entity))_\(snake(relationship.relationship))"
    }

    /// `created_at` of `createdAt`.
    static func snake(_ name: String) -> String {
      var result = ""
      var wasLower = false
      for character in name {
        if character.isUppercase, wasLower { result += "_" }
        result += character.lowercased()
        wasLower = character.isLowercase || character.isNumber
      }
      return result
    }
  }
#endif
