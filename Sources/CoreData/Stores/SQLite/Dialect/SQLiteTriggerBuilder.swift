/// Writes the triggers of derived attributes for the tables of a new store.
///
/// The triggers for `now()`, and for a count over a to-many relationship with a to-one inverse, are spelled as in
/// Apple-made stores. Apple-made triggers of other forms are not known. The other triggers have similar names and use
/// plain SQL only, so that they work in every process that opens the store.
struct SQLiteTriggerBuilder {
  let schema: SQLSchema
  let dialect: SQLiteDialect

  /// - Throws: `NSPersistentStoreIncompatibleSchemaError` for an expression that no store can compute.
  func triggers() throws -> [SQLiteTrigger] {
    try schema.entities.flatMap { entity in
      try entity.entity.ownProperties.compactMap { $0 as? NSDerivedAttributeDescription }
        .filter { !$0.isTransient }.sorted { $0.name < $1.name }
        .flatMap { try triggers(of: $0, entity: entity) }
    }
  }

  private func triggers(of attribute: NSDerivedAttributeDescription, entity: SQLEntity) throws
    -> [SQLiteTrigger]
  {
    guard let derivation = SQLDerivation(attribute), let column = slot(attribute, entity: entity)?.column
    else { throw unknown(attribute) }
    let target = DerivedColumn(entity: entity, attribute: attribute.name, column: column, dialect: dialect)
    switch derivation {
    case .now: return nowTriggers(target)
    // The save itself computes it, because there is no SQL function for it that every process has.
    case .text: return []
    case .copy(let source):
      guard let source = slot(source, entity: entity) else { throw unknown(attribute) }
      return copyTriggers(target, source: source.column)
    case .destination(let relationship, let source):
      guard let key = slot(relationship, entity: entity), let destination = destination(of: relationship),
        let source = slot(source, entity: destination)
      else { throw unknown(attribute) }
      return destinationTriggers(
        target,
        key: key.column,
        table: destination.table.name,
        source: source.column
      )
    case .count(let relationship):
      switch toMany(relationship, entity: entity) {
      case .foreignKey(let key): return countTriggers(target, key: key)
      case .join(let join) where !join.isOwnInverse: return joinCountTriggers(target, join: join)
      default: throw unknown(attribute)
      }
    case .sum(let relationship, let source):
      guard case .foreignKey(let key) = toMany(relationship, entity: entity),
        let source = destination(of: relationship).flatMap({ slot(source, entity: $0) })
      else { throw unknown(attribute) }
      return sumTriggers(target, key: key, source: source.column)
    }
  }

  // MARK: - As in Apple-made stores

  private func nowTriggers(_ target: DerivedColumn) -> [SQLiteTrigger] {
    let body = target.set("NSCoreDataNow()", key: "NEW.Z_PK")
    return [
      target.trigger("INSERT", event: .insert, when: "NEW.Z_OPT NOT NULL", body: body(true), ofOwnRows: true),
      target.trigger("UPDATE", event: .update([SQLiteNames().version]), body: body(false), ofOwnRows: true),
    ]
  }

  private func countTriggers(_ target: DerivedColumn, key: SQLForeignKey) -> [SQLiteTrigger] {
    let (new, old) = ("NEW.\(name(key.column))", "OLD.\(name(key.column))")
    let (other, table) = (name(key.column), name(key.table.name))
    let more = target.set("\(target.name) + 1", key: new)(false)
    let less = target.set("\(target.name) - 1", key: old)(false)
    let first = target.set("IFNULL(\(target.name), 0) + 1", key: new)(false)
    let all = target.set("(SELECT IFNULL(COUNT(\(other)), 0) FROM \(table) WHERE \(other) = NEW.Z_PK)", key: "NEW.Z_PK")
    let update = SQLiteTrigger.Event.update([key.column])
    func parameter(_ suffix: String, event: SQLiteTrigger.Event, key: String, body: [String])
      -> SQLiteTrigger
    {
      target.trigger("PARAMETER_\(suffix)", on: table, event: event, when: "\(key) NOT NULL", body: body)
    }
    return [
      parameter("INSERT", event: .insert, key: new, body: first),
      parameter("UPDATE_INCREMENT", event: update, key: new, body: more),
      parameter("UPDATE_DECREMENT", event: update, key: old, body: less),
      parameter("DELETE", event: .delete, key: old, body: less),
      target.trigger("SOURCE_INSERT", event: .insert, body: all(true), ofOwnRows: true),
    ]
  }

  // MARK: - Of other forms

  private func copyTriggers(_ target: DerivedColumn, source: String) -> [SQLiteTrigger] {
    let body = target.set("NEW.\(name(source))", key: "NEW.Z_PK")
    return [
      target.trigger("INSERT", event: .insert, body: body(true), ofOwnRows: true),
      target.trigger("UPDATE", event: .update([source]), body: body(false), ofOwnRows: true),
    ]
  }

  private func destinationTriggers(
    _ target: DerivedColumn,
    key: String,
    table: String,
    source: String
  ) -> [SQLiteTrigger] {
    let value = "(SELECT \(name(source)) FROM \(name(table)) WHERE Z_PK = NEW.\(name(key)))"
    let own = target.set(value, key: "NEW.Z_PK")
    let others = target.set("NEW.\(name(source))", where: "\(name(key)) = NEW.Z_PK")
    return [
      target.trigger("PARAMETER_INSERT", on: table, event: .insert, body: others),
      target.trigger("PARAMETER_UPDATE", on: table, event: .update([source]), body: others),
      target.trigger("SOURCE_INSERT", event: .insert, body: own(true), ofOwnRows: true),
      target.trigger("SOURCE_UPDATE", event: .update([key]), body: own(false), ofOwnRows: true),
    ]
  }

