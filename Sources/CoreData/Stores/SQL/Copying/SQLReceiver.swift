/// A store in a SQL database that takes the contents of another one, table by table.
package protocol SQLReceiver: StoreReceiver {
  var schema: SQLSchema { get }

  /// Writes rows of a table.
  func write(_ rows: [StreamedRow], table: SQLTable) throws
  /// Writes pairs of a many-to-many relationship.
  func write(_ links: [StreamedLink], table join: SQLJoin) throws
  /// Ensures that keys which another store has assigned are not assigned again.
  func setLastKey(_ key: Int64, entity: SQLEntity) throws
  /// Makes a history whose next transaction follows the last one of the other store.
  func beginHistory(_ last: (transaction: Int64, change: Int64)) throws
  func write(_ transactions: [StreamedTransaction]) throws
  func write(_ changes: [StreamedChange]) throws
  /// Called last, with the metadata of the other store.
  func finish(_ metadata: StoreMetadata) throws
}

extension SQLReceiver {
  /// - Throws: an error when the new store does not keep the entity.
  package func entity(_ layout: EntityLayout) throws -> SQLEntity {
    if let entity = schema.entity(modelNumber: layout.number) { return entity }
    throw StoreFailure.incompatibleSchema(
      "The new store keeps no entity with the number \(layout.number) of the model."
    )
  }

  package func receive(_ contents: any StoreContents, keepsHistory: Bool) throws {
    for table in schema.tables { try receive(table, contents: contents) }
    for (relationship, join) in schema.streamedRelationships {
      var last: StreamedLink?
      while true {
        let links = try contents.links(relationship, after: last)
        if links.isEmpty { break }
        try write(links, table: join)
        last = links.last
        try StoreCall.current?.check(waitingFor: "while the store was copied")
      }
    }
    if keepsHistory { try receiveHistory(contents) }
    try finish(contents.metadata)
  }

  private func receive(_ table: SQLTable, contents: any StoreContents) throws {
    let root = Int32(table.root.number)
    guard let entity = schema.entity(modelNumber: root) else { return }
    var last = Int64.min
    while true {
      let rows = try contents.rows(root: root, after: last)
      guard let key = rows.last?.row.key else { break }
      try write(rows, table: table)
      last = key
      try StoreCall.current?.check(waitingFor: "while the store was copied")
    }
    try setLastKey(max(try contents.lastKey(root: root), last, 0), entity: entity)
  }

  private func receiveHistory(_ contents: any StoreContents) throws {
    guard let last = try contents.lastOfHistory() else { return }
    try beginHistory(last)
    var number: Int64 = 0
    while true {
      let transactions = try contents.transactions(after: number)
      guard let last = transactions.last else { break }
      try write(transactions)
      number = last.number
    }
    number = 0
    while true {
      let changes = try contents.changes(after: number)
      guard let last = changes.last else { break }
      try write(changes)
      number = last.number
    }
  }
}
