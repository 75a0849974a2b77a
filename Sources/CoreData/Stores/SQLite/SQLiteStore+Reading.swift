import Foundation
import GRDB
import GRDBSQLite

extension SQLiteStore {
  func fetch(_ query: FetchQuery) throws -> [FetchedRow] {
    try fetch(query, from: engine().connections)
  }

  func count(_ query: FetchQuery) throws -> Int { try count(query, from: engine().connections) }

  func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
    try row(of: reference, layout: layout, from: engine().connections)
  }

  func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout
  ) throws -> [ObjectReference] {
    try destinations(of: relationship, from: reference, layout: layout, from: engine().connections)
  }

  func destinations(
    of relationship: Int,
    fromEach references: [ObjectReference],
    layout: EntityLayout
  ) throws -> [[FetchedRow]] {
    try destinations(of: relationship, fromEach: references, layout: layout, from: engine().connections)
  }

  func snapshot() throws -> (any StoreReader)? {
    let engine = try engine()
    guard engine.connections.canHoldStates else { return nil }
    return try reading("The state of the store could not be kept") {
      try SQLiteSnapshot(self, engine)
    }
  }

  // MARK: - From the newest state or another

  func fetch(_ query: FetchQuery, from source: some SQLiteReadSource) throws -> [FetchedRow] {
    let engine = try engine()
    return try reading("The fetch failed") {
      let fetch = try SQLFetch(query, schema: engine.schema, store: index, dialect: engine.dialect)
      let plan = engine.plans.plan(
        try engine.schema.entity(query.entity),
        includesSubentities: query.includesSubentities,
        properties: query.properties
      )
      if plan.shapes.isEmpty { return [] }
      let columns = query.includesRows ? plan.columns : fetch.keyColumns
      let statement = try fetch.rows(columns)
      return try source.readOnce(checking: engine) { database in
        try rows(
          of: statement,
          plan,
          includesRows: query.includesRows,
          observer: query.observer,
          engine,
          database
        )
      }
    }
  }

  func count(_ query: FetchQuery, from source: some SQLiteReadSource) throws -> Int {
    let engine = try engine()
    return try reading("The count failed") {
      let statement = try SQLFetch(query, schema: engine.schema, store: index, dialect: engine.dialect)
        .count()
      return try source.readOnce(checking: engine) { database in
        let isCached = engine.prepared.holds(statement, on: database)
        return Int(try SQLiteQuery(statement, in: database, isCached: isCached).integer() ?? 0)
      }
    }
  }

  func row(
    of reference: ObjectReference,
    layout: EntityLayout,
    from source: some SQLiteReadSource
  ) throws -> FetchedRow? {
    let engine = try engine()
    return try reading("The object could not be read") {
      try source.readOnce(checking: engine) { database in
        try row(reference.key, layout.rootNumber, engine, database)
      }
    }
  }

  /// The row with a key in the table of a root entity, whatever its entity under that root.
  func row(_ key: Int64, _ root: Int32, _ engine: Engine, _ database: Database) throws -> FetchedRow? {
    guard let lookup = engine.plans.lookup(root: root) else { return nil }
    let query = try SQLiteQuery(
      SQLStatement(sql: lookup.sql, bindings: [.integer(key)]),
      in: database,
      isCached: true
    )
    var reader = SQLiteRowReader(engine, plan: lookup.plan, store: index, capacity: 1)
    var found: FetchedRow?
    try query.forEachRow { found = try reader.read($0) }
    return found
  }

  func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout,
    from source: some SQLiteReadSource
  ) throws -> [ObjectReference] {
    let engine = try engine()
    guard let entity = engine.schema.entity(modelNumber: layout.number),
      let sql = try engine.plans.destinations(of: relationship, entity)
    else { return [] }
    let statement = SQLStatement(sql: sql, bindings: [.integer(reference.key)])
    return try reading("The relationship could not be read") {
      try source.readOnce(checking: engine) { database in
        var found: [ObjectReference] = []
        try SQLiteQuery(statement, in: database, isCached: true).forEachRow { row in
          let number = sqlite3_column_int64(row, 1)
          guard let destination = engine.schema.entity(storeNumber: number) else { return }
          found.append(
            ObjectReference(
              key: sqlite3_column_int64(row, 0),
              entity: destination.layout.number,
              store: index
            )
          )
        }
        return found
      }
    }
  }

  func destinations(
    of relationship: Int,
    fromEach references: [ObjectReference],
    layout: EntityLayout,
    from source: some SQLiteReadSource
  ) throws -> [[FetchedRow]] {
    let engine = try engine()
    let description = layout.toMany[relationship].relationship
    guard let entity = engine.schema.entity(modelNumber: layout.number),
      let destination = try description.frozenDestination.map(engine.schema.entity)
    else { return references.map { _ in [] } }
    let plan = engine.plans.plan(destination, includesSubentities: true)
    let query = SQLDestinationsQuery(entity.toMany[relationship], dialect: engine.dialect)
    guard let statement = try query.statement(plan.columns, fromEach: references.map(\.key)) else {
      return references.map { _ in [] }
    }
    return try reading("The relationship could not be read") {
      try source.readOnce(checking: engine) { database in
        var reader = SQLiteRowReader(engine, plan: plan, store: index)
        var found: [Int64: [FetchedRow]] = Dictionary(minimumCapacity: references.count)
        // Many objects may lead to one, whose row is read once.
        var known: [Int64: FetchedRow] = [:]
        let isCached = engine.prepared.holds(statement, on: database)
        try SQLiteQuery(statement, in: database, isCached: isCached).forEachRow { row in
          let source = sqlite3_column_int64(row, Int32(plan.columns.count))
          let key = sqlite3_column_int64(row, 0)
          let destination = try known[key] ?? reader.read(row)
          known[key] = destination
          found[source, default: []].append(destination)
        }
        return references.map { found[$0.key] ?? [] }
      }
    }
  }

  func rows(
    of statement: SQLStatement,
    _ plan: SQLRowPlan,
    includesRows: Bool,
    observer: FetchObserver? = nil,
    _ engine: Engine,
    _ database: Database
  ) throws -> [FetchedRow] {
    let query = try SQLiteQuery(
      statement,
      in: database,
      isCached: engine.prepared.holds(statement, on: database)
    )
    var reader = SQLiteRowReader(engine, plan: plan, store: index)
    var found: [FetchedRow] = []
    try query.forEachRow { row in
      found.append(includesRows ? try reader.read(row) : try reader.readKey(row, entityColumn: 1))
      try observer?.report(found.count)
    }
    return found
  }

  /// Names the store's file in the errors of some work.
  func reading<Value>(_ failing: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      let explained = (try? engine()).flatMap { $0.guardian?.explain(error, $0) } ?? error
      throw SQLiteFailure.error(explained, file: file, doing: failing)
    }
  }
}

extension SQLiteReadSource {
  /// Runs one query, and makes sure that the store still is what the query takes it for.
  func readOnce<Value>(
    checking engine: SQLiteStore.Engine,
    _ body: (Database) throws -> Value
  ) throws -> Value {
    try readOnce { database in
      let value: Value
      do {
        value = try body(database)
      } catch let error where !(error is DatabaseError) {
        // A row of an entity that is not known may be one of a later model.
        try engine.guardian?.checkRead(database, engine)
        throw error
      }
      try engine.guardian?.checkRead(database, engine)
      return value
    }
  }
}
