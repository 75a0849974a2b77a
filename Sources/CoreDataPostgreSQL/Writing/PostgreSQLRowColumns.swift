#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// The columns of some rows of one entity, gathered for a statement that writes them all.
  struct PostgreSQLRowColumns {
    /// Rows that go to the server together.
    static let rowsPerStatement = 1000

    private let encoder: PostgreSQLRowEncoder
    private(set) var arrays: [PostgreSQLArray]
    /// The number of the rows.
    private(set) var count = 0
    /// The columns with a value that may be too long for an index.
    private(set) var longColumns: Set<String> = []
    /// The names of the columns, in the order of the arrays.
    var names: [String] { encoder.names }

    init(_ entity: SQLEntity, slots: [Int], references: SQLReferences) {
      encoder = PostgreSQLRowEncoder(entity, slots: slots, references: references)
      arrays = encoder.types.map(PostgreSQLArray.init(type:))
    }

    var values: [PostgreSQLValue] { arrays.map(\.value) }

    /// Adds a row.
    ///
    /// - Throws: an error that names the property whose value cannot be kept.
    mutating func append(_ row: Row) throws {
      // The closure must not take the encoder out of what it changes.
      let encoder = encoder
      try encoder.forEachValue(of: row) { column, value in
        arrays[column].append(value)
        if PostgreSQLLongValues.isLong(value) { longColumns.insert(encoder.names[column]) }
      }
      count += 1
    }
  }
#endif
