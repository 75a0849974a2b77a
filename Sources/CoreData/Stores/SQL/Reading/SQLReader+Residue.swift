import Foundation
import Predicates

/// Queries that the database cannot evaluate completely. It returns candidates in batches, and memory evaluates
/// the rest of the predicate for each batch.
extension SQLReader {
  /// - Parameter decidesAll: true where memory evaluates the whole predicate.
  package func residue(_ query: FetchQuery, decidesAll: Bool = false) throws -> SQLResidualFilter {
    try SQLResidualFilter(query, schema: schema, store: store, dialect: dialect, decidesAll: decidesAll)
  }

  /// The rows of a query that the database cannot evaluate alone.
  func decidedRows(
    _ query: FetchQuery,
    decidesAll: Bool = false,
    from source: some SQLReadSource
  ) throws -> [FetchedRow] {
    let residue = try residue(query, decidesAll: decidesAll)
    return try source.readOnce { connection in
      guard let observer = query.observer else {
        return try rows(of: residue, includesRows: query.includesRows, on: connection)
      }
      return try connection.cancellable(by: observer) {
        try rows(of: residue, includesRows: query.includesRows, observer: observer, on: connection)
      }
    }
  }

  /// The number of rows of a query that the database cannot answer alone.
  func decidedCount(_ query: FetchQuery, decidesAll: Bool = false, from source: some SQLReadSource) throws -> Int {
    var unordered = query
    unordered.sortDescriptors = []
    let residue = try residue(unordered, decidesAll: decidesAll)
    return try source.readOnce { connection in
      var count = 0
      try forEachPart(of: residue, properties: residue.properties, on: connection) { part in
        count += part.count
        return count < residue.mostMatches ?? .max
      }
      return max(0, min(count, residue.mostMatches ?? .max) - residue.offset)
    }
  }

  /// The rows of a residue, in order and within its limit.
  ///
  /// - Parameter locks: true to lock the candidates against changes by other transactions.
  package func rows(
    of residue: SQLResidualFilter,
    includesRows: Bool,
    locks: Bool = false,
    observer: FetchObserver? = nil,
    on connection: some SQLQueryConnection
  ) throws -> [FetchedRow] {
    var properties: Set<String>? = residue.properties
    if includesRows { properties = residue.candidates.properties?.union(residue.properties) }
    var found = SQLDecidedRows(residue, includesRows: includesRows)
    try forEachPart(of: residue, properties: properties, locks: locks, on: connection) { part in
      try observer?.report(found.count)
      return try found.add(part)
    }
    return try found.rows()
  }

  /// A query that the database can evaluate alone: the same query, or a query for the keys that memory has
  /// selected. The rows are locked against changes by other connections.
  ///
  /// - Parameter connection: one in a transaction that writes.
  package func answerable(_ query: FetchQuery, on connection: some SQLQueryConnection) throws -> FetchQuery {
    let isAnswered =
      try SQLUntranslatable.asNil {
        try SQLFetch(query, schema: schema, store: store, dialect: dialect).rows([])
      } != nil
    if isAnswered { return query }
    let found = try rows(of: residue(query), includesRows: false, locks: true, on: connection)
    var decided = query
    decided.predicate = nil
    decided.sortDescriptors = []
    (decided.limit, decided.offset) = (0, 0)
    decided.keys = found.map(\.key)
    return decided
  }

  /// Calls back with the candidates of each part that memory has decided for.
  ///
  /// - Parameters:
  ///   - properties: the names of the properties that rows contain; `nil` for all.
  ///   - body: answers false when it needs no more.
  private func forEachPart<Connection: SQLQueryConnection>(
    of residue: SQLResidualFilter,
    properties: Set<String>?,
    locks: Bool = false,
    on connection: Connection,
    _ body: ([StoreRecord]) throws -> Bool
  ) throws {
    let query = residue.candidates
    let fetch = try SQLFetch(query, schema: schema, store: store, dialect: dialect)
    let plan = plans.plan(
      try schema.entity(query.entity),
      includesSubentities: query.includesSubentities,
      properties: properties
    )
    if plan.shapes.isEmpty { return }
    var statement = try fetch.rows(of: plan)
    if locks { statement.sql += dialect.rowLock(fetch.scope.alias) }
    // Rows of a batch share slabs, which are released with it.
    var reader = SQLRowReader<Connection.Row>(self, plan: plan)
    var part: [FetchedRow] = []
    func decide() throws -> Bool {
      let isEnough = try !body(matches(of: residue, part: part, on: connection))
      part.removeAll(keepingCapacity: true)
      reader = SQLRowReader<Connection.Row>(self, plan: plan)
      return isEnough
    }
    do {
      try connection.together {
        try connection.forEachRow(of: statement, preparation: .inParts) { row in
          part.append(try reader.read(row))
          if part.count == SQLResidualFilter.rowsPerPart, try decide() { throw EnoughRows() }
        }
        if !part.isEmpty { _ = try decide() }
      }
    } catch is EnoughRows {}
  }

  private func matches(
    of residue: SQLResidualFilter,
    part: [FetchedRow],
    on connection: some SQLQueryConnection
  ) throws -> [StoreRecord] {
    let related = SQLRelatedRows(reader: self, connection: connection)
    try related.prefetch(residue.keyPaths, from: part)
    let records = part.compactMap { StoreRecord($0, reader: related) }
    guard let condition = residue.condition else { return records }
    return try records.filter { try condition($0) }
  }
}

/// Thrown out of a query that needs no more rows.
private struct EnoughRows: Error {}

/// Collects the rows that memory has selected, in the order of the query or sorted in memory.
private struct SQLDecidedRows {
  private struct Entry {
    let values: [EvaluatedValue]
    let row: FetchedRow
  }

  private let residue: SQLResidualFilter
  private let includesRows: Bool
  private var entries: [Entry] = []
  private(set) var count = 0

  init(_ residue: SQLResidualFilter, includesRows: Bool) {
    self.residue = residue
    self.includesRows = includesRows
  }

  /// - Returns: false when no more are needed.
  mutating func add(_ part: [StoreRecord]) throws -> Bool {
    // A few rows would keep the slabs of all candidates.
    let copies = part.count < SQLResidualFilter.rowsPerPart / 2
    for record in part {
      let values = try residue.sorter?.values(of: record) ?? []
      count += 1
      if residue.sorter == nil, count <= residue.offset { continue }
      let fetched = record.fetched
      let row = includesRows ? (copies ? fetched.row?.copy() : fetched.row) : nil
      entries.append(
        Entry(values: values, row: FetchedRow(key: fetched.key, store: fetched.store, layout: fetched.layout, row: row))
      )
      if residue.sorter == nil, count == residue.mostMatches { return false }
    }
    // Entries after the limit are not needed. The limit may be any number.
    if residue.sorter != nil, let most = residue.mostMatches, entries.count / 2 - SQLResidualFilter.rowsPerPart > most {
      entries = Array(try sorted().prefix(most))
    }
    return true
  }

  func rows() throws -> [FetchedRow] {
    guard residue.sorter != nil else { return entries.map(\.row) }
    let rest = try sorted().dropFirst(residue.offset)
    return (residue.limit == 0 ? rest : rest.prefix(residue.limit)).map(\.row)
  }

  /// The sorted entries. Entries that compare as equal keep their order.
  private func sorted() throws -> [Entry] {
    guard let sorter = residue.sorter else { return entries }
    let order = try entries.indices.sorted { first, second in
      let result = try sorter.compare(entries[first].values, second: entries[second].values)
      return result == .orderedSame ? first < second : result == .orderedAscending
    }
    return order.map { entries[$0] }
  }
}
