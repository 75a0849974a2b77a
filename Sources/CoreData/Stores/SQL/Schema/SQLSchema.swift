/// The entities of a model as they lie in one database: their numbers, tables, columns and indexes.
///
/// Made once when a store is opened, and not changed afterwards.
// Immutable once it is made; it keeps the model alive that its entities and layouts are of.
package final class SQLSchema: @unchecked Sendable {
  package let model: NSManagedObjectModel
  let parts: SQLSchemaParts

  var names: any SQLNames { parts.names }
  package var tables: [SQLTable] { parts.tables }
  package var joinTables: [SQLJoinTable] { parts.joinTables }
  package var indexes: [SQLIndex] { parts.indexes }
  package var constraints: [SQLConstraint] { parts.constraints }
  /// The entities of the store, in the order of their numbers.
  package var entities: [SQLEntity] { parts.entities }

  init(model: NSManagedObjectModel, parts: SQLSchemaParts) {
    self.model = model
    self.parts = parts
  }

  /// The entity with a number of the model; `nil` when it is not in the store's configuration.
  package func entity(modelNumber: Int32) -> SQLEntity? { parts.entity(modelNumber: Int(modelNumber)) }

  /// The entity with a number of the store, as rows have it.
  package func entity(storeNumber: Int64) -> SQLEntity? { parts.byStoreNumber[storeNumber] }

  package func entity(_ entity: NSEntityDescription) throws -> SQLEntity {
    guard let found = self.entity(modelNumber: Int32(entity.number)), found.entity === entity else {
      throw StoreFailure.incompatibleSchema(
        """
        The entity \(entity.name ?? "") is not in the configuration or the model that the store was opened \
        with; ask a store that keeps it.
        """
      )
    }
    return found
  }

  /// The entity numbers of the rows that a fetch of an entity finds; `nil` when every number is possible.
  func rowNumbers(of entity: SQLEntity, includingSubentities: Bool) -> [Int64]? {
    guard entity.table.hasSubentities else { return nil }
    if includingSubentities, entity.entity === entity.table.root { return nil }
    return includingSubentities ? entity.familyNumbers : [entity.number]
  }
}

/// The parts of a schema without its model. The model may cache them for the next store.
// Immutable once it is made. Its owner keeps the model alive that its entities and layouts belong to.
final class SQLSchemaParts: @unchecked Sendable {
  let names: any SQLNames
  let tables: [SQLTable]
  let joinTables: [SQLJoinTable]
  let indexes: [SQLIndex]
  let constraints: [SQLConstraint]
  let entities: [SQLEntity]
  /// By the entity's number in the model.
  private let byModelNumber: [SQLEntity?]
  fileprivate let byStoreNumber: [Int64: SQLEntity]

  /// - Parameter entityCount: the number of all entities of the model.
  init(
    names: any SQLNames,
    entityCount: Int,
    entities: [SQLEntity],
    tables: [SQLTable],
    joinTables: [SQLJoinTable],
    indexes: [SQLIndex],
    constraints: [SQLConstraint]
  ) {
    self.names = names
    self.entities = entities
    self.tables = tables
    self.joinTables = joinTables
    self.indexes = indexes
    self.constraints = constraints
    var byModelNumber = [SQLEntity?](repeating: nil, count: entityCount + 1)
    for entity in entities { byModelNumber[entity.entity.number] = entity }
    self.byModelNumber = byModelNumber
    byStoreNumber = Dictionary(entities.map { ($0.number, $0) }, uniquingKeysWith: { first, _ in first })
    for entity in entities {
      entity.familyNumbers = entity.entity.selfAndAllSubentities.compactMap { byModelNumber[$0.number]?.number }
    }
  }

  fileprivate func entity(modelNumber number: Int) -> SQLEntity? {
    byModelNumber.indices.contains(number) ? byModelNumber[number] : nil
  }
}
