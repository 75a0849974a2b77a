#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// Takes the contents of another store into a new one, in the transaction that makes it.
  final class PostgreSQLReceiver: SQLReceiver {
    /// No store has this index: references are the same in both stores.
    let index = ObjectReference.noStore
    let schema: SQLSchema
    private let engine: PostgreSQLStore.Engine
    private let connection: PostgreSQLConnection
    private let references: SQLReferences
    private let longValues: PostgreSQLLongValues
    private let dialect = PostgreSQLDialect()
    /// The first half of the keys that transactions of the history get.
    private let historyKey = UUID().uuidString.lowercased().prefix(18)

    init(engine: PostgreSQLStore.Engine, connection: PostgreSQLConnection) {
      self.engine = engine
      self.connection = connection
      schema = engine.schema
      longValues = PostgreSQLLongValues(engine: engine, connection: connection)
      references = SQLReferences(schema: engine.schema, store: ObjectReference.noStore)
    }

    func write(_ rows: [StreamedRow], table: SQLTable) throws {
      let foreign = SQLForeignColumns(table, in: schema).columns
      var columns = [table.primaryKey, table.entityColumn, table.versionColumn].map {
        PostgreSQLBulkInsertion.Column(name: $0, type: "bigint")
      }
      columns += table.columns.map { column in
        let type = dialect.elementType(column.storage, of: column.attributeType)
        return PostgreSQLBulkInsertion.Column(name: column.name, type: type)
      }
      let places = Dictionary(
        columns.enumerated().map { ($1.name, $0) },
        uniquingKeysWith: { first, _ in first }
      )
      let empty = [SQLValue](repeating: .null, count: columns.count)
      var encoders: [Int32: (encoder: PostgreSQLRowEncoder, places: [Int])] = [:]
      let values = try rows.map { streamed in
        var values = empty
        guard let row = streamed.row.row else { return values }
        let entity = try entity(streamed.row.layout)
        let (encoder, own) =
          encoders[streamed.row.layout.number] ?? Self.encoder(entity, references: references, places: places)
        encoders[streamed.row.layout.number] = (encoder, own)
        values[0] = .integer(streamed.row.key)
        values[1] = .integer(entity.number)
        values[2] = .integer(row.version)
        try encoder.forEachValue(of: row) { values[own[$0]] = $1 }
        for (column, place) in zip(foreign, streamed.foreign) {
          if let place, let index = places[column] { values[index] = .integer(place) }
        }
        return values
      }
      try PostgreSQLBulkInsertion(
        table: table.name,
        columns: columns,
        capabilities: engine.connections.capabilities
      )
      .run(values, on: connection, longValues: longValues)
    }

    private static func encoder(
      _ entity: SQLEntity,
      references: SQLReferences,
      places: [String: Int]
    ) -> (encoder: PostgreSQLRowEncoder, places: [Int]) {
      let slots = entity.slots.indices.filter { entity.slots[$0] != nil }
      let encoder = PostgreSQLRowEncoder(entity, slots: slots, references: references)
      return (encoder, encoder.names.map { places[$0] ?? 0 })
    }

    func write(_ links: [StreamedLink], table join: SQLJoin) throws {
      let columns = join.streamedColumns.compactMap(\.self).map {
        PostgreSQLBulkInsertion.Column(name: $0, type: "bigint")
      }
      let hasColumn = join.streamedColumns.map { $0 != nil }
      let rows = links.map { link in
        [
          .integer(link.source), .integer(link.target), Self.value(link.targetPlace),
          Self.value(link.sourcePlace),
        ]
        .enumerated().filter { hasColumn[$0.offset] }.map(\.element)
      }
      try PostgreSQLBulkInsertion(
        table: join.table.name,
        columns: columns,
        capabilities: engine.connections.capabilities
      )
      .run(rows, on: connection)
    }

    private static func value(_ number: Int64?) -> SQLValue { number.map(SQLValue.integer) ?? .null }

    func setLastKey(_ key: Int64, entity: SQLEntity) throws {
      try connection.run(
        "UPDATE perennial_keys SET last = $1 WHERE z_ent = $2",
        values: [.integer(key), .integer(entity.number)]
      )
    }

    func finish(_ metadata: StoreMetadata) throws {
      let content = try PostgreSQLContent(
        connection,
        schema: engine.connections.address.schema,
        store: engine.url
      )
      guard var own = content.metadata else { return }
      own.setAll(metadata.properties)
      own.setIdentifier(metadata.uuid)
      try connection.run(
        "UPDATE perennial_metadata SET uuid = $1, properties = $2",
        values: [.text(own.uuid), .bytes(try own.data(store: engine.url))]
      )
      // Without them, the first queries would be planned for empty tables.
      for name in schema.tables.map(\.name) + schema.joinTables.map(\.name) {
        try connection.run("ANALYZE \(dialect.identifier(name))")
      }
    }

    // MARK: - History

    func beginHistory(_ last: (transaction: Int64, change: Int64)) throws {
      try connection.run(
        "UPDATE perennial_clock SET last_transaction = $1, last_change = $2",
        values: [.integer(last.transaction), .integer(last.change)]
      )
    }

    /// The key of a transaction: the second half is its number.
    private func key(_ transaction: Int64) -> String {
      let digits = String(UInt64(bitPattern: transaction), radix: 16)
      let half = String(repeating: "0", count: 16 - digits.count) + digits
      return "\(historyKey)-\(half.prefix(4))-\(half.dropFirst(4))"
    }

    func write(_ transactions: [StreamedTransaction]) throws {
      let types = ["bigint", "uuid", "bigint", "double precision", "text", "text", "text", "text"]
      let names = [
        "number", "key", "first_change", "timestamp", "author", "context_name", "bundle_id", "process_id",
      ]
      func value(_ text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }
      let rows = transactions.map { transaction -> [SQLValue] in
        [
          .integer(transaction.number), .text(key(transaction.number)), .integer(transaction.firstChange),
          .real(transaction.timestamp), value(transaction.author), value(transaction.contextName),
          value(transaction.bundleID), value(transaction.processID),
        ]
      }
      let columns = zip(names, types).map(PostgreSQLBulkInsertion.Column.init)
      try PostgreSQLBulkInsertion(
        table: "perennial_transaction",
        columns: columns,
        capabilities: engine.connections.capabilities
      )
      .run(rows, on: connection)
    }

    func write(_ changes: [StreamedChange]) throws {
      let binding = SQLBinding(dialect: dialect)
      var numbers = ["bigint", "bigint", "smallint", "bigint", "bigint"].map(PostgreSQLArray.init(type:))
      var bits = PostgreSQLArray(type: "bytea")
      var tombstones = PostgreSQLArray(type: "text")
      for change in changes {
        guard let entity = schema.entity(modelNumber: change.entity) else { continue }
        for (index, number) in [
          change.transaction, change.number, change.type, entity.number, change.key,
        ].enumerated() {
          numbers[index].append(.integer(number))
        }
        let columns = engine.history.columns(of: entity)
        bits.append(change.properties.map { .blob(columns.bits($0, of: entity.layout)) } ?? .null)
        var tombstone = PostgreSQLArray(type: "text")
        for (value, stored) in zip(columns.preserved, change.tombstone) {
          let attribute = HistoryTombstone.attribute(of: value, entity: entity)
          let kept = try attribute.map { try binding.value(stored, of: $0) } ?? .null
          tombstone.append(PostgreSQLTextValue.text(kept, of: attribute))
        }
        tombstones.append(tombstone.count == 0 ? .null : .text(tombstone.text))
      }
      let arrays = numbers + [bits, tombstones]
      let unnested = arrays.indices.map { "$\($0 + 1)::\(arrays[$0].type)[]" }.joined(separator: ", ")
      try connection.run(
        """
        INSERT INTO perennial_change (key, place, type, z_ent, z_pk, columns, tombstone) \
        SELECT t.key, r.number - t.first_change + 1, r.type, r.z_ent, r.z_pk, r.columns, r.tombstone::text[] \
        FROM unnest(\(unnested)) AS r(transaction, number, type, z_ent, z_pk, columns, tombstone) \
        JOIN perennial_transaction t ON t.number = r.transaction
        """,
        values: arrays.map(\.value),
        isCached: true
      )
    }
  }

  extension PostgreSQLTextValue {
    /// The form of text that the server gives a value of a column.
    static func text(_ value: SQLValue, of attribute: NSAttributeDescription?) -> SQLValue {
      switch value {
      case .null, .text: value
      case .integer(let number):
        .text(
          attribute?.attributeType == .booleanAttributeType ? (number == 0 ? "false" : "true") : "\(number)"
        )
      case .real(let number): .text("\(number)")
      case .blob(let data):
        .text("\\x" + data.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
      }
    }
  }
#endif
