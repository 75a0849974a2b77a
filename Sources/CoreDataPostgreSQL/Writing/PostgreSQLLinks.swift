#if PostgreSQL
  import CoreData
  import PostgreSQLDriver

  /// Writes what a save changes in to-many relationships.
  struct PostgreSQLLinks {
    let session: PostgreSQLWriteSession
    private let statements = PostgreSQLRowStatements()

    init(session: PostgreSQLWriteSession) { self.session = session }

    /// Removes and adds the rows of a join table.
    func write(_ links: SQLSavePlan.Links) throws {
      try run(
        statements.linkDeletion(links.table),
        pairs: links.removed.filter { $0.first >= 0 && $0.second >= 0 }
      )
      let added = try links.added.map {
        SQLPair(
          first: try session.references.permanentKey(of: $0.first),
          second: try session.references.permanentKey(of: $0.second)
        )
      }
      // Sorted, so that two saves cannot deadlock.
      try run(statements.linkInsertion(links.table), pairs: added.sorted())
      session.derivation.didLink(
        links.removed.filter { $0.first >= 0 && $0.second >= 0 } + added,
        in: links.table
      )
    }

    /// Sets the foreign keys that no to-one relationship sets.
    func write(_ keys: SQLSavePlan.OwnedKeys) throws {
      let (table, column) = (keys.foreignKey.table, keys.foreignKey.column)
      let source = try session.references.permanentKey(of: keys.source)
      let removed = keys.removed.filter { $0 >= 0 }
      if !removed.isEmpty {
        try run(
          statements.removal(table, column: column),
          values: [PostgreSQLArray(integers: removed).value, .integer(source)]
        )
      }
      let added = try keys.added.map(session.references.permanentKey).sorted()
      try run(
        statements.assignment(table, column: column),
        pairs: added.map { SQLPair(first: $0, second: source) }
      )
      session.derivation.didLink(source, by: keys.foreignKey)
    }

    /// Writes the places of destinations whose order changed.
    func write(_ order: SQLSavePlan.Order) throws {
      let moved = try SQLLinkOrder(
        order,
        references: session.references,
        statements: session.engine.statements,
        on: session.queries
      )
      guard let moved else { return }
      switch moved.column {
      case .foreignKey(let key, let column):
        try run(
          statements.assignment(key.table, column: column),
          pairs: moved.changes.map { SQLPair(first: $0.key, second: $0.place) }
        )
      case .join(let join, let column):
        if moved.changes.isEmpty { return }
        try run(
          statements.linkOrder(join, column: column),
          values: [
            .integer(moved.source), PostgreSQLArray(integers: moved.changes.map(\.key)).value,
            PostgreSQLArray(integers: moved.changes.map(\.place)).value,
          ]
        )
      }
    }

    /// Takes deleted objects of an entity out of join tables, and out of foreign keys that no to-one relationship has.
    func remove(_ keys: [Int64], of entity: SQLEntity) throws {
      let keys = PostgreSQLArray(integers: keys).value
      for relationship in entity.toMany {
        switch relationship {
        case .join(let join):
          for column in join.isOwnInverse ? [join.source, join.target] : [join.source] {
            try run(statements.linksDeletion(join.table.name, column: column), values: [keys])
          }
        case .foreignKey(let foreignKey) where foreignKey.isOwned:
          try run(statements.removal(ofAll: foreignKey.table, column: foreignKey.column), values: [keys])
        case .foreignKey, .transient: break
        }
      }
    }

    private func run(_ sql: String, pairs: [SQLPair]) throws {
      if pairs.isEmpty { return }
      try run(
        sql,
        values: [
          PostgreSQLArray(integers: pairs.map(\.first)).value,
          PostgreSQLArray(integers: pairs.map(\.second)).value,
        ]
      )
    }

    private func run(_ sql: String, values: [PostgreSQLValue]) throws {
      try session.connection.run(sql, values: values, isCached: true)
    }
  }
#endif
