#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// The version of a schema's functions, stored as the comment on one of them.
  struct PostgreSQLFunctionVersion: Equatable, Sendable {
    /// Incremented with each change of the functions' results.
    static let newestLibrary = 1

    let library: Int
    /// The number of marks that memory knows; see ``PostgreSQLFunctions/markCount``.
    let marks: Int
    /// The server's version, and that of its case mappings.
    let server: String

    init(library: Int, marks: Int, server: String) {
      (self.library, self.marks, self.server) = (library, marks, server)
    }

    /// The version of the functions that this process would make.
    init(for connection: PostgreSQLConnection) throws {
      let result = try connection.run(
        """
        SELECT (current_setting('server_version_num')::integer / 10000)::text || ' ' \
        || coalesce(pg_collation_actual_version(oid), '') FROM pg_collation WHERE collname = 'und-x-icu'
        """
      )
      self.init(
        library: Self.newestLibrary,
        marks: PostgreSQLFunctions.markCount,
        server: result.rowCount > 0 ? result.text(0, column: 0) ?? "" : ""
      )
    }

    /// The version of the functions in a schema; `nil` if it has no version.
    init?(in schema: String, connection: PostgreSQLConnection) throws {
      let result = try connection.run(
        "SELECT obj_description(to_regprocedure($1 || '.perennial_fold_c(text)'), 'pg_proc')",
        values: [.text(connection.identifier(schema))]
      )
      guard let text = result.text(0, column: 0), let found = Self(text) else { return nil }
      self = found
    }

    /// - Returns: `nil` for a text that is not a version.
    init?(_ text: String) {
      let parts = text.split(separator: " ", maxSplits: 4).map(String.init)
      guard parts.count == 5, parts[0] == "perennial", let library = Int(parts[1]), parts[2] == "marks",
        let marks = Int(parts[3])
      else { return nil }
      self.init(library: library, marks: marks, server: parts[4])
    }

    var text: String { "perennial \(library) marks \(marks) \(server)" }

    /// True where functions of this version should replace others. The functions of a newer library stay.
    func replaces(_ other: Self?) -> Bool {
      guard let other else { return true }
      if (library, marks) == (other.library, other.marks) { return server != other.server }
      return (library, marks) > (other.library, other.marks)
    }
  }
#endif
