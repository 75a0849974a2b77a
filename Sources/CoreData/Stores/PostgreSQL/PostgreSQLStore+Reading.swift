#if PostgreSQL
  import Foundation
  import PostgreSQLDriver

  extension PostgreSQLStore {
    /// Lets memory evaluate a query whose calculations overflow, because memory's result is infinity, and
    /// the server's an error.
    private static func withoutOverflow<Value>(
      _ answer: () throws -> Value,
      orElse decide: () throws -> Value
    ) throws -> Value {
      do {
        return try answer()
      } catch let error as PostgreSQLError where error.isOutOfRange {
        do {
          return try decide()
        } catch let second as PostgreSQLError where second.state == "25P02" {
          // The error has ended the transaction of the caller.
          throw error
        }
      }
    }

    func fetch(_ query: FetchQuery) throws -> [FetchedRow] { try fetch(query, from: engine().newest) }

    func count(_ query: FetchQuery) throws -> Int { try count(query, from: engine().newest) }

    func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
      try row(of: reference, layout: layout, from: engine().newest)
    }

    func destinations(
      of relationship: Int,
      from reference: ObjectReference,
      layout: EntityLayout
    ) throws -> [ObjectReference] {
      try destinations(of: relationship, from: reference, layout: layout, from: engine().newest)
    }

    func destinations(
      of relationship: Int,
      fromEach references: [ObjectReference],
      layout: EntityLayout
    ) throws -> [[FetchedRow]] {
      try destinations(of: relationship, fromEach: references, layout: layout, from: engine().newest)
    }

    func snapshot() throws -> (any StoreReader)? {
      let engine = try engine()
      return try reading("The state of the store could not be kept") {
        try PostgreSQLSnapshot(store: self, engine: engine)
      }
    }

    /// The server refuses a query of a table with a policy that hides rows, also a query for no rows.
    func requireAllRows() throws {
      let engine = try engine()
      let names = engine.schema.tables.map(\.name) + engine.schema.joinTables.map(\.name)
      try reading("The store cannot be read as a whole") {
        try engine.connections.read(checkedBy: engine.guardian) { connection in
          try connection.requireAllRows()
          _ = try connection.run(
            names.map { PostgreSQLStatement(sql: "SELECT 1 FROM \(engine.dialect.table($0)) LIMIT 0") }
          )
        }
      }
    }

    // MARK: - From the newest state or another

    func fetch(_ query: FetchQuery, from source: some SQLReadSource) throws -> [FetchedRow] {
      let engine = try engine()
      return try reading("The fetch failed") {
        let reader = engine.reader(index)
        return try Self.withoutOverflow {
          try reader.fetch(query, from: source)
        } orElse: {
          try reader.decidedRows(query, decidesAll: true, from: source)
        }
      }
    }

    func count(_ query: FetchQuery, from source: some SQLReadSource) throws -> Int {
      let engine = try engine()
      return try reading("The count failed") {
        let reader = engine.reader(index)
        return try Self.withoutOverflow {
          try reader.count(query, from: source)
        } orElse: {
          try reader.decidedCount(query, decidesAll: true, from: source)
        }
      }
    }

    func row(
      of reference: ObjectReference,
      layout: EntityLayout,
      from source: some SQLReadSource
    ) throws -> FetchedRow? {
      let engine = try engine()
      return try reading("The object could not be read") {
        try engine.reader(index).row(of: reference, layout: layout, from: source)
      }
    }

    func destinations(
      of relationship: Int,
      from reference: ObjectReference,
      layout: EntityLayout,
      from source: some SQLReadSource
    ) throws -> [ObjectReference] {
      let engine = try engine()
      return try reading("The relationship could not be read") {
        try engine.reader(index)
          .destinations(of: relationship, from: reference, layout: layout, from: source)
      }
    }

    func destinations(
      of relationship: Int,
      fromEach references: [ObjectReference],
      layout: EntityLayout,
      from source: some SQLReadSource
    ) throws -> [[FetchedRow]] {
      let engine = try engine()
      return try reading("The relationship could not be read") {
        try engine.reader(index)
          .destinations(of: relationship, fromEach: references, layout: layout, from: source)
      }
    }
  }
#endif
