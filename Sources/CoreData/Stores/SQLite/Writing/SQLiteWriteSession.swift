import Foundation
import GRDB
import GRDBSQLite

/// One change of a store, in one transaction: a save or a batch.
///
/// It has what all of them share: the keys that are given out, the references of new objects, the
/// history, the derived texts and the files of external data. The steps are those of
/// ``run(in:through:origin:_:)``.
final class SQLiteWriteSession {
  let store: SQLiteStore
  let engine: SQLiteStore.Engine
  let database: Database
  /// The transaction of the history that changes are written into; `nil` when the store keeps no
  /// history.
  let history: SQLiteHistoryWriter?
  /// Computes the derived texts of rows that were written.
  let derivation: SQLiteTextDerivation
  /// The references of the objects that a save inserts, by their temporary keys; `nil` for what
  /// saves no objects.
  var permanentReferences: [Int64: ObjectReference]?
  /// The temporary key that was asked for last: links of one object follow each other.
  private var lastKey: (temporary: Int64, permanent: Int64) = (0, 0)
  private var files = SQLiteFileChanges()

  private init(store: SQLiteStore, engine: SQLiteStore.Engine, database: Database, origin: ChangeOrigin) {
    self.store = store
    self.engine = engine
    self.database = database
    history = SQLiteHistoryWriter(engine, database, origin: origin)
    derivation = SQLiteTextDerivation(statements: engine.statements, database: database)
  }

  var statements: SQLRowStatements { engine.statements }

  // MARK: - Steps

  /// Checks the store, has it changed, flushes what belongs to the change, commits and releases old
  /// files; or rolls all of it back when one of these steps fails.
  ///
  /// - Parameters:
  ///   - target: the connections of the store, or a transaction that goes on afterwards.
  ///   - origin: the author and the context that the history names.
  ///   - change: writes the change, in the transaction.
  /// - Throws: an error when the store is closed, may only be read or was replaced, or what
  ///   `change` throws.
  static func run<Value>(
    in store: SQLiteStore,
    through target: some SQLiteWriteTarget,
    origin: ChangeOrigin = ChangeOrigin(),
    _ change: (SQLiteWriteSession) throws -> Value
  ) throws -> Value {
    let engine = try store.writableEngine()
    var begun: SQLiteWriteSession?
    // A commit that fails may be on the disk all the same, with rows that name the new files.
    var isCommitting = false
    do {
      let value = try target.write { database in
        try engine.guardian?.check(database, engine)
        let session = SQLiteWriteSession(store: store, engine: engine, database: database, origin: origin)
        begun = session
        let value = try change(session)
        try StoreCall.current?.check(waitingFor: StoreCall.aboutToCommit)
        isCommitting = true
        return value
      }
      if let begun {
        target.release(begun.files, engine.external)
        // In a transaction of many saves nothing is committed yet.
        if begun.history?.number != nil, target === engine.connections {
          engine.historyLifetime?.historyGrew(engine)
        }
      }
      return value
    } catch {
      if !isCommitting { begun?.removeNewFiles() }
      throw error
    }
  }

  /// Completes the history, and has the new files on the disk before a row that names them is.
  /// Whoever writes the change calls it when the history has heard of all, and all files are made.
  func flush() throws {
    try history?.finish()
    if !files.new.isEmpty { try engine.external.synchronize() }
  }

  private func removeNewFiles() { engine.external.remove(files.new) }

  // MARK: - Keys

  /// Reserves keys that follow each other.
  ///
  /// - Parameter root: the number of the root entity in the model.
  /// - Returns: the first of the keys.
  func reserveKeys(_ count: Int, root: Int32) throws -> Int64 {
    try SQLitePrimaryKeys(engine: engine, database: database).reserve(count, root: root)
  }

