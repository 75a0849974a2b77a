import Foundation
import SQLiteDriver
import Synchronization

extension SQLiteStore {
  func fetch(_ query: FetchQuery) throws -> [FetchedRow] {
    let engine = try engine()
    let scanned = try reading("The fetch failed") { () -> [FetchedRow]? in
      do {
        return try SQLiteTableScan(query: query, reader: engine.reader(index), engine: engine)?.rows()
      } catch let error as DatabaseError where SQLiteTextFunctions.hasGivenUp(error) {
        return nil
      }
    }
    return try scanned ?? fetch(query, from: engine.connections)
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

  /// The first destinations of a to-many relationship, at most so many.
  func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout,
    atMost limit: Int
  ) throws -> [ObjectReference] {
    let engine = try engine()
    return try reading("The relationship could not be read") {
      try engine.reader(index).destinations(
        of: relationship,
        from: reference,
        layout: layout,
        atMost: limit,
        from: engine.checked(engine.connections)
      )
    }
  }

  func snapshot() throws -> (any StoreReader)? {
    let engine = try engine()
    guard engine.connections.canHoldStates else { return nil }
    return try reading("The state of the store could not be kept") {
      try SQLiteSnapshot(store: self, engine: engine)
    }
  }

  // MARK: - From the newest state or another

  func fetch(_ query: FetchQuery, from source: some SQLiteReadSource) throws -> [FetchedRow] {
    let engine = try engine()
    return try reading("The fetch failed") {
      let (reader, checked) = (engine.reader(index), engine.checked(source))
      return try Self.namingObject {
        try reader.fetch(query, from: checked)
      } orElse: {
        try reader.decidedRows(query, decidesAll: true, from: checked)
      }
    }
  }

  func count(_ query: FetchQuery, from source: some SQLiteReadSource) throws -> Int {
    let engine = try engine()
    return try reading("The count failed") {
      let (reader, checked) = (engine.reader(index), engine.checked(source))
      return try Self.namingObject {
        try reader.count(query, from: checked)
      } orElse: {
        try reader.decidedCount(query, decidesAll: true, from: checked)
      }
    }
  }

  /// Evaluates the query in memory if a regular expression could not be matched, because SQLite does not report the
  /// object.
  private static func namingObject<Value>(
    _ answer: () throws -> Value,
    orElse decide: () throws -> Value
  ) throws -> Value {
    do {
      return try answer()
    } catch let error as DatabaseError where SQLiteTextFunctions.hasGivenUp(error) {
      return try decide()
    }
  }

  func row(
    of reference: ObjectReference,
    layout: EntityLayout,
    from source: some SQLiteReadSource
  ) throws -> FetchedRow? {
    let engine = try engine()
    return try reading("The object could not be read") {
      try engine.reader(index).row(of: reference, layout: layout, from: engine.checked(source))
    }
  }

  func destinations(
    of relationship: Int,
    from reference: ObjectReference,
    layout: EntityLayout,
    from source: some SQLiteReadSource
  ) throws -> [ObjectReference] {
    let engine = try engine()
    return try reading("The relationship could not be read") {
      try engine.reader(index)
        .destinations(of: relationship, from: reference, layout: layout, from: engine.checked(source))
    }
  }

  func destinations(
    of relationship: Int,
    fromEach references: [ObjectReference],
    layout: EntityLayout,
    from source: some SQLiteReadSource
  ) throws -> [[FetchedRow]] {
    let engine = try engine()
    return try reading("The relationship could not be read") {
      try engine.reader(index)
        .destinations(of: relationship, fromEach: references, layout: layout, from: engine.checked(source))
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

extension SQLiteStore.Engine {
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
        try engine.guardian?.checkRead(database, engine: engine)
        throw error
      }
      try engine.guardian?.checkRead(database, engine: engine)
      return value
    }
  }
}
