import Foundation
import SQLiteDriver

/// Takes the contents of another store into a new one, in the transaction of a session.
final class SQLiteReceiver: SQLReceiver {
  let index: Int32
  let schema: SQLSchema
  private let session: SQLiteWriteSession
  private let dialect = SQLiteDialect()
  /// The statements that recreate the triggers. They are dropped meanwhile, because the rows already
  /// contain the derived values.
  private let triggers: [String]
  private var writers: [Int32: SQLiteRowWriter] = [:]
  private var history: SQLiteHistoryTables?
  /// The numbers of the texts that transactions share.
  private var strings: [String: Int64] = [:]

  init(_ session: SQLiteWriteSession) throws {
    self.session = session
    index = session.store.index
    schema = session.engine.schema
    let found = try DatabaseRow.fetchAll(
      session.database,
      sql: "SELECT name, sql FROM sqlite_master WHERE type = 'trigger' AND sql NOT NULL ORDER BY rowid"
    )
    triggers = found.compactMap { $0[1] }
    for row in found {
      guard let name: String = row[0] else { continue }
      try session.database.execute(sql: "DROP TRIGGER \(dialect.identifier(name))")
    }
  }

  func write(_ rows: [StreamedRow], table: SQLTable) throws {
    let foreign = SQLForeignColumns(table, in: schema).columns
    for streamed in rows {
      guard let row = streamed.row.row else { continue }
      let entity = try entity(streamed.row.layout)
      let writer = try writer(of: entity, foreign: foreign)
      writer.bind(streamed.row.key, at: 1)
      writer.bind(entity.number, at: 2)
      writer.bind(row.version, at: 3)
      var next = try writer.bind(row, from: 4)
      for place in streamed.foreign {
        try writer.bind(place.map(SQLValue.integer) ?? .null, at: next)
        next += 1
      }
      _ = try writer.run()
    }
  }

  private func writer(of entity: SQLEntity, foreign: [String]) throws -> SQLiteRowWriter {
    if let known = writers[entity.layout.number] { return known }
    let table = entity.table
    let slots = entity.slots.indices.filter { entity.slots[$0] != nil }
    let columns =
      [table.primaryKey, table.entityColumn, table.versionColumn]
      + slots.flatMap { entity.slots[$0]?.columns ?? [] } + foreign
    let places = columns.map { _ in "?" }.joined(separator: ", ")
    let writer = try SQLiteRowWriter(
      sql:
        "INSERT INTO \(dialect.identifier(table.name)) (\(columns.map(dialect.identifier).joined(separator: ", "))) "
        + "VALUES (\(places))",
      entity: entity,
      slots: slots,
      session: session
    )
    writers[entity.layout.number] = writer
    return writer
  }

  func write(_ links: [StreamedLink], table join: SQLJoin) throws {
    let columns = join.streamedColumns
    let names = columns.compactMap(\.self)
    let sql =
      "INSERT INTO \(dialect.identifier(join.table.name)) (\(names.map(dialect.identifier).joined(separator: ", "))) "
      + "VALUES (\(names.map { _ in "?" }.joined(separator: ", ")))"
    for link in links {
      let places = [link.targetPlace, link.sourcePlace].map { $0.map(SQLValue.integer) ?? .null }
      let values: [SQLValue] = [.integer(link.source), .integer(link.target)] + places
      try run(sql, values: zip(columns, values).filter { $0.0 != nil }.map(\.1))
    }
  }

  func setLastKey(_ key: Int64, entity: SQLEntity) throws {
    try run("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", values: [.integer(key), .integer(entity.number)])
  }

  func finish(_ metadata: StoreMetadata) throws {
    let file = session.store.file
    guard var own = try StoreMetadata.read(from: session.database, file: file) else { return }
    own.setAll(metadata.properties)
    own.setIdentifier(metadata.uuid)
    try own.write(to: session.database, file: file, isNew: false)
    for trigger in triggers { try session.database.execute(sql: trigger) }
  }

  // MARK: - History

