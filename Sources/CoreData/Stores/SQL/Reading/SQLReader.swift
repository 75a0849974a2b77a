import Foundation

/// Reads the objects of a store out of its database: fetches, counts, objects by their keys, and relationships.
// Immutable.
@usableFromInline
package final class SQLReader: @unchecked Sendable {
  package let schema: SQLSchema
  package let dialect: any SQLDialect
  let plans: SQLRowPlans
  let texts: SQLFetchTexts
  /// The index of the store, which references have.
  @usableFromInline package let store: Int32
  /// The place of the store, for errors.
  let file: URL
  /// Decodes a column of an attribute whose data may be stored in files of their own.
  @usableFromInline let largeData: (UnsafeRawBufferPointer) throws -> Data

  package init(
    schema: SQLSchema,
    dialect: any SQLDialect,
    plans: SQLRowPlans,
    texts: SQLFetchTexts,
    store: Int32,
    file: URL,
    largeData: @escaping (UnsafeRawBufferPointer) throws -> Data
  ) {
    self.schema = schema
    self.dialect = dialect
    self.plans = plans
    self.texts = texts
    self.store = store
    self.file = file
    self.largeData = largeData
  }

  /// The number in the model of an entity that the store numbers; `nil` for an unknown one.
  @usableFromInline
  func entityNumber(_ storeNumber: Int64) -> Int32? { schema.entity(storeNumber: storeNumber)?.layout.number }

  // MARK: - Fetches

  package func fetch(_ query: FetchQuery, from source: some SQLReadSource) throws -> [FetchedRow] {
    let plan = plans.plan(
      try schema.entity(query.entity),
      includesSubentities: query.includesSubentities,
      properties: query.properties
    )
    let statement = try SQLUntranslatable.asNil {
      try self.statement(of: query, answer: query.includesRows ? .rows : .keys) { fetch in
        try query.includesRows ? fetch.rows(of: plan) : fetch.rows(fetch.keyColumns)
      }
    }
    if plan.shapes.isEmpty { return [] }
    guard let statement else { return try decidedRows(query, from: source) }
    return try source.readOnce { connection in
      try rows(
        of: statement,
        plan: plan,
        includesRows: query.includesRows,
        observer: query.observer,
        on: connection
      )
    }
  }

  /// The rows of a query of a plan's columns, or of the columns of keys and entities.
  package func rows<Connection: SQLQueryConnection>(
    of statement: SQLStatement,
    plan: SQLRowPlan,
    includesRows: Bool,
    observer: FetchObserver? = nil,
    on connection: Connection
  ) throws -> [FetchedRow] {
    var reader = SQLRowReader<Connection.Row>(self, plan: plan)
    var found: [FetchedRow] = []
    guard let observer else {
      try connection.forEachRow(of: statement, preparation: .heldIfFew) { row in
        found.append(includesRows ? try reader.read(row) : try reader.readKey(row, entityColumn: 1))
      }
      return found
    }
    try connection.cancellable(by: observer) {
      try connection.forEachRow(of: statement, preparation: .inParts) { row in
        found.append(includesRows ? try reader.read(row) : try reader.readKey(row, entityColumn: 1))
        try observer.report(found.count)
      }
    }
    return found
  }

  func count(_ query: FetchQuery, from source: some SQLReadSource) throws -> Int {
    let statement = try SQLUntranslatable.asNil {
      try self.statement(of: query, answer: .count) { try $0.count() }
    }
    guard let statement else { return try decidedCount(query, from: source) }
    return try source.readOnce { Int(try $0.count(statement)) }
  }

  /// The statement of a query, which is translated if there is no cached text for its shape.
  private func statement(
    of query: FetchQuery,
    answer: SQLFetchShape.Answer,
    written: (SQLFetch) throws -> SQLStatement
  ) throws -> SQLStatement {
    // Cached texts contain entity numbers, which differ in another model.
    _ = try schema.entity(query.entity)
    return try texts.statement(of: query, answer: answer, store: store) {
      let fetch = try SQLFetch(query, schema: schema, store: store, dialect: dialect)
      return (fetch.scope, try written(fetch))
    }
  }

  // MARK: - Objects by their keys

  func row(of reference: ObjectReference, layout: EntityLayout, from source: some SQLReadSource) throws -> FetchedRow? {
    try source.readOnce { try row(reference.key, root: layout.rootNumber, on: $0) }
  }

  /// The row with a key in the table of a root entity, whatever its entity under that root.
  package func row<Connection: SQLQueryConnection>(
    _ key: Int64,
    root: Int32,
    on connection: Connection
  ) throws -> FetchedRow? {
    guard let lookup = plans.lookup(root: root) else { return nil }
    var reader = SQLRowReader<Connection.Row>(self, plan: lookup.plan, capacity: 1)
    var found: FetchedRow?
    let statement = SQLStatement(lookup.text, bindings: [.integer(key)])
    try connection.forEachRow(of: statement, preparation: .held) { found = try reader.read($0) }
    return found
  }

  // MARK: - Relationships

  /// - Parameter limit: the largest number of destinations that are asked for, from 1; `nil` for all.
  func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout,
    atMost limit: Int? = nil,
    from source: some SQLReadSource
  ) throws -> [ObjectReference] {
    guard let entity = schema.entity(modelNumber: layout.number),
      let statement = try statement(of: relationship, entity: entity, from: reference.key, atMost: limit)
    else { return [] }
    return try source.readOnce { connection in
      var found: [ObjectReference] = []
      try connection.forEachRow(of: statement, preparation: .held) { row in
        guard let destination = schema.entity(storeNumber: row.number(1)) else { return }
        found.append(ObjectReference(key: row.number(0), entity: destination.layout.number, store: store))
      }
      return found
    }
  }

  private func statement(
    of relationship: Int,
    entity: SQLEntity,
    from key: Int64,
    atMost limit: Int?
  ) throws -> SQLStatement? {
    if let limit {
      let query = SQLDestinationsQuery(relationship: entity.toMany[relationship], dialect: dialect)
      return try query.statement(from: key, atMost: limit)
    }
    return try plans.destinations(of: relationship, entity: entity).map { SQLStatement($0, bindings: [.integer(key)]) }
  }

  func destinations<Source: SQLReadSource>(
    of relationship: Int,
    fromEach references: [ObjectReference],
    layout: EntityLayout,
    from source: Source
  ) throws -> [[FetchedRow]] {
    let nothing: [[FetchedRow]] = references.map { _ in [] }
    guard let entity = schema.entity(modelNumber: layout.number),
      let destination = try layout.toMany[relationship].relationship.frozenDestination.map(schema.entity)
    else { return nothing }
    let plan = plans.plan(destination, includesSubentities: true)
    let query = SQLDestinationsQuery(relationship: entity.toMany[relationship], dialect: dialect)
    guard let statement = try query.statement(plan.columns, fromEach: references.map(\.key)) else { return nothing }
    return try source.readOnce { connection in
      var reader = SQLRowReader<Source.Connection.Row>(self, plan: plan)
      var found: [Int64: [FetchedRow]] = Dictionary(minimumCapacity: references.count)
      // Many objects may refer to the same object, whose row is read once.
      var known: [Int64: FetchedRow] = [:]
      try connection.forEachRow(of: statement, preparation: .heldIfFew) { row in
        let key = row.number(0)
        let destination: FetchedRow
        if let read = known[key] {
          destination = read
        } else {
          destination = try reader.read(row)
          known[key] = destination
        }
        found[row.number(Int32(plan.columns.count)), default: []].append(destination)
      }
      return references.map { reference in
        let destinations = found[reference.key] ?? []
        return query.isOrdered ? destinations : Self.sortedByKey(destinations)
      }
    }
  }

  /// Sorts rows by key. They mostly arrive in that order.
  private static func sortedByKey(_ rows: [FetchedRow]) -> [FetchedRow] {
    for index in rows.indices.dropFirst() where rows[index].key < rows[index - 1].key {
      return rows.sorted { $0.key < $1.key }
    }
    return rows
  }
}
