#if PostgreSQL
  import CoreData
  import Foundation

  /// A query of values, and the objects that memory selects for it.
  struct PostgreSQLAggregatePlan {
    private let query: AggregateQuery
    private let reader: SQLReader
    /// `nil` where the server evaluates the whole predicate.
    private let residue: SQLResidualFilter?

    /// - Throws: an error when the values, the groups or their order have no SQL.
    init(query: AggregateQuery, reader: SQLReader) throws {
      self.reader = reader
      var known = query
      if try SQLUntranslatable.asNil({ try Self.statement(query, reader: reader) }) == nil {
        var objects = query.objects
        if case .eachObject = query.grouping {} else { objects.sortDescriptors = [] }
        residue = try reader.residue(objects)
        known.objects.predicate = nil
        (known.objects.limit, known.objects.offset) = (0, 0)
        known.objects.keys = []
        _ = try Self.statement(known, reader: reader)
      } else {
        residue = nil
      }
      self.query = known
    }

    /// Runs the body in one snapshot if it has more than one query.
    func together<Value>(on connection: some SQLQueryConnection, _ body: () throws -> Value) throws -> Value {
      try residue == nil ? body() : connection.together(body)
    }

    /// The statement, after memory has decided.
    func statement(on connection: some SQLQueryConnection) throws -> SQLStatement {
      guard let residue else { return try Self.statement(query, reader: reader) }
      var decided = query
      decided.objects.keys = try reader.rows(of: residue, includesRows: false, on: connection).map(\.key)
      return try Self.statement(decided, reader: reader)
    }

    private static func statement(_ query: AggregateQuery, reader: SQLReader) throws -> SQLStatement {
      try SQLAggregateQuery(query, schema: reader.schema, store: reader.store, dialect: reader.dialect)
        .statement()
    }
  }
#endif
