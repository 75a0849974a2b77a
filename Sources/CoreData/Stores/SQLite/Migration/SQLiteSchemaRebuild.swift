import Foundation
import ModelFormats
import SQLiteDriver

/// Brings the tables of a store to another schema of the model that it has.
struct SQLiteSchemaRebuild {
  /// The schema of the store as it is.
  let schema: SQLSchema
  let catalog: SQLCatalog
  let file: URL

  /// A correspondence of the model's entities and properties with themselves.
  static func identity(of model: NSManagedObjectModel) -> ModelCorrespondence {
    let document = ModelDocument(model)
    return ModelCorrespondence(from: document, to: document)
  }

  /// Makes the tables that a new store would have.
  ///
  /// - Parameter formerJoins: the join tables whose names are kept.
  /// - Returns: the schema that the store has now.
  @discardableResult
  func run(_ database: Database, keeping formerJoins: SQLFormerJoins) throws -> SQLSchema {
    let new = try SQLSchemaBuilder.build(
      model: schema.model,
      entities: schema.entities.map(\.entity),
      formerJoins: formerJoins
    )
    let plan = try SQLMigrationPlanner.plan(
      SQLMigrationMap(old: schema, new: new, correspondence: Self.identity(of: schema.model)),
      database: SQLMigrationSource(database),
      catalog: catalog,
      dialect: SQLiteDialect()
    )
    _ = try plan.run(in: database, file: file, log: MigrationLog(file))
    return new
  }
}
