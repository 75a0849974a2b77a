import Foundation

/// Reads the history of a store in an SQL database, at one state of it.
package protocol SQLHistoryReader: HistoryPageReader {
  associatedtype Store: SQLStore
  associatedtype Connection: SQLQueryConnection

  var store: Store { get }
  var engine: Store.Engine { get }
  var queries: Connection { get }
  static var preparation: SQLPreparation { get }

  func extent() throws -> HistoryExtent

  /// The query of transactions: number, date, author, name of the context, bundle and process, in order.
  func transactionQuery(_ range: HistoryRange) -> SQLStatement

  /// The query of changes: number, transaction, type, entity, key, bits of properties, and the values of a tombstone.
  ///
  /// - Parameter condition: the condition after WHERE.
  func changeQuery(_ condition: SQLStatement) -> SQLStatement

  /// The condition on the changes of the transactions of a range, and their order.
  func changeCondition(_ range: HistoryRange) -> SQLStatement

  /// The condition on the first of the wanted changes of a transaction, their order and their number.
  func changeCondition(_ number: Int64, wanted: Wanted, limit: Int) -> SQLStatement

  /// The query of the numbers of transactions, the newest first, and of one more where there are more.
  func numberQuery(_ selection: HistorySelection, wanted: Wanted) -> SQLStatement

  /// The query of numbers of transactions, types of changes, and how many wanted changes there are.
  func countQuery(_ numbers: [Int64], wanted: Wanted) -> SQLStatement

  /// The query of the different authors of transactions, in order.
  func authorQuery(limit: Int) -> SQLStatement

  /// The places of an entity's properties in the bits of changes.
  func columns(of entity: SQLEntity) -> HistoryColumns

  /// The values of a deleted object that its change has kept.
  func tombstone(_ row: Connection.Row, entity: SQLEntity) throws -> [AnyHashable: Any]

  /// The changes that are wanted.
  ///
  /// - Parameters:
  ///   - entities: the numbers of the entities whose changes are wanted; `nil` for all.
  ///   - key: the key of the object whose changes are wanted; `nil` for all.
  static func wanted(_ entities: [Int64]?, key: Int64?) -> Wanted
}

extension SQLHistoryReader {
  /// The transactions of a range, the oldest first.
  func transactions(_ range: HistoryRange, includesChanges: Bool) throws -> [NSPersistentHistoryTransaction] {
    let transactions = try transactions(range)
    guard includesChanges, !transactions.isEmpty else { return transactions }
    let byNumber = Dictionary(
      transactions.map { ($0.transactionNumber, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    let changes = try changes(changeCondition(range), of: byNumber)
    return transactions.map { $0.with(changes[$0.transactionNumber] ?? []) }
  }

  package func transactions(_ range: HistoryRange) throws -> [NSPersistentHistoryTransaction] {
    try rows(transactionQuery(range)) { row in
      NSPersistentHistoryTransaction(
        number: row.number(0),
        storeID: store.identifier,
        timestamp: Date(timeIntervalSinceReferenceDate: row.real(1)),
        author: try row.cell(2)?.text(),
        contextName: try row.cell(3)?.text(),
        bundleID: try row.cell(4)?.text(),
        processID: try row.cell(5)?.text()
      )
    }
  }

  /// The transactions of a selection, the newest first.
  func page(_ selection: HistorySelection, entities: [Int64]?, key: Int64?) throws -> HistoryPage {
    try page(selection, wanted: Self.wanted(entities, key: key))
  }

  package func numbers(_ selection: HistorySelection, wanted: Wanted) throws -> [Int64] {
    try rows(numberQuery(selection, wanted: wanted)) { $0.number(0) }
  }

  package func counts(_ numbers: [Int64], wanted: Wanted) throws -> [Int64: HistoryPage.Counts] {
    var counts: [Int64: HistoryPage.Counts] = [:]
    try queries.forEachRow(of: countQuery(numbers, wanted: wanted), preparation: Self.preparation) { row in
      let type = NSPersistentHistoryChangeType(rawValue: Int(row.number(1)))
      counts[row.number(0), default: .init()].add(row.number(2), type: type)
    }
    return counts
  }

  package func changes(
    of transaction: NSPersistentHistoryTransaction,
    _ wanted: Wanted,
    limit: Int
  ) throws -> [NSPersistentHistoryChange] {
    let number = transaction.transactionNumber
    let condition = changeCondition(number, wanted: wanted, limit: limit)
    return try changes(condition, of: [number: transaction])[number] ?? []
  }

  func authors(limit: Int) throws -> [String] {
    try rows(authorQuery(limit: limit)) { try $0.cell(0)?.text() }.compactMap(\.self)
  }

  private func rows<Value>(_ query: SQLStatement, _ read: (Connection.Row) throws -> Value) throws -> [Value] {
    var found: [Value] = []
    try queries.forEachRow(of: query, preparation: Self.preparation) { found.append(try read($0)) }
    return found
  }

  private func changes(
    _ condition: SQLStatement,
    of transactions: [Int64: NSPersistentHistoryTransaction]
  ) throws -> [Int64: [NSPersistentHistoryChange]] {
    var found: [Int64: [NSPersistentHistoryChange]] = [:]
    try queries.forEachRow(of: changeQuery(condition), preparation: Self.preparation) { row in
      let number = row.number(1)
      guard let transaction = transactions[number], let change = try change(row, transaction: transaction)
      else { return }
      found[number, default: []].append(change)
    }
    return found
  }

  /// - Returns: `nil` for a change of an object whose entity the model no longer has.
  private func change(
    _ row: Connection.Row,
    transaction: NSPersistentHistoryTransaction
  ) throws -> NSPersistentHistoryChange? {
    let entityNumber = row.number(3)
    guard let type = NSPersistentHistoryChangeType(rawValue: Int(row.number(2))),
      let entity = engine.schema.entity(storeNumber: entityNumber)
    else { return nil }
    return NSPersistentHistoryChange(
      number: row.number(0),
      type: type,
      objectID: NSManagedObjectID(
        reference: ObjectReference(key: row.number(4), entity: entity.layout.number, store: store.index),
        layout: entity.layout,
        model: engine.schema.model,
        store: store
      ),
      entityNumber: entityNumber,
      tombstone: type == .delete ? try tombstone(row, entity: entity) : nil,
      updatedProperties: type == .update ? try updatedProperties(row, entity: entity) : nil,
      transaction: transaction
    )
  }

  private func updatedProperties(_ row: Connection.Row, entity: SQLEntity) throws -> Set<NSPropertyDescription>? {
    guard let cell = row.cell(5) else { return nil }
    return columns(of: entity).properties(Data(try cell.bytes()), of: entity.layout)
  }
}
