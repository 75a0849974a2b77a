import Foundation
import GRDB
import GRDBSQLite

/// Keeps a change set in one transaction: the steps of a save.
final class SQLiteSave: SQLiteRowKeeper {
  /// Thrown to take back a transaction in which rows were found that others had changed.
  struct Conflicts: Error {
    let outcome: CommitOutcome
  }

  let store: SQLiteStore
  let engine: SQLiteStore.Engine
  let database: Database
  private let plan: SQLSavePlan
  private let statements: SQLRowStatements
  private let history: SQLiteHistoryWriter?
  private(set) var permanent: [Int64: ObjectReference] = [:]
  private var conflicts: [VersionConflict] = []
  private var violations: [ConstraintViolation] = []
  /// The files that this save made, and those that no row refers to once it is kept.
  private(set) var files = SQLiteFileChanges()
  /// The keys of each group of insertions.
  private var insertedKeys: [[Int64]] = []
  /// The temporary key that was asked for last: links of one object follow each other.
  private var lastKey: (temporary: Int64, permanent: Int64) = (0, 0)

  init(
    _ plan: SQLSavePlan,
    store: SQLiteStore,
    engine: SQLiteStore.Engine,
    database: Database,
    origin: ChangeOrigin
  ) {
    self.plan = plan
    self.store = store
    self.engine = engine
    self.database = database
    statements = SQLRowStatements(dialect: engine.dialect)
    history = SQLiteHistoryWriter(engine, database, origin: origin)
  }

  /// The number of the transaction in the store's history; `nil` when it keeps none, or nothing changed.
  var transaction: Int64? { history?.number }

  /// - Throws: `Conflicts`, or why the rows cannot be kept.
  func run() throws {
    try assignKeys()
    for group in plan.deletions { try delete(group) }
    for group in plan.updates { try update(group) }
    if !conflicts.isEmpty { throw Conflicts(outcome: .conflicts(conflicts)) }
    for (group, keys) in zip(plan.insertions, insertedKeys) { try insert(group, keys) }
    if !violations.isEmpty { throw Conflicts(outcome: .violations(violations)) }
    try deriveTexts()
    let links = SQLiteLinks(save: self, statements: statements)
    for table in plan.links { try links.write(table) }
    for keys in plan.ownedKeys { try links.write(keys) }
    for order in plan.orders { try links.write(order) }
    try history?.finish()
    if !files.new.isEmpty { try engine.external.synchronize() }
  }

  /// Called when the transaction was taken back.
  func removeNewFiles() { engine.external.remove(files.new) }

  // MARK: - Keys

  private func assignKeys() throws {
    var counts: [Int32: Int] = [:]
    for group in plan.insertions {
      let temporary = (0..<group.count).count { group.reference($0).isTemporary }
      counts[group.entity.layout.rootNumber, default: 0] += temporary
    }
    var permanent: [Int64: ObjectReference] = [:]
    permanent.reserveCapacity(counts.values.reduce(0, +))
    var next: [Int32: Int64] = [:]
    let keys = SQLitePrimaryKeys(engine: engine, database: database)
    for (root, count) in counts where count > 0 { next[root] = try keys.reserve(count, root: root) }
    for group in plan.insertions {
      let layout = group.entity.layout
      var key = next[layout.rootNumber, default: 0]
      insertedKeys.append(
        (0..<group.count).map { index in
          let reference = group.reference(index)
          guard reference.isTemporary else { return reference.key }
          defer { key &+= 1 }
          permanent[reference.key] = ObjectReference(key: key, entity: layout.number, store: store.index)
          return key
        }
      )
      next[layout.rootNumber] = key
    }
    self.permanent = permanent
  }

