import Foundation
import TestSupport

@testable import CoreData

/// Names of join tables that Apple's framework may have chosen and that a new store here does not use: named after the other
/// side of a relationship within one entity, with the columns in the other order, or with the numbers of equal names swapped.
struct AppleJoinNames {
  /// A join table of a store, with the relationships that share it.
  struct Join {
    let table: SQLJoinTable
    /// The relationships whose source objects are in the first and in the second column.
    let first: SQLRelationshipName
    let second: SQLRelationshipName
    let isOwnInverse: Bool

    var isReflexive: Bool { !isOwnInverse && first.number == second.number }

    /// The table, the two columns and the columns of orders.
    var names: [String] {
      [table.name] + table.key + [table.first.order, table.second.order].map { $0 ?? "-" }
    }
  }

  private var random: SplitMix

  init(seed: UInt64) { random = SplitMix(seed: seed ^ 0xA9) }

  /// The join tables of a SQLite store.
  static func joins(of store: VersionedStore, _ model: NSManagedObjectModel) throws -> [Join] {
    let connections = try SQLiteConnections(file: store.file, isReadOnly: true, pragmas: [], timeout: 1)
    defer { try? connections.close() }
    let content = try connections.look { try SQLiteContent($0, file: store.file) }
    model.freeze()
    let schema = try SQLSchemaBuilder.build(
      model: model,
      entities: model.entities,
      catalog: content.catalog
    )
    return schema.joinTables.compactMap { table in
      func end(from column: SQLJoinColumn) -> SQLRelationshipName? {
        for entity in schema.entities {
          for (index, kept) in entity.toMany.enumerated() {
            let relationship = entity.layout.toMany[index].relationship
            if case .join(let join) = kept, join.table === table, join.source == column.name,
              relationship.entity === entity.entity
            {
              return SQLRelationshipName(
                entity: entity.entity.name ?? "",
                number: entity.number,
                relationship: relationship.name
              )
            }
          }
        }
        return nil
      }
      guard let first = end(from: table.first) else { return nil }
      let second = end(from: table.second)
      return Join(table: table, first: first, second: second ?? first, isOwnInverse: second == nil)
    }
  }

  /// Renames join tables of a closed store.
  ///
  /// - Parameter always: true to make every possible change, and false for a random part of them.
  /// - Returns: the number of renamed tables.
  @discardableResult
  mutating func choose(in store: VersionedStore, _ model: NSManagedObjectModel, always: Bool = false) throws
    -> Int
  {
    let joins = try Self.joins(of: store, model)
    var columns = joins.map(\.table.key)
    exchangeNumbers(of: joins, in: &columns, always)
    var taken = Set(joins.map(\.table.name))
    var changed = 0
    for (index, join) in joins.enumerated() {
      var name = join.table.name
      if join.isReflexive, always || Bool.random(using: &random) {
        let other = "Z_\(join.second.number)\(join.second.relationship.uppercased())"
        if taken.insert(other).inserted { name = other }
      }
      let isReversed = !join.isOwnInverse && (always || Bool.random(using: &random))
      if name == join.table.name, !isReversed, columns[index] == join.table.key { continue }
      changed += 1
      try replace(join.table, name, columns[index], isReversed: isReversed, in: store)
    }
    return changed
  }

  /// Swaps the numbers of columns that would have the same name without them.
  private mutating func exchangeNumbers(of joins: [Join], in columns: inout [[String]], _ always: Bool) {
    var users: [String: [(join: Int, column: Int)]] = [:]
    for (index, join) in joins.enumerated() where !join.isOwnInverse {
      let wanted = SQLiteNames().join(join.first, second: join.second)
      users[wanted.first[0], default: []].append((index, 0))
      users[wanted.second[0], default: []].append((index, 1))
    }
    for (_, places) in users.sorted(by: { $0.key < $1.key }) where places.count > 1 {
      guard always || Bool.random(using: &random) else { continue }
      let (one, other) = (places[0], places[1])
      let name = columns[one.join][one.column]
      columns[one.join][one.column] = columns[other.join][other.column]
      columns[other.join][other.column] = name
    }
  }

  private func replace(
    _ table: SQLJoinTable,
    _ name: String,
    _ columns: [String],
    isReversed: Bool,
    in store: VersionedStore
  ) throws {
    let keys = isReversed ? [columns[1], columns[0]] : columns
    let formerKeys = isReversed ? [table.second.name, table.first.name] : table.key
    let orders = zip([table.first.order, table.second.order], columns).compactMap { order, column in
      order.map { (former: $0, new: "Z_FOK_\(column.dropFirst(2))") }
    }
    let all = keys + orders.map(\.new)
    try store.execute(
      """
      CREATE TABLE Z_MADE ( \(all.map { "\($0) INTEGER" }.joined(separator: ", ")), PRIMARY KEY (\(keys[0]), \(keys[1])) );
      INSERT INTO Z_MADE SELECT \((formerKeys + orders.map(\.former)).joined(separator: ", ")) FROM \(table.name);
      DROP TABLE \(table.name);
      ALTER TABLE Z_MADE RENAME TO \(name);
      CREATE INDEX \(name)_\(keys[1])_INDEX ON \(name) (\(keys[1]), \(keys[0]));
      """
    )
  }
}
