#if PostgreSQL
  import Foundation
  import PostgreSQLDriver

  /// Reads the history of a store, at one state of it.
  struct PostgreSQLHistoryReader {
    let store: PostgreSQLStore
    let engine: PostgreSQLStore.Engine
    let connection: PostgreSQLConnection

    private var tables: PostgreSQLHistoryTables { engine.history }

    func extent() throws -> HistoryExtent {
      let result = try connection.run(
        """
        SELECT (SELECT min(number) FROM perennial_transaction), \
        (SELECT last_transaction FROM perennial_clock)
        """
      )
      return HistoryExtent(first: result.integer(0, column: 0), last: result.integer(0, column: 1) ?? 0)
    }

    /// The transactions of a range, the oldest first.
    func transactions(_ range: HistoryRange, includesChanges: Bool) throws
      -> [NSPersistentHistoryTransaction]
    {
      let transactions = try transactions(range)
      guard includesChanges, !transactions.isEmpty else { return transactions }
      let byNumber = Dictionary(
        transactions.map { ($0.transactionNumber, $0) },
        uniquingKeysWith: { first, _ in first }
      )
      let changes = try changes(range, of: byNumber)
      return transactions.map { $0.with(changes[$0.transactionNumber] ?? []) }
    }

    func transactions(_ range: HistoryRange) throws -> [NSPersistentHistoryTransaction] {
      let condition = range.postgreSQLCondition
      let result = try connection.run(
        SQLStatement(
          sql: """
            SELECT number, timestamp, author, context_name, bundle_id, process_id FROM perennial_transaction t \
            WHERE \(condition.sql) ORDER BY number
            """,
          bindings: condition.bindings
        )
      )
      return (0..<result.rowCount).map { row in
        NSPersistentHistoryTransaction(
          number: result.integer(row, column: 0) ?? 0,
          storeID: store.identifier,
          timestamp: Date(timeIntervalSinceReferenceDate: result.real(row, column: 1) ?? 0),
          author: result.text(row, column: 2),
          contextName: result.text(row, column: 3),
          bundleID: result.text(row, column: 4),
          processID: result.text(row, column: 5)
        )
      }
    }

    private func changes(
      _ range: HistoryRange,
      of transactions: [Int64: NSPersistentHistoryTransaction]
    ) throws -> [Int64: [NSPersistentHistoryChange]] {
      let condition = range.postgreSQLCondition
      return try changes(
        SQLStatement(sql: "\(condition.sql) ORDER BY t.number, c.place", bindings: condition.bindings),
        of: transactions
      )
    }

    /// - Parameter condition: the condition after WHERE.
    func changes(
      _ condition: SQLStatement,
      of transactions: [Int64: NSPersistentHistoryTransaction]
    ) throws -> [Int64: [NSPersistentHistoryChange]] {
      let tombstones = (0..<tables.tombstoneCount).map { ", c.tombstone[\($0 + 1)]" }.joined()
      let result = try connection.run(
        SQLStatement(
          sql: """
            SELECT t.first_change + c.place - 1, t.number, c.type, c.z_ent, c.z_pk, c.columns\(tombstones) \
            FROM perennial_transaction t JOIN perennial_change c ON c.key = t.key \
            WHERE \(condition.sql)
            """,
          bindings: condition.bindings
        )
      )
      var found: [Int64: [NSPersistentHistoryChange]] = [:]
      try PostgreSQLResultRow.forEach(of: result) { row in
        guard let transaction = transactions[row.number(1)],
          let change = try change(row, transaction: transaction)
        else { return }
        found[row.number(1), default: []].append(change)
      }
      return found
    }

    /// - Returns: `nil` for a change of an object whose entity the model no longer has.
    private func change(
      _ row: PostgreSQLResultRow,
      transaction: NSPersistentHistoryTransaction
    ) throws -> NSPersistentHistoryChange? {
      guard let type = NSPersistentHistoryChangeType(rawValue: Int(row.number(2))),
        let entity = engine.schema.entity(storeNumber: row.number(3))
      else { return nil }
      let reference = ObjectReference(key: row.number(4), entity: entity.layout.number, store: store.index)
      return NSPersistentHistoryChange(
        number: row.number(0),
        type: type,
        objectID: NSManagedObjectID(
          reference: reference,
          layout: entity.layout,
          model: engine.schema.model,
          store: store
        ),
        entityNumber: row.number(3),
        tombstone: type == .delete ? try tombstone(row, entity: entity) : nil,
        updatedProperties: type == .update ? try updatedProperties(row, entity: entity) : nil,
        transaction: transaction
      )
    }

    private func updatedProperties(
      _ row: PostgreSQLResultRow,
      entity: SQLEntity
    ) throws -> Set<NSPropertyDescription>? {
      guard let cell = row.cell(5) else { return nil }
      return tables.columns(of: entity).properties(Data(try cell.bytes()), of: entity.layout)
    }

    private func tombstone(_ row: PostgreSQLResultRow, entity: SQLEntity) throws -> [AnyHashable: Any] {
      var tombstone = HistoryTombstone(entity)
      for (index, value) in tables.columns(of: entity).preserved.enumerated() {
        guard let text = try row.cell(Int32(6 + index))?.text(),
          let attribute = HistoryTombstone.attribute(of: value, entity: entity)
        else { continue }
        tombstone.set(try PostgreSQLTextValue.stored(text, of: attribute), value: value, attribute: attribute)
      }
      return tombstone.values
    }
  }

  /// Reads values in the form of text that the server gives them.
  enum PostgreSQLTextValue {
    /// - Throws: an error that names the attribute, for a text that does not represent a value of
    ///   it.
    static func stored(_ text: String, of attribute: NSAttributeDescription) throws -> StoredValue {
      let value: StoredValue? =
        switch SQLRowPlan.content(attribute) {
        case .integer: Int64(text).map(StoredValue.integer)
        case .boolean: .integer(text == "true" || text == "t" ? 1 : 0)
        case .real: Double(text).map(StoredValue.real)
        case .text: .text(text)
        case .uuid: UUID(uuidString: text).map(StoredValue.uuid)
        case .decimal: Decimal(string: text, locale: nil).map(StoredValue.decimal)
        case .uri: URL(string: text).map { .object($0) }
        case .data, .externalData: data(text).map(StoredValue.data)
        case .transformable:
          data(text).map { AttributeCoding.decode($0, attribute: attribute).map { .object($0) } ?? .null }
        case .composite, .reference: .null
        }
      if let value { return value }
      throw StoreFailure.error(
        CocoaError.fileReadCorruptFile.rawValue,
        message:
          "The history has a value of \(attribute.modelPath) that is none: a text of \(text.utf8.count) bytes."
      )
    }

    /// The bytes of a text `\x0a1b`.
    private static func data(_ text: String) -> Data? {
      let digits = Array(text.utf8.dropFirst(2))
      guard text.hasPrefix("\\x"), digits.count.isMultiple(of: 2) else { return nil }
      func value(_ digit: UInt8) -> UInt8? { Character(Unicode.Scalar(digit)).hexDigitValue.map(UInt8.init) }
      var data = Data(capacity: digits.count / 2)
      for index in stride(from: 0, to: digits.count, by: 2) {
        guard let high = value(digits[index]), let low = value(digits[index + 1]) else { return nil }
        data.append(high << 4 | low)
      }
      return data
    }
  }
#endif