  /// The reference as it is kept.
  func resolved(_ reference: ObjectReference, from layout: EntityLayout, _ slot: Int) throws
    -> ObjectReference
  {
    if reference.isTemporary {
      if let known = permanent[reference.key] { return known }
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

  func key(_ key: Int64) throws -> Int64 {
    if key >= 0 { return key }
    if key == lastKey.temporary { return lastKey.permanent }
    if let known = permanent[key] {
      lastKey = (key, known.key)
      return known.key
    }
    throw StoreFailure.error(
      NSManagedObjectReferentialIntegrityError,
      "A relationship leads to an object that is not saved with it; insert that object into the same context."
    )
  }

  /// The number that the store gives the entity of a reference.
  func number(of reference: ObjectReference) throws -> Int64 {
    guard let entity = engine.schema.entity(modelNumber: reference.entity) else {
      throw StoreFailure.error(
        NSManagedObjectExternalRelationshipError,
        "A relationship leads to an object of an entity that the store does not keep."
      )
    }
    return entity.number
  }

  // MARK: - Rows

  private func insert(_ group: SQLSavePlan.Group, _ keys: [Int64]) throws {
    let writer = try SQLiteRowWriter(
      statements.insertion(group.entity, slots: group.slots),
      group.entity,
      slots: group.slots,
      keeper: self
    )
    writer.bind(group.entity.number, at: 2)
    writer.bind(1, at: 3)
    for index in 0..<group.count {
      let change = group[index]
      guard let row = change.row else { continue }
      writer.bind(keys[index], at: 1)
      _ = try writer.bind(row, from: 4)
      try run(writer, change, group.entity)
      try history?.insertion(of: keys[index], group.entity)
    }
  }

  private func update(_ group: SQLSavePlan.Group) throws {
    let writer = try SQLiteRowWriter(
      statements.update(group.entity, slots: group.slots),
      group.entity,
      slots: group.slots,
      keeper: self
    )
    let files = externalSlots(group.entity, group.slots)
    let columns = history?.columns(group.entity, slots: group.slots)
    for index in 0..<group.count {
      let change = group[index]
      guard let row = change.row else { continue }
      let version = change.committed?.version ?? row.version
      try noteOldFiles(of: change.reference.key, group.entity, slots: files)
      writer.bind(Row.version(after: version), at: 1)
      let next = try writer.bind(row, from: 2)
      writer.bind(change.reference.key, at: next)
      writer.bind(version, at: next + 1)
      if try run(writer, change, group.entity) == 0 {
        try addConflict(change)
      } else if change.toMany.isEmpty, let columns {
        try history?.update(of: change.reference.key, group.entity, columns: columns)
      } else {
        let toMany = change.toMany.map(\.relationship)
        try history?.update(of: change.reference.key, group.entity, slots: group.slots, toMany: toMany)
      }
    }
  }

  private func delete(_ group: SQLSavePlan.Group) throws {
    let entity = group.entity
    let writer = try SQLiteRowWriter(statements.deletion(entity), entity, slots: [], keeper: self)
    let files = externalSlots(entity, entity.slots.indices)
    let removals = try SQLiteLinks(save: self, statements: statements).removals(entity)
    for index in 0..<group.count where !group.reference(index).isTemporary {
      let change = group[index]
      try noteOldFiles(of: change.reference.key, entity, slots: files)
      try history?.deletion(of: change.reference.key, entity)
      writer.bind(change.reference.key, at: 1)
      writer.bind(change.committed?.version ?? 0, at: 2)
      if try writer.run() == 0 {
        try addConflict(change)
      } else {
        for removal in removals { try removal.run(change.reference.key) }
      }
    }
  }

  /// Computes the derived attributes that no trigger computes.
  private func deriveTexts() throws {
    for group in plan.updates where !group.entity.derivedTexts.isEmpty {
      try deriveTexts(group.entity, (0..<group.count).map { group.reference($0).key })
    }
    for (group, keys) in zip(plan.insertions, insertedKeys) { try deriveTexts(group.entity, keys) }
  }

  private func deriveTexts(_ entity: SQLEntity, _ keys: [Int64]) throws {
    let derivation = SQLiteTextDerivation(engine: engine, database: database)
    for key in keys { try derivation.update(key, entity) }
  }

  /// A row that breaks a uniqueness constraint is put down and left out: the transaction is taken back in the end.
  ///
  /// - Returns: how many rows were changed or would have been.
  @discardableResult
  private func run(_ writer: SQLiteRowWriter, _ change: ObjectChange, _ entity: SQLEntity) throws -> Int {
    do {
      return try writer.run()
    } catch let error as DatabaseError where error.extendedResultCode == .SQLITE_CONSTRAINT_UNIQUE {
      let failure = SQLiteConstraintFailure(schema: engine.schema, file: store.file)
      guard let constraint = failure.constraint(error, change) else { throw failure.error(error, change) }
      try addViolation(of: constraint, change, entity)
      return 1
    }
  }

  private func addViolation(
    of constraint: UniquenessConstraint,
    _ change: ObjectChange,
    _ entity: SQLEntity
  ) throws {
    let lookup = try SQLiteRowWriter(
      statements.keyLookup(entity, slots: constraint.slots),
      entity,
      slots: constraint.slots,
      keeper: self
    )
    guard let row = change.row else { return }
    _ = try lookup.bind(row, from: 1)
    let key = try lookup.key()
    let isOwn = key.map { key in permanent.values.contains { $0.key == key } } ?? true
    let holder =
      isOwn ? nil : try key.flatMap { try store.row($0, change.layout.rootNumber, engine, database) }
    violations.append(
      ConstraintViolation(
        reference: change.reference,
        constraint: constraint,
        holder: holder?.reference,
        persisted: holder?.row
      )
    )
  }

  private func addConflict(_ change: ObjectChange) throws {
    let persisted = try store.row(change.reference.key, change.layout.rootNumber, engine, database)
    conflicts.append(VersionConflict(reference: change.reference, persisted: persisted?.row))
  }

  // MARK: - External data

  /// The bytes that the column keeps of a value of an attribute that allows external storage.
  func storeExternally(_ value: Data) throws -> Data {
    let (bytes, name) = try engine.external.store(value)
    if let name { files.new.append(name) }
    return bytes
  }

  private func externalSlots(_ entity: SQLEntity, _ slots: some Sequence<Int>) -> [Int] {
    slots.filter { entity.slots[$0] != nil && SQLRowPlan.content(entity.layout.slots[$0]) == .externalData }
  }

  /// Remembers the files that a row refers to and will not any more.
  private func noteOldFiles(of key: Int64, _ entity: SQLEntity, slots: [Int]) throws {
    if slots.isEmpty { return }
    let columns = slots.compactMap { entity.slots[$0]?.column }
    let statement = SQLStatement(
      sql: statements.lookup(columns, of: entity.table.name, by: [entity.table.primaryKey]),
      bindings: [.integer(key)]
    )
    try SQLiteQuery(statement, in: database, isCached: true).forEachRow { row in
      for column in 0..<Int32(columns.count) where sqlite3_column_type(row, column) == SQLITE_BLOB {
        let cell = SQLiteCell(statement: row, column: column, type: SQLITE_BLOB)
        if let name = ExternalDataFolder.fileName(try cell.bytes()) { files.old.append(name) }
      }
    }
  }
}
