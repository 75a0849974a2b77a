#if PostgreSQL
  package import Foundation

  /// A value that a statement binds.
  ///
  /// All values except bytes are sent as text of an unknown type, so that the server infers the
  /// type from the statement. Bytes are sent as they are.
  package enum PostgreSQLValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)
    case bytes(Data)
  }

  /// A statement and the values it binds.
  package struct PostgreSQLStatement: Sendable {
    /// The text, in which `$1` refers to the first value.
    package var sql: String
    /// The values, in the order of their numbers.
    package var values: [PostgreSQLValue]
    /// True when the connection is to hold the statement prepared.
    package var isCached: Bool

    package init(sql: String, values: [PostgreSQLValue] = [], isCached: Bool = false) {
      self.sql = sql
      self.values = values
      self.isCached = isCached
    }
  }
#endif
