import Synchronization

/// The row plans of a schema's entities.
final class SQLRowPlans: @unchecked Sendable {
  /// The query of one row by its key, whatever its entity under a root.
  struct Lookup {
    let plan: SQLRowPlan
    let sql: String
  }

  private struct Key: Hashable {
    let entity: Int32
    let includesSubentities: Bool
  }

  private let schema: SQLSchema
  /// Made when they are first asked for.
  private let plans = Mutex<[Key: UncheckedSendable<SQLRowPlan>]>([:])
  /// By the root's number in the model.
  private let lookups: [Lookup?]

  init(schema: SQLSchema, dialect: any SQLDialect) {
    self.schema = schema
    var lookups = [Lookup?](repeating: nil, count: schema.model.entities.count + 1)
    for table in schema.tables {
      let plan = Self.makePlan(table.root.selfAndAllSubentities, schema)
      if plan.shapes.isEmpty { continue }
      let columns = plan.columns.map(dialect.identifier).joined(separator: ", ")
      lookups[table.root.number] = Lookup(
        plan: plan,
        sql: "SELECT \(columns) FROM \(dialect.identifier(table.name)) "
          + "WHERE \(SQLNames.primaryKey) = \(dialect.placeholder(1))"
      )
    }
    self.lookups = lookups
  }

  /// The plan of a fetch of an entity.
  func plan(_ entity: SQLEntity, includesSubentities: Bool) -> SQLRowPlan {
    let key = Key(entity: entity.layout.number, includesSubentities: includesSubentities)
    return plans.withLock { plans in
      if let plan = plans[key] { return plan }
      let plan = Self.makePlan(
        includesSubentities ? entity.entity.selfAndAllSubentities : [entity.entity],
        schema
      )
      plans[key] = UncheckedSendable(plan)
      return UncheckedSendable(plan)
    }.value
  }

  /// The query of a row by its key; `nil` when no entity under the root can have rows.
  func lookup(root: Int32) -> Lookup? {
    lookups.indices.contains(Int(root)) ? lookups[Int(root)] : nil
  }

  private static func makePlan(_ entities: [NSEntityDescription], _ schema: SQLSchema) -> SQLRowPlan {
    SQLRowPlan(
      entities: entities.filter { !$0.isAbstract }.compactMap {
        schema.entity(modelNumber: Int32($0.number))
      }
    )
  }
}