  private func sumTriggers(_ target: DerivedColumn, key: SQLForeignKey, source: String) -> [SQLiteTrigger] {
    let column = name(key.column)
    let value = "(SELECT IFNULL(SUM(\(name(source))), 0) FROM \(name(key.table.name)) WHERE \(column) = "
    func parameter(_ suffix: String, event: SQLiteTrigger.Event, row: String) -> SQLiteTrigger {
      let body = target.set("\(value)\(row).\(column))", key: "\(row).\(column)")(false)
      return target.trigger(
        "PARAMETER_\(suffix)",
        on: key.table.name,
        event: event,
        when: "\(row).\(column) NOT NULL",
        body: body
      )
    }
    let update = SQLiteTrigger.Event.update([key.column, source])
    return [
      parameter("INSERT", event: .insert, row: "NEW"), parameter("UPDATE_NEW", event: update, row: "NEW"),
      parameter("UPDATE_OLD", event: update, row: "OLD"), parameter("DELETE", event: .delete, row: "OLD"),
      target.trigger(
        "SOURCE_INSERT",
        event: .insert,
        body: target.set("\(value)NEW.Z_PK)", key: "NEW.Z_PK")(true),
        ofOwnRows: true
      ),
    ]
  }

  private func joinCountTriggers(_ target: DerivedColumn, join: SQLJoin) -> [SQLiteTrigger] {
    let source = name(join.source)
    let value = "(SELECT COUNT(*) FROM \(name(join.table.name)) WHERE \(source) = "
    func parameter(_ suffix: String, event: SQLiteTrigger.Event, row: String) -> SQLiteTrigger {
      let body = target.set("\(value)\(row).\(source))", key: "\(row).\(source)")(false)
      return target.trigger("PARAMETER_\(suffix)", on: join.table.name, event: event, body: body)
    }
    return [
      parameter("INSERT", event: .insert, row: "NEW"), parameter("DELETE", event: .delete, row: "OLD"),
      target.trigger(
        "SOURCE_INSERT",
        event: .insert,
        body: target.set("\(value)NEW.Z_PK)", key: "NEW.Z_PK")(true),
        ofOwnRows: true
      ),
    ]
  }

  // MARK: - Names

  private func slot(_ property: NSPropertyDescription, entity: SQLEntity) -> SQLSlot? {
    guard case .slot(let number) = entity.layout.places[property.name] else { return nil }
    return entity.slots[number]
  }

  private func toMany(_ relationship: NSRelationshipDescription, entity: SQLEntity) -> SQLToMany? {
    guard case .toMany(let number) = entity.layout.places[relationship.name] else { return nil }
    return entity.toMany[number]
  }

  private func destination(of relationship: NSRelationshipDescription) -> SQLEntity? {
    relationship.destinationEntity.flatMap { try? schema.entity($0) }
  }

  private func name(_ name: String) -> String { dialect.identifier(name) }

  private func unknown(_ attribute: NSDerivedAttributeDescription) -> any Error {
    let expression = attribute.derivationExpression?.description ?? "nothing"
    return StoreFailure.incompatibleSchema(
      """
      \(attribute.modelPath) is derived from \(expression), which a SQLite store cannot compute; use an attribute, \
      destination.attribute, relationship.@count, relationship.attribute.@sum, canonical:, uppercase:, lowercase: \
      or now().
      """
    )
  }
}

/// The column of a derived attribute, and how triggers write it.
private struct DerivedColumn {
  let entity: SQLEntity
  let attribute: String
  let column: String
  let dialect: SQLiteDialect

  var name: String { dialect.identifier(column) }
  private var table: String { dialect.identifier(entity.table.name) }

  /// The statements that set the column in the row with a key, and tell who listens; the answer
  /// says so for a row that is being inserted or for another.
  func set(_ value: String, key: String) -> (_ isInserted: Bool) -> [String] {
    { isInserted in statements(value, condition: "Z_PK = \(key)", isInserted: isInserted) }
  }

  /// The statements that set the column in some rows.
  func set(_ value: String, where condition: String) -> [String] {
    statements(value, condition: condition, isInserted: false)
  }

  private func statements(_ value: String, condition: String, isInserted: Bool) -> [String] {
    let function =
      isInserted
      ? "NSCoreDataDATriggerInsertUpdatedAffectedObjectValue"
      : "NSCoreDataDATriggerUpdatedAffectedObjectValue"
    return [
      "UPDATE \(table) SET \(name) = \(value) WHERE \(condition)",
      "SELECT \(function)(\(text(entity.table.name)), Z_ENT, Z_PK, \(text(attribute)), \(name)) "
        + "FROM \(table) WHERE \(condition)",
    ]
  }

  /// - Parameter ofOwnRows: true when only rows that have the attribute may fire the trigger,
  ///   because the table has rows of other entities as well.
  func trigger(
    _ suffix: String,
    on other: String? = nil,
    event: SQLiteTrigger.Event,
    when condition: String? = nil,
    body: [String],
    ofOwnRows: Bool = false
  ) -> SQLiteTrigger {
    var condition = condition
    if ofOwnRows, entity.entity !== entity.table.root {
      let numbers = entity.familyNumbers.map(String.init).joined(separator: ", ")
      condition = [condition, "NEW.Z_ENT IN (\(numbers))"].compactMap(\.self).joined(separator: " AND ")
    }
    let table = other ?? entity.table.name
    return SQLiteTrigger(
      name: "Z_DA_\(table)_\(entity.entity.name ?? "")_\(attribute)_\(suffix)",
      table: table,
      event: event,
      condition: condition,
      body: body
    )
  }

  private func text(_ text: String) -> String {
    "'\(text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''"))'"
  }
}
