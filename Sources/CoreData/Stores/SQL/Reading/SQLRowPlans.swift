import Synchronization

/// The row plans of a schema's entities.
// A lock guards the plans that are created on demand. A plan is immutable.
package final class SQLRowPlans: @unchecked Sendable {
  /// The query of one row by its key, whatever its entity under a root.
  struct Lookup {
    let plan: SQLRowPlan
    let text: SQLText
  }

  private struct Key: Hashable {
    let entity: Int32
    let includesSubentities: Bool
  }

  /// A to-many relationship of an entity.
  private struct Source: Hashable {
    let entity: Int32
    let relationship: Int
  }

  /// The plans and texts that were made when they were first asked for.
  // The lock of the plans guards it; its content is immutable.
  private struct Cache: @unchecked Sendable {
    var plans: [Key: SQLRowPlan] = [:]
    /// By the root's number in the model; `nil` inside for a root that no row can be under.
    var lookups: [Int32: Lookup?] = [:]
    var destinations: [Source: SQLText?] = [:]
  }

  private let schema: SQLSchema
  private let dialect: any SQLDialect
  private let cache = Mutex(Cache())

  package init(schema: SQLSchema, dialect: any SQLDialect) {
    self.schema = schema
    self.dialect = dialect
  }

  /// The plan of a fetch of an entity.
  ///
  /// - Parameter properties: the names of the properties that rows contain; `nil` for all.
  package func plan(_ entity: SQLEntity, includesSubentities: Bool, properties: Set<String>? = nil)
    -> SQLRowPlan
  {
    func makePlan() -> SQLRowPlan {
      self.makePlan(
        entity.table,
        entities: includesSubentities ? entity.entity.selfAndAllSubentities : [entity.entity],
        properties: properties
      )
    }
    if properties != nil { return makePlan() }
    let key = Key(entity: entity.layout.number, includesSubentities: includesSubentities)
    return cache.withLock { cache in
      if let plan = cache.plans[key] { return UncheckedSendable(plan) }
      let plan = makePlan()
      cache.plans[key] = plan
      return UncheckedSendable(plan)
    }.value
  }

  /// The query of a row by its key; `nil` when no entity under the root can have rows.
  func lookup(root: Int32) -> Lookup? {
    cache.withLock { cache in
      if let lookup = cache.lookups[root] { return UncheckedSendable(lookup) }
      let lookup = makeLookup(root: root)
      cache.lookups[root] = lookup
      return UncheckedSendable(lookup)
    }.value
  }

  /// The query of the keys and entities that a to-many relationship of one object leads to, whose
  /// key is its parameter; `nil` for a transient relationship.
  func destinations(of relationship: Int, entity: SQLEntity) throws -> SQLText? {
    let source = Source(entity: entity.layout.number, relationship: relationship)
    return try cache.withLock { cache in
      if let text = cache.destinations[source] { return text }
      let query = SQLDestinationsQuery(relationship: entity.toMany[relationship], dialect: dialect)
      let text = try (query.statement(from: 0)?.sql).map(SQLText.init)
      cache.destinations[source] = .some(text)
      return text
    }
  }

  private func makeLookup(root: Int32) -> Lookup? {
    guard let table = schema.tables.first(where: { $0.root.number == Int(root) }) else { return nil }
    let plan = makePlan(table, entities: table.root.selfAndAllSubentities)
    if plan.shapes.isEmpty { return nil }
    let columns = plan.columns.map(dialect.identifier).joined(separator: ", ")
    return Lookup(
      plan: plan,
      text: SQLText(
        "SELECT \(columns) FROM \(dialect.table(table.name)) "
          + "WHERE \(dialect.identifier(table.primaryKey)) = \(dialect.placeholder(1))"
      )
    )
  }

  private func makePlan(
    _ table: SQLTable,
    entities: [NSEntityDescription],
    properties: Set<String>? = nil
  ) -> SQLRowPlan {
    SQLRowPlan(
      table,
      entities: entities.filter { !$0.isAbstract }.compactMap {
        schema.entity(modelNumber: Int32($0.number))
      },
      properties: properties,
      dialect: dialect
    )
  }
}
