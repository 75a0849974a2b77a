#if PostgreSQL
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
      let source = try session.references.permanentKey(of: order.source)
      let destinations = try order.destinations.map(session.references.permanentKey)
      switch order.relationship {
      case .transient: return
      case .foreignKey(let key):
        guard let column = key.orderColumn else { return }
        let current = try places(
          key.table.name,
          target: key.table.primaryKey,
          order: column,
          source: key.column,
          key: source
        )
        let changes = SQLOrderKeys.changes(destinations, current)
        try run(
          statements.assignment(key.table, column: column),
          pairs: changes.map { SQLPair(first: $0.key, second: $0.place) }
        )
      case .join(let join):
        guard let column = join.orderColumn else { return }
        let current = try places(
          join.table.name,
          target: join.target,
          order: column,
          source: join.source,
          key: source
        )
        let changes = SQLOrderKeys.changes(destinations, current)
        if changes.isEmpty { return }
        try run(
          statements.linkOrder(join, column: column),
          values: [
            .integer(source), PostgreSQLArray(integers: changes.map(\.key)).value,
            PostgreSQLArray(integers: changes.map(\.place)).value,
          ]
        )
      }
    }

    /// Takes deleted objects of an entity out of join tables, and out of foreign keys that no to-one
    /// relationship has.
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

    /// The places that destinations have.
    private func places(
      _ table: String,
      target: String,
      order: String,
      source: String,
      key: Int64
    ) throws -> [Int64: Int64] {
      let query = SQLStatement(
        sql: session.engine.statements.lookup([target, order], of: table, by: [source]),
        bindings: [.integer(key)]
      )
      var places: [Int64: Int64] = [:]
      try session.queries.forEachRow(of: query, preparation: .held) { row in
        if let place = row.cell(1)?.exactInteger { places[row.number(0)] = place }
      }
      return places
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
