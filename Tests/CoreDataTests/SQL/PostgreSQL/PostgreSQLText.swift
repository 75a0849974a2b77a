#if PostgreSQL
  import CoreData
  import Foundation

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  /// Translates requests of the test model into PostgreSQL's dialect.
  enum PostgreSQLText {
    static let dialect = PostgreSQLDialect()
    static let schema = build(TestModel.shared)

    static func build(_ model: NSManagedObjectModel) -> SQLSchema {
      model.freeze()
      do {
        return try SQLSchemaBuilder.build(
          model: model,
          entities: model.entities,
          catalog: nil,
          names: PostgreSQLNames()
        )
      } catch {
        fatalError("the model has no schema: \(error)")
      }
    }

    static func query(_ entity: String, _ format: String? = nil, _ arguments: [Any?] = []) throws
      -> FetchQuery
    {
      var query = FetchQuery(entity: try TestRows.entity(entity))
      query.predicate = try format.map { try NSPredicate(parsing: $0, arguments: arguments) }
      return query
    }

    static func fetch(_ query: FetchQuery) throws -> SQLFetch {
      try SQLFetch(query, schema: schema, store: 0, dialect: dialect)
    }

    /// The condition for a predicate of notes, with its tables if there are others than that of the notes.
    static func condition(_ format: String, _ arguments: [Any?] = []) throws -> SQLStatement {
      var statement = try fetch(query("Note", format, arguments)).rows(["z_pk"])
      let sql = statement.sql.dropFirst("SELECT t0.z_pk FROM note t0".count)
      statement.sql = String(sql.hasPrefix(" WHERE ") ? sql.dropFirst(" WHERE ".count) : sql)
      return statement
    }
  }
#endif
