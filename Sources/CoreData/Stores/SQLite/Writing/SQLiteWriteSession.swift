import CSystemSQLite
import Foundation
import SQLiteDriver

/// One change of a store, in one transaction: a save or a batch.
///
/// It has what all steps share: the assigned keys, the references of new objects, the history, the derived
/// texts and the files of external data. The steps are those of ``run(in:through:origin:_:)``.
final class SQLiteWriteSession {
  let store: SQLiteStore
  let engine: SQLiteStore.Engine
  let database: Database
  /// The transaction of the history that changes are written into; `nil` when the store keeps no history.
  let history: SQLiteHistoryWriter?
  /// Computes the derived texts of rows that were written.
  let derivation: SQLiteTextDerivation
  /// The references of objects that are saved with others.
  let references: SQLReferences
  private var files = SQLiteFileChanges()
  private var marker: ExternalDataMarker?

  private init(store: SQLiteStore, engine: SQLiteStore.Engine, database: Database, origin: ChangeOrigin) {
    self.store = store
    self.engine = engine
    self.database = database
    references = SQLReferences(schema: engine.schema, store: store.index)
    history = SQLiteHistoryWriter(engine: engine, database: database, origin: origin)
    derivation = SQLiteTextDerivation(statements: engine.statements, database: database)
  }

  var statements: SQLRowStatements { engine.statements }
  var reader: SQLReader { engine.reader(store.index) }
  var queries: SQLiteQueryConnection { SQLiteQueryConnection(database: database) }

  // MARK: - Steps

  /// Checks the store, makes the change, flushes, commits and removes old files. If one of these steps fails,
  /// the change is rolled back.
  ///
  /// - Parameters:
  ///   - target: the connections of the store, or a transaction that goes on afterwards.
  ///   - origin: the author and the context that the history names.
  ///   - change: writes the change, in the transaction.
  /// - Throws: an error when the store is closed, may only be read or was replaced, or what `change` throws.
  static func run<Value>(
    in store: SQLiteStore,
    through target: some SQLiteWriteTarget,
    origin: ChangeOrigin = ChangeOrigin(),
    _ change: (SQLiteWriteSession) throws -> Value
  ) throws -> Value {
    let engine = try store.writableEngine()
    // The part of a session that outlives it: a session holds statements, and the connection may be closed as
    // soon as it is free.
    var files = SQLiteFileChanges()
    var hasGrown = false
    // A commit that fails may be on the disk all the same, with rows that name the new files.
    var isCommitting = false
    do {
      let value = try target.write { database in
        try engine.guardian?.check(database, engine: engine)
        let session = SQLiteWriteSession(store: store, engine: engine, database: database, origin: origin)
        defer {
          files = session.files
          files.markers = session.marker.map { [$0.name] } ?? []
          hasGrown = session.history?.number != nil
        }
        let value = try change(session)
        try StoreCall.current?.check(waitingFor: StoreCall.aboutToCommit)
        isCommitting = true
        return value
      }
      target.release(files, folder: engine.external)
      // In a transaction of many saves, nothing is committed yet.
      if hasGrown, target === engine.connections { engine.historyLifetime?.historyGrew(engine) }
      return value
    } catch {
      if !isCommitting { engine.external.remove(new: files) }
      throw error
    }
  }

  /// Completes the history, and syncs the new files to the disk before a row that names them. The writer of
  /// the change calls it when the history has all changes and all files have been written.
  func flush() throws {
    try history?.finish()
    if !files.new.isEmpty { try engine.external.synchronize() }
  }

  // MARK: - Keys

  /// Reserves consecutive keys.
  ///
  /// - Parameter root: the number of the root entity in the model.
  /// - Returns: the first of the keys.
  func reserveKeys(_ count: Int, root: Int32) throws -> Int64 {
    try SQLitePrimaryKeys(engine: engine, database: database).reserve(count, root: root)
  }

  // MARK: - Values

  /// The value of a column for an attribute; large data are written to a file of their own.
  ///
  /// - Throws: an error that names the attribute, for an object that cannot be kept.
  func binding(_ value: StoredValue, as content: SQLRowPlan.Field.Content, slot: EntityLayout.Slot) throws -> SQLValue {
    if case .data(let data) = value, case .externalData = content {
      let (bytes, name) = try engine.external.store(data, marker: &marker)
      if let name { files.new.append(name) }
      return .blob(bytes)
    }
    guard let attribute = slot.attribute else { return .null }
    return try SQLBinding(dialect: engine.dialect).value(value, of: attribute)
  }

  // MARK: - Files

  /// The columns of some slots that may name files.
  func externalColumns(_ entity: SQLEntity, slots: some Sequence<Int>) -> [String] {
    slots.filter { SQLRowPlan.content(entity.layout.slots[$0]) == .externalData }
      .compactMap { entity.slots[$0]?.column }
  }

  /// Records the files that the rows of a query name, and that they will not name any more once the
  /// change is committed.
  ///
  /// - Parameter isCached: true when the query is asked for many rows.
  func recordOldFiles(_ query: SQLStatement, isCached: Bool = false) throws {
    files.old += try SQLiteStore.fileNames(query, database: database, isCached: isCached)
  }
}

extension SQLiteWriteTarget {
  /// A change is never made again: other writers wait for the lock.
  func change<Value>(
    _ store: SQLiteStore,
    origin: ChangeOrigin,
    canRepeat: () -> Bool,
    _ body: (SQLiteWriteSession) throws -> Value
  ) throws -> Value {
    try SQLiteWriteSession.run(in: store, through: self, origin: origin, body)
  }
}

/// Computes the derived attributes of single rows that no trigger computes.
final class SQLiteTextDerivation {
  private let statements: SQLRowStatements
  private let database: Database
  /// The statement of each entity that has been asked for, by its number in the store.
  private var prepared: [Int64: SQLiteIntegerStatement] = [:]

  init(statements: SQLRowStatements, database: Database) {
    self.statements = statements
    self.database = database
  }

  func update(_ key: Int64, entity: SQLEntity) throws {
    if entity.derivedTexts.isEmpty { return }
    let statement = try prepared[entity.number] ?? SQLiteIntegerStatement(statements.derivation(entity), in: database)
    prepared[entity.number] = statement
    try statement.run(key)
  }
}
