import CSystemSQLite
import Foundation
import SQLiteDriver

/// Looks for faults in a SQLite store, and repairs those that can be repaired safely.
///
/// No other connection may write to the store during a repair. A check changes nothing.
package struct SQLiteStoreCheck: StoreCheck {
  let file: URL
  let model: NSManagedObjectModel
  /// True when the model was derived from the tables, and has no version of its own.
  private let isReduced: Bool
  /// The time to wait for other connections to the store, in seconds.
  private let timeout: TimeInterval

  /// - Parameters:
  ///   - store: the store's file.
  ///   - model: the model that the store should fit; when `nil`, the one in the store, or the one
  ///     that its tables determine.
  ///   - options: the options of the store. Only `NSPersistentStoreTimeoutOption` matters here.
  /// - Throws: an error that names the file, when it is not a store or contains a broken model.
  package init(store: URL, model: NSManagedObjectModel?, options: [AnyHashable: Any]? = nil) throws {
    file = store
    timeout = StoreTimeout.seconds(in: options)
    isReduced = try model == nil && SQLiteStore.archivedModel(at: store, options: options) == nil
    self.model =
      try model
      ?? (isReduced ? NSManagedObjectModel(tablesOf: store) : NSManagedObjectModel(cachedIn: store))
    self.model.freeze()
  }

  /// Looks for what is wrong with the store.
  ///
  /// - Returns: the findings, the gravest first.
  ///
  /// - Throws: an error that names the file, when it cannot be read at all.
  package func findings() throws -> [StoreFinding] {
    try StoreFile(file).checkPlace(mustExist: true, isWritten: false)
    return try withConnections(isReadOnly: true) { connections in
      do {
        return try connections.look { try findings(in: $0, connections: connections) }
      } catch let error as DatabaseError where error.resultCode == .SQLITE_CORRUPT {
        return [damage(error.message ?? "the database is malformed")]
      }
    }
  }

  /// Copies the store, and makes the safe repairs in one transaction. The transaction checks the
  /// store again, because other programs may have written it since `findings()`.
  ///
  /// - Parameter copy: the place of the copy, which must be empty.
  /// - Returns: true when the store was copied and repaired.
  /// - Throws: an error that names the file that could not be copied or written; the store is as it was then.
  @discardableResult
  package func repair(copyingTo copy: URL) throws -> Bool {
    try StoreFile(file).checkPlace(mustExist: true, isWritten: true)
    return try withConnections(isReadOnly: false) { connections in
      var repairs: [StoreFinding.Repair] = []
      let unnamed = try connections.write { database in
        repairs = try findings(in: database, connections: connections).compactMap(\.repair)
        if repairs.isEmpty { return [String]() }
        // The copy is made under the write lock, so that it is a copy of the store that is
        // repaired. Without the lock there is no copy.
        try SQLiteFile(file).copy(to: SQLiteFile(copy), timeout: timeout)
        for repair in repairs { try run(repair, in: database) }
        return try unnamedFiles(of: repairs, in: database, connections: connections)
      }
      connections.release(SQLiteFileChanges(old: unnamed), folder: ExternalDataFolder(store: file))
      return !repairs.isEmpty
    }
  }

  /// The files to remove, which no row names at a time when no other connection can be about to commit one that does.
  private func unnamedFiles(
    of repairs: [StoreFinding.Repair],
    in database: Database,
    connections: SQLiteConnections
  ) throws -> [String] {
    var found: Set<String> = []
    for case .removeFiles(let names) in repairs { found.formUnion(names) }
    if found.isEmpty { return [] }
    let content = try SQLiteContent(database, file: file)
    let schema = try SQLSchemaBuilder.build(model: model, entities: model.entities, catalog: content.catalog)
    let engine = SQLiteStore.Engine(schema: schema, connections: connections)
    return try SQLiteValueCheck(engine: engine, database: database).unnamedNames().filter(found.contains)
  }

  /// Looks for tables whose names Apple's framework may not find.
  ///
  /// - Throws: an error that names the file, when it cannot be read.
  package func notes() throws -> [StoreNote] {
    try StoreFile(file).checkPlace(mustExist: true, isWritten: false)
    return try withConnections(isReadOnly: true) { connections in
      let content = try connections.look { try SQLiteContent($0, file: file) }
      let guessed = content.metadata?.guessedJoinTables ?? []
      // The findings already report what the store lacks.
      guard !guessed.isEmpty,
        let schema = try? SQLSchemaBuilder.build(model: model, entities: model.entities, catalog: content.catalog)
      else { return [] }
      return schema.joinTables.filter { guessed.contains($0.name) }.map { note(on: $0, in: schema) }
    }
  }

  private func note(on table: SQLJoinTable, in schema: SQLSchema) -> StoreNote {
    let paths = schema.entities.flatMap { entity in
      entity.layout.toMany.indices.compactMap { index -> String? in
        let relationship = entity.layout.toMany[index].relationship
        guard relationship.entity === entity.entity, case .join(let join) = entity.toMany[index],
          join.table === table
        else { return nil }
        return relationship.modelPath
      }
    }
    return StoreNote(
      words: """
        the name of the join table \(table.name) of \(paths.joined(separator: " and ")) was chosen here, because the model \
        does not tell which one Apple's framework looks for
        """,
      advice: """
        before you ship the store to Apple's platforms, fetch the relationship there in a copy; if the error says \
        "no such table", rename the table to the name that it says, under which it is found here too
        """
    )
  }

  // MARK: - Looking

  private func findings(in database: Database, connections: SQLiteConnections) throws -> [StoreFinding] {
    let damages = try damages(in: database)
    // The rows of a damaged file are not reliable, so the check ends here.
    if damages.contains(where: { !$0.isRepairable }) { return damages }
    let content = try SQLiteContent(database, file: file)
    guard let metadata = content.metadata else { throw SQLiteFile(file).noStore() }
    var findings = damages + metadataFindings(metadata, model: model, table: "Z_METADATA", isReduced: isReduced)
    let schema: SQLSchema
    do {
      schema = try SQLSchemaBuilder.build(model: model, entities: model.entities, catalog: content.catalog)
    } catch {
      let problem = (error as NSError).localizedDescription
      return findings + [
        StoreFinding(kind: .schema, problem: problem, remedy: "check with the model that the store was made with")
      ]
    }
    findings += try keyFindings(schema, database: database)
    findings += try rowFindings(SQLStoreProblems(schema: schema, dialect: SQLiteDialect()), database: database)
    let engine = SQLiteStore.Engine(schema: schema, connections: connections)
    let values = SQLiteValueCheck(engine: engine, database: database)
    return findings + (try values.findings())
  }

  private func keyFindings(_ schema: SQLSchema, database: Database) throws -> [StoreFinding] {
    let dialect = SQLiteDialect()
    let check = SQLKeyCheck(
      schema: schema,
      dialect: dialect,
      columns: .init(entity: "Z_ENT", name: "Z_NAME", parent: "Z_SUPER", last: "Z_MAX")
    )
    return try check.findings(on: SQLiteQueryConnection(database: database)) { entity in
      if entity.entity !== entity.table.root { return nil }
      let query = SQLStatement(sql: "SELECT MAX(Z_PK) FROM \(dialect.identifier(entity.table.name))")
      return try SQLiteQuery(query, in: database, isCached: false).integer() ?? 0
    }
  }

  private func rowFindings(_ problems: SQLStoreProblems, database: Database) throws -> [StoreFinding] {
    try problems.all().compactMap { problem in
      var rows: [Int64] = []
      let query = SQLStatement(sql: problem.query(problems.dialect))
      try SQLiteQuery(query, in: database, isCached: false).forEachRow { rows.append(sqlite3_column_int64($0, 0)) }
      return rows.isEmpty
        ? nil : problem.finding(rows.prefix(SQLProblem.shownKeys).map(String.init), of: rows.count)
    }
  }

  /// The findings of SQLite's own integrity check of the file:
  /// <https://www.sqlite.org/pragma.html#pragma_integrity_check>. Indexes can be rebuilt, tables cannot.
  private func damages(in database: Database) throws -> [StoreFinding] {
    var lines: [String] = []
    let query = SQLStatement(sql: "PRAGMA integrity_check")
    try SQLiteQuery(query, in: database, isCached: false).forEachRow { row in
      lines.append(try SQLiteCell(statement: row, column: 0).text())
    }
    return lines.filter { $0 != "ok" }.map { line in
      let isOfIndex = line.contains("missing from index") || line.contains("wrong # of entries in index")
      return isOfIndex
        ? StoreFinding(
          kind: .integrity,
          problem: "\(file.lastPathComponent): \(line)",
          remedy: "make the indexes anew",
          repair: .statements(["REINDEX"])
        ) : damage(line)
    }
  }

  private func damage(_ words: String) -> StoreFinding {
    StoreFinding(
      kind: .integrity,
      problem: "\(file.lastPathComponent): \(words)",
      remedy: "restore a copy, or copy what can be read with sqlite3's .recover"
    )
  }

  // MARK: - Repairs

  private func run(_ repair: StoreFinding.Repair, in database: Database) throws {
    switch repair {
    case .statements(let statements):
      for statement in statements { try database.execute(sql: statement) }
    case .metadata:
      guard let metadata = try StoreMetadata.read(from: database, file: file) else { return }
      try metadata.withDigests().write(to: database, file: file, isNew: false)
    case .removeFiles: return
    }
  }

  private func withConnections<Value>(isReadOnly: Bool, _ body: (SQLiteConnections) throws -> Value) throws
    -> Value
  {
    try SQLiteStore.withConnections(
      file,
      isReadOnly: isReadOnly,
      timeout: timeout,
      doing: "The store could not be checked",
      body
    )
  }
}
