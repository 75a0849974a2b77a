#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// Inserts many rows into one table that do not conflict with existing ones: by COPY, or by
  /// statements that bind arrays where the server does not support COPY.
  struct PostgreSQLBulkInsertion {
    /// A column, and its type as arrays have it.
    struct Column {
      let name: String
      let type: String
    }

    private let table: String
    private let columns: [Column]
    private let usesCopy: Bool
    private let dialect = PostgreSQLDialect()

    /// - Parameter capabilities: the capabilities of the server that the store uses.
    init(table: String, columns: [Column], capabilities: PostgreSQLCapabilities) {
      self.table = table
      self.columns = columns
      usesCopy = capabilities[.binaryCopy]
    }

    /// Inserts rows with a value for each column.
    ///
    /// - Parameter longValues: replaces indexes that the values are too long for.
    func run(_ rows: [[SQLValue]], on connection: PostgreSQLConnection, longValues: PostgreSQLLongValues) throws {
      let long = columns.indices.filter { index in
        ["text", "bytea"].contains(columns[index].type)
          && rows.contains { PostgreSQLLongValues.isLong($0[index]) }
      }
      try longValues.writing(long.map { columns[$0].name }, of: table) { try run(rows, on: connection) }
    }

    /// Inserts rows whose values no index is too short for.
    func run(_ rows: [[SQLValue]], on connection: PostgreSQLConnection) throws {
      let names = columns.map { dialect.identifier($0.name) }.joined(separator: ", ")
      if usesCopy {
        var data = PostgreSQLCopyData(table: table, columns: columns)
        for row in rows { try data.append(row) }
        var rest: Data? = data.finished()
        _ = try connection.copy("COPY \(dialect.identifier(table)) (\(names)) FROM STDIN (FORMAT binary)") {
          defer { rest = nil }
          return rest
        }
        return
      }
      var arrays = columns.map { PostgreSQLArray(type: $0.type) }
      for row in rows { for (index, value) in row.enumerated() { arrays[index].append(value) } }
      let unnested = arrays.indices.map { "$\($0 + 1)::\(arrays[$0].type)[]" }.joined(separator: ", ")
      try connection.run(
        "INSERT INTO \(dialect.identifier(table)) (\(names)) SELECT * FROM unnest(\(unnested))",
        values: arrays.map(\.value),
        isCached: true
      )
    }
  }
#endif
