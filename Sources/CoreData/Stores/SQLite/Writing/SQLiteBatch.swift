import Foundation
import GRDB
import GRDBSQLite

/// What batch insertions and updates share: references, and the files of external data.
class SQLiteBatch: SQLiteRowKeeper {
  final let store: SQLiteStore
  final let engine: SQLiteStore.Engine
  final let database: Database
  /// Where changes are told of; `nil` when the store keeps no history.
  final let history: SQLiteHistoryWriter?
  final let derivation: SQLiteTextDerivation
  final var outcome = BatchOutcome()
  /// The files that this batch made, and those that no row refers to once it is kept.
  final var files = SQLiteFileChanges()

  init(store: SQLiteStore, engine: SQLiteStore.Engine, database: Database, origin: ChangeOrigin) {
    self.store = store
    self.engine = engine
    self.database = database
    history = SQLiteHistoryWriter(engine, database, origin: origin)
    derivation = SQLiteTextDerivation(engine: engine, database: database)
  }

  /// Called when the transaction was taken back.
  final func removeNewFiles() { engine.external.remove(files.new) }

  /// Called before the transaction is committed.
  final func synchronizeNewFiles() throws {
    if !files.new.isEmpty { try engine.external.synchronize() }
  }

  final func storeExternally(_ value: Data) throws -> Data {
    let (bytes, name) = try engine.external.store(value)
    if let name { files.new.append(name) }
    return bytes
  }

  final func resolved(_ reference: ObjectReference, from layout: EntityLayout, _ slot: Int) throws
    -> ObjectReference
  {
    if reference.store == store.index { return reference }
    throw StoreFailure.error(
      NSManagedObjectExternalRelationshipError,
      """
      \(layout.slots[slot].property.modelPath) leads to an object of another store; relationships stay inside one \
      store.
      """
    )
  }

  final func number(of reference: ObjectReference) throws -> Int64 {
    guard let entity = engine.schema.entity(modelNumber: reference.entity) else {
      throw StoreFailure.error(
        NSManagedObjectExternalRelationshipError,
        "A relationship leads to an object of an entity that the store does not keep."
      )
    }
    return entity.number
  }

  /// Counts a row that was inserted or changed.
  final func note(key: Int64, entity: Int64, isWanted: Bool) {
    outcome.count += 1
    guard isWanted, let entity = engine.schema.entity(storeNumber: entity) else { return }
    outcome.references.append(
      ObjectReference(key: key, entity: entity.layout.number, store: store.index)
    )
  }

  /// The columns of some slots that may refer to files.
  final func externalColumns(_ entity: SQLEntity, _ slots: some Sequence<Int>) -> [String] {
    slots.filter { SQLRowPlan.content(entity.layout.slots[$0]) == .externalData }
      .compactMap { entity.slots[$0]?.column }
  }
}