  /// The key that an object has in the store once it is saved.
  ///
  /// - Throws: an error when the key is temporary, and of no object of the save.
  func permanentKey(of key: Int64) throws -> Int64 {
    if key >= 0 { return key }
    if key == lastKey.temporary { return lastKey.permanent }
    if let known = permanentReferences?[key] {
      lastKey = (key, known.key)
      return known.key
    }
    throw StoreFailure.error(
      NSManagedObjectReferentialIntegrityError,
      "A relationship leads to an object that is not saved with it; insert that object into the same context."
    )
  }

  /// The reference that a row has in place of one to an object that is saved with it.
  ///
  /// - Throws: an error when the reference leads to an object that is not saved, or to one of
  ///   another store.
  func permanentReference(
    for reference: ObjectReference,
    from layout: EntityLayout,
    _ slot: Int
  ) throws -> ObjectReference {
    if reference.isTemporary, let permanentReferences {
      if let known = permanentReferences[reference.key] { return known }
      throw StoreFailure.error(
        NSManagedObjectReferentialIntegrityError,
        """
        \(layout.slots[slot].property.modelPath) leads to an object that is not saved with it; insert that object \
        into the same context.
        """
      )
    }
    if reference.store == store.index { return reference }
    throw StoreFailure.error(
      NSManagedObjectExternalRelationshipError,
      """
      \(layout.slots[slot].property.modelPath) leads to an object of another store; relationships stay inside one \
      store.
      """
    )
  }

  /// The number that the store gives the entity of a reference.
  ///
  /// - Throws: an error when the store does not keep the entity.
  func entityNumber(of reference: ObjectReference) throws -> Int64 {
    guard let entity = engine.schema.entity(modelNumber: reference.entity) else {
      throw StoreFailure.error(
        NSManagedObjectExternalRelationshipError,
        "A relationship leads to an object of an entity that the store does not keep."
      )
    }
    return entity.number
  }

  // MARK: - Values

  /// The value that a column has for an attribute; large data go into a file of their own.
  ///
  /// - Throws: an error that names the attribute, for an object that cannot be kept.
  func binding(
    _ value: StoredValue,
    as content: SQLRowPlan.Field.Content,
    _ slot: EntityLayout.Slot
  ) throws -> SQLValue {
    if case .data(let data) = value, case .externalData = content {
      let (bytes, name) = try engine.external.store(data)
      if let name { files.new.append(name) }
      return .blob(bytes)
    }
    guard let attribute = slot.attribute else { return .null }
    return try SQLiteBinding.value(value, of: attribute)
  }

  // MARK: - Outcome

  /// Counts a row that a batch inserted, changed or deleted.
  ///
  /// - Parameter isWanted: true when the outcome is to have the object's reference.
  func count(_ key: Int64, _ entityNumber: Int64, isWanted: Bool, in outcome: inout BatchOutcome) {
    outcome.count += 1
    guard isWanted, let entity = engine.schema.entity(storeNumber: entityNumber) else { return }
    outcome.references.append(ObjectReference(key: key, entity: entity.layout.number, store: store.index))
  }

  // MARK: - Files

  /// The columns of some slots that may name files.
  func externalColumns(_ entity: SQLEntity, _ slots: some Sequence<Int>) -> [String] {
    slots.filter { SQLRowPlan.content(entity.layout.slots[$0]) == .externalData }
      .compactMap { entity.slots[$0]?.column }
  }

  /// Records the files that the rows of a query name, and that they will not name any more once the
  /// change is committed.
  ///
  /// - Parameter isCached: true when the query is asked for many rows.
  func recordOldFiles(_ query: SQLStatement, isCached: Bool = false) throws {
    files.old += try SQLiteStore.fileNames(query, database, isCached: isCached)
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

  func update(_ key: Int64, _ entity: SQLEntity) throws {
    if entity.derivedTexts.isEmpty { return }
    let statement =
      try prepared[entity.number] ?? SQLiteIntegerStatement(statements.derivation(entity), in: database)
    prepared[entity.number] = statement
    try statement.run(key)
  }
}
