#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// Reads the history of a store, at one state of it.
  struct PostgreSQLHistoryReader: SQLHistoryReader {
    typealias Wanted = Changes

    static let preparation = SQLPreparation.held

    let store: PostgreSQLStore
    let engine: PostgreSQLStore.Engine
    let connection: PostgreSQLConnection

    var queries: PostgreSQLQueryConnection { PostgreSQLQueryConnection(connection: connection) }

    func extent() throws -> HistoryExtent {
      let result = try connection.run(
        """
        SELECT (SELECT min(number) FROM perennial_transaction), \
        (SELECT last_transaction FROM perennial_clock)
        """
      )
      return HistoryExtent(first: result.integer(0, column: 0), last: result.integer(0, column: 1) ?? 0)
    }

    func transactionQuery(_ range: HistoryRange) -> SQLStatement {
      let condition = range.postgreSQLCondition
      return SQLStatement(
        sql: """
          SELECT number, timestamp, author, context_name, bundle_id, process_id FROM perennial_transaction t \
          WHERE \(condition.sql) ORDER BY number
          """,
        bindings: condition.bindings
      )
    }

    func changeQuery(_ condition: SQLStatement) -> SQLStatement {
      let tombstones = (0..<engine.history.tombstoneCount).map { ", c.tombstone[\($0 + 1)]" }.joined()
      return SQLStatement(
        sql: """
          SELECT t.first_change + c.place - 1, t.number, c.type, c.z_ent, c.z_pk, c.columns\(tombstones) \
          FROM perennial_transaction t JOIN perennial_change c ON c.key = t.key \
          WHERE \(condition.sql)
          """,
        bindings: condition.bindings
      )
    }

    func changeCondition(_ range: HistoryRange) -> SQLStatement {
      let condition = range.postgreSQLCondition
      return SQLStatement(sql: "\(condition.sql) ORDER BY t.number, c.place", bindings: condition.bindings)
    }

    func columns(of entity: SQLEntity) -> HistoryColumns { engine.history.columns(of: entity) }

    func tombstone(_ row: PostgreSQLResultRow, entity: SQLEntity) throws -> [AnyHashable: Any] {
      var tombstone = HistoryTombstone(entity)
      for (index, value) in columns(of: entity).preserved.enumerated() {
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
    /// - Throws: an error that names the attribute, for a text that does not represent a value of it.
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
