import Foundation
import SQLiteDriver

/// A migration object by object creates a new store, whose tables would otherwise get the names of new stores.
extension SQLiteStore: NameKeepingStore {
  static func keepNames(of former: URL, in new: URL, migration: LightweightMigration) throws {
    guard let (schema, guessed) = try joins(of: former, model: migration.source) else { return }
    try withConnections(new, isReadOnly: false, doing: "The names of tables could not be kept") {
      connections in
      try connections.write { database in
        let content = try SQLiteContent(database, file: new)
        guard var metadata = content.metadata else { return }
        let model = migration.destination
        let reshaping = SQLiteSchemaRebuild(
          schema: try SQLSchemaBuilder.build(model: model, entities: model.entities, catalog: content.catalog),
          catalog: content.catalog,
          file: new
        )
        let reshaped = try reshaping.run(
          database,
          keeping: SQLFormerJoins(schema: schema, correspondence: migration.correspondence)
        )
        metadata.setGuessedJoinTables(of: reshaped, after: guessed)
        try metadata.write(to: database, file: new, isNew: false)
      }
    }
  }

  /// The schema of a store, and its join tables with guessed names; `nil` where it has no join table.
  private static func joins(
    of url: URL,
    model: NSManagedObjectModel
  ) throws -> (schema: SQLSchema, guessed: [String])? {
    try withConnections(url, isReadOnly: true, doing: "The names of tables could not be read") {
      connections in
      try connections.look { database in
        let content = try SQLiteContent(database, file: url)
        guard let metadata = content.metadata else { return nil }
        let stored = NSManagedObjectModel.entityVersionHashes(inStoreMetadata: metadata.properties) ?? [:]
        let schema = try SQLSchemaBuilder.build(
          model: model,
          entities: model.entities.filter { stored[$0.name ?? ""] != nil },
          catalog: content.catalog
        )
        return schema.joinTables.isEmpty ? nil : (schema: schema, guessed: metadata.guessedJoinTables)
      }
    }
  }
}
