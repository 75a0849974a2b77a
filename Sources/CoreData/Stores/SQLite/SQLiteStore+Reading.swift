import Foundation
import SQLiteDriver
import Synchronization

extension SQLiteStore: SQLStore {
  /// Only a fetch in a span of keys may be answered by a scan on two connections.
  func fetch(_ query: FetchQuery) throws -> [FetchedRow] {
    let engine = try engine()
    guard query.span != nil else { return try fetch(query, from: engine.newest) }
    let scanned = try reading("The fetch failed") { () -> [FetchedRow]? in
      do {
        return try SQLiteTableScan(query: query, reader: engine.reader(index), engine: engine)?.rows()
      } catch let error as DatabaseError where SQLiteTextFunctions.hasGivenUp(error) {
        return nil
      }
    }
    return try scanned ?? fetch(query, from: engine.newest)
  }

  func snapshot() throws -> (any StoreReader)? {
    let engine = try engine()
    guard engine.connections.canHoldStates else { return nil }
    return try reading("The state of the store could not be kept") { try SQLiteSnapshot(store: self, engine: engine) }
  }

  /// Evaluates the query in memory if a regular expression could not be matched, because SQLite does not report the
  /// object.
  static func answering<Value>(_ answer: () throws -> Value, orElse decide: () throws -> Value) throws -> Value {
    do {
      return try answer()
    } catch let error as DatabaseError where SQLiteTextFunctions.hasGivenUp(error) {
      return try decide()
    }
  }

  /// Names the store's file in the errors of some work.
  func reading<Value>(_ failing: String, _ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch {
      let explained = (try? engine()).flatMap { $0.guardian?.explain(error, engine: $0) } ?? error
      throw SQLiteFailure.error(explained, file: file, doing: failing)
    }
  }
}

extension SQLiteStore.Engine: SQLEngine {
  var newest: SQLiteCheckedSource<SQLiteConnections> { checked(connections) }

  /// Reads the objects of the store.
  ///
  /// - Parameter index: the index of the store.
  func reader(_ index: Int32) -> SQLReader {
    lastReader.withLock { last in
      if let last, last.store == index { return last }
      let reader = SQLReader(
        schema: schema,
        dialect: dialect,
        plans: plans,
        texts: texts,
        store: index,
        file: file,
        largeData: external.value
      )
      last = reader
      return reader
    }
  }

  /// A source whose queries make sure that the store still is what they take it for.
  func checked<Source: SQLiteReadSource>(_ source: Source) -> SQLiteCheckedSource<Source> {
    SQLiteCheckedSource(source: source, engine: self)
  }
}

/// A source of a store that another program may have migrated.
struct SQLiteCheckedSource<Source: SQLiteReadSource>: SQLReadSource {
  fileprivate let source: Source
  fileprivate let engine: SQLiteStore.Engine

  func readOnce<Value>(_ body: (SQLiteQueryConnection) throws -> Value) throws -> Value {
    try source.readOnce(checking: engine) { database in try body(SQLiteQueryConnection(database: database)) }
  }
}

extension SQLiteReadSource {
  /// Runs one query, and makes sure that the store still has the expected schema.
  func readOnce<Value>(checking engine: SQLiteStore.Engine, _ body: (Database) throws -> Value) throws -> Value {
    try readOnce { database in
      let value: Value
      do {
        value = try body(database)
      } catch let error where !(error is DatabaseError) {
        // A row of an entity that is not known may be one of a later model.
        try engine.guardian?.checkRead(database, engine: engine)
        throw error
      }
      try engine.guardian?.checkRead(database, engine: engine)
      return value
    }
  }
}
