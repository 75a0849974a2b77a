import Synchronization

/// The schemas of the stores that a model was last used with. A store with the same tables, or the same store
/// opened again, has the same.
final class SQLSchemaCache: ModelCache {
  private struct Entry: Sendable {
    let entities: [ObjectIdentifier]
    let catalog: SQLCatalog
    let parts: SQLSchemaParts
  }

  /// The number of cached schemas. A program has a store for each configuration, and rarely more than a few.
  private static let limit = 4

  private let entries = Mutex<[Entry]>([])

  /// The schema of a database.
  ///
  /// - Parameters:
  ///   - model: the model that owns this cache, which is in use.
  ///   - entities: the entities of the store.
  ///   - catalog: the tables of the database.
  ///   - made: creates the schema if it is not cached.
  func schema(
    of model: NSManagedObjectModel,
    entities: [NSEntityDescription],
    in catalog: SQLCatalog,
    made: () throws -> SQLSchema
  ) rethrows -> SQLSchema {
    let identifiers = entities.map(ObjectIdentifier.init)
    let known = entries.withLock { entries -> SQLSchemaParts? in
      guard let index = entries.firstIndex(where: { $0.entities == identifiers && $0.catalog == catalog })
      else { return nil }
      // The least recently used entry is evicted first.
      entries.append(entries.remove(at: index))
      return entries.last?.parts
    }
    if let known { return SQLSchema(model: model, parts: known) }
    let schema = try made()
    entries.withLock { entries in
      if entries.count == Self.limit { entries.removeFirst() }
      entries.append(Entry(entities: identifiers, catalog: catalog, parts: schema.parts))
    }
    return schema
  }
}

extension NSManagedObjectModel {
  /// The schemas that SQL stores derive from the model, once it is in use.
  final var schemas: SQLSchemaCache { caches[SQLSchemaCache.self] }
}
