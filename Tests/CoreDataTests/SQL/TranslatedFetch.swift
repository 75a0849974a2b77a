import Foundation

@testable import CoreData

/// Translates fetches of the test model into SQL.
enum TranslatedFetch {
  static let schema: SQLSchema = {
    let model = TestModel.shared
    model.freeze()
    do {
      return try SQLSchemaBuilder.build(model: model, entities: model.entities)
    } catch {
      fatalError("the test model has no schema: \(error)")
    }
  }()

  static func statement(
    _ entity: String,
    _ predicate: NSPredicate? = nil,
    sort: [NSSortDescriptor] = [],
    limit: Int = 0,
    offset: Int = 0
  ) throws -> SQLStatement {
    guard let description = TestModel.shared.entitiesByName[entity] else { fatalError("no entity \(entity)") }
    var query = FetchQuery(entity: description)
    query.predicate = predicate
    query.sortDescriptors = sort
    query.limit = limit
    query.offset = offset
    return try SQLFetch(query, schema: schema, store: 0, dialect: SQLiteDialect()).rows(["Z_PK"])
  }
}