  func beginHistory(_ last: (transaction: Int64, change: Int64)) throws {
    let database = session.database
    let file = session.store.file
    try SQLiteHistoryTables.create(
      in: database,
      catalog: try SQLiteContent(database, file: file).catalog,
      schema: schema
    )
    history = SQLiteHistoryTables(try SQLiteContent(database, file: file).catalog, schema: schema)
    try setLast(last.transaction, number: SQLiteHistoryTables.transactionNumber)
    try setLast(last.change, number: SQLiteHistoryTables.changeNumber)
  }

  private func setLast(_ last: Int64, number: Int64) throws {
    try run("UPDATE Z_PRIMARYKEY SET Z_MAX = ? WHERE Z_ENT = ?", values: [.integer(last), .integer(number)])
  }

  func write(_ transactions: [StreamedTransaction]) throws {
    for transaction in transactions {
      let texts = try [
        transaction.author, transaction.bundleID, transaction.contextName, transaction.processID,
      ].map(shared)
      try run(
        """
        INSERT INTO ATRANSACTION (Z_PK, Z_ENT, ZAUTHORTS, ZBUNDLEIDTS, ZCONTEXTNAMETS, ZPROCESSIDTS, ZTIMESTAMP) \
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """,
        values: [.integer(transaction.number), .integer(SQLiteHistoryTables.transactionNumber)] + texts
          + [.real(transaction.timestamp)]
      )
    }
  }

  /// The number of a text in the table that transactions share.
  private func shared(_ text: String?) throws -> SQLValue {
    guard let text else { return .null }
    if let known = strings[text] { return .integer(known) }
    let number = Int64(strings.count + 1)
    try run(
      "INSERT INTO ATRANSACTIONSTRING (Z_PK, Z_ENT, ZNAME) VALUES (?, ?, ?)",
      values: [.integer(number), .integer(SQLiteHistoryTables.stringNumber), .text(text)]
    )
    try setLast(number, number: SQLiteHistoryTables.stringNumber)
    strings[text] = number
    return .integer(number)
  }

  func write(_ changes: [StreamedChange]) throws {
    guard let history else { return }
    let binding = SQLBinding(dialect: dialect)
    for change in changes {
      guard let entity = schema.entity(modelNumber: change.entity) else { continue }
      let columns = history.columns(of: entity)
      let values = try zip(columns.preserved.prefix(history.tombstoneCount), change.tombstone).map {
        value,
        stored in
        try HistoryTombstone.attribute(of: value, entity: entity).map {
          try kept(stored, of: $0, binding: binding)
        } ?? .null
      }
      let names = values.indices.map { ", ZTOMBSTONE\($0)" }.joined()
      let places = values.indices.map { _ in ", ?" }.joined()
      let bits = change.properties.map { SQLValue.blob(columns.bits($0, of: entity.layout)) } ?? .null
      try run(
        """
        INSERT INTO ACHANGE (Z_PK, Z_ENT, ZCHANGETYPE, ZENTITY, ZENTITYPK, ZTRANSACTIONID, ZCOLUMNS\(names)) \
        VALUES (?, ?, ?, ?, ?, ?, ?\(places))
        """,
        values: [
          .integer(change.number), .integer(SQLiteHistoryTables.changeNumber), .integer(change.type),
          .integer(entity.number), .integer(change.key), .integer(change.transaction), bits,
        ] + values
      )
    }
  }

  /// The value of a tombstone's column. Large data has a mark before it, as in the column of its rows.
  private func kept(
    _ stored: StoredValue,
    of attribute: NSAttributeDescription,
    binding: SQLBinding
  ) throws -> SQLValue {
    let value = try binding.value(stored, of: attribute)
    guard attribute.allowsExternalBinaryDataStorage, case .blob(let data) = value else { return value }
    return .blob((dialect.externalDataMark ?? Data()) + data)
  }

  private func run(_ sql: String, values: [SQLValue]) throws {
    try SQLiteQuery(SQLStatement(sql: sql, bindings: values), in: session.database, isCached: true).run()
  }
}
