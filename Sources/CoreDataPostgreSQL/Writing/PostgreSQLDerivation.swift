#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Predicates

  /// Keeps derived attributes up to date: the save computes them, because some engines with PostgreSQL's
  /// protocol have no triggers.
  ///
  /// It receives the rows before and after each write, and computes the attributes at the end.
  final class PostgreSQLDerivation {
    /// A derived attribute of an entity.
    struct Rule {
      let attribute: NSDerivedAttributeDescription
      let entity: SQLEntity
      let column: String
      let derivation: SQLDerivation
    }

    private let schema: SQLSchema
    private let statements: SQLRowStatements
    private let connection: PostgreSQLConnection
    private let longValues: PostgreSQLLongValues
    private let dialect: PostgreSQLDialect
    private let rules: [Rule]
    /// The keys of rows whose value of a rule is to be computed, by the rule's number.
    private var keys: [Int: Set<Int64>] = [:]
    /// The keys of destinations whose values are copied into the rows that refer to them.
    private var destinations: [Int: Set<Int64>] = [:]

    init(engine: PostgreSQLStore.Engine, connection: PostgreSQLConnection, longValues: PostgreSQLLongValues) {
      schema = engine.schema
      statements = engine.statements
      dialect = engine.dialect
      self.connection = connection
      self.longValues = longValues
      rules = engine.derivationRules
    }

    /// The derived attributes of a schema's entities.
    ///
    /// - Throws: `NSPersistentStoreIncompatibleSchemaError` for an expression that no store can compute.
    static func rules(of schema: SQLSchema) throws -> [Rule] {
      try schema.entities.flatMap { entity in
        try entity.entity.ownProperties.compactMap { $0 as? NSDerivedAttributeDescription }
          .filter { !$0.isTransient }.sorted { $0.name < $1.name }
          .map { attribute in
            guard let derivation = SQLDerivation(attribute),
              case .slot(let number)? = entity.layout.places[attribute.name],
              let column = entity.slots[number]?.column
            else { throw unknown(attribute) }
            return Rule(attribute: attribute, entity: entity, column: column, derivation: derivation)
          }
      }
    }

    private static func unknown(_ attribute: NSDerivedAttributeDescription) -> any Error {
      let expression = attribute.derivationExpression?.description ?? "nothing"
      return StoreFailure.error(
        NSPersistentStoreIncompatibleSchemaError,
        message: """
          \(attribute.modelPath) is derived from \(expression), which a store in PostgreSQL cannot compute; use an \
          attribute, destination.attribute, relationship.@count, relationship.attribute.@sum, canonical:, uppercase:, \
          lowercase: or now().
          """
      )
    }

    // MARK: - What is written

    /// Called before rows are changed or deleted: objects that they lead to now may lose them.
    ///
    /// - Parameter columns: the columns that will change; `nil` for all, where the rows are deleted.
    func willChange(_ keys: [Int64], of entity: SQLEntity, columns: Set<String>?) throws {
      try recordOwners(of: keys, entity: entity, columns: columns)
      if columns == nil { try recordOthers(leadingTo: keys, entity: entity) }
    }

    /// True when derived attributes may have to do with rows of an entity.
    func concerns(_ entity: SQLEntity) -> Bool {
      rules.contains { rule in
        if rule.entity.table === entity.table { return true }
        return switch rule.derivation {
        case .destination(let relationship, _), .count(let relationship), .sum(let relationship, _):
          relationship.destinationEntity.flatMap { try? schema.entity($0) }?.table === entity.table
        case .now, .copy, .text: false
        }
      }
    }

    func didInsert(_ keys: [Int64], of entity: SQLEntity) throws {
      for (number, rule) in rules.enumerated() where isOf(rule.entity, entity: entity) {
        self.keys[number, default: []].formUnion(keys)
      }
      try recordOwners(of: keys, entity: entity, columns: nil)
    }

    func didUpdate(_ keys: [Int64], of entity: SQLEntity, columns: Set<String>) throws {
      for (number, rule) in rules.enumerated() {
        if isOf(rule.entity, entity: entity), isChanged(rule, columns: columns) {
          self.keys[number, default: []].formUnion(keys)
        }
        if case .destination(let relationship, let source) = rule.derivation,
          isOf(relationship.destinationEntity, entity: entity), let column = column(source, entity: entity),
          columns.contains(column)
        {
          destinations[number, default: []].formUnion(keys)
        }
      }
      try recordOwners(of: keys, entity: entity, columns: columns)
    }

    /// Called when rows of a join table were removed or added.
    func didLink(_ pairs: [SQLPair], in table: SQLJoinTable) {
      for (number, rule) in rules.enumerated() {
        guard let (relationship, _) = rule.collection,
          case .join(let join)? = toMany(relationship, entity: rule.entity), join.table === table
        else { continue }
        let isFirst = join.source == table.first.name
        keys[number, default: []].formUnion(pairs.map { isFirst ? $0.first : $0.second })
        if join.isOwnInverse {
          keys[number, default: []].formUnion(pairs.map { isFirst ? $0.second : $0.first })
        }
      }
    }

    /// Called when the destinations of an object have changed in a to-many relationship without a to-one inverse.
    func didLink(_ key: Int64, by foreignKey: SQLForeignKey) {
      for (number, rule) in rules.enumerated() {
        guard let (relationship, _) = rule.collection,
          case .foreignKey(let own)? = toMany(relationship, entity: rule.entity),
          own.table === foreignKey.table,
          own.column == foreignKey.column
        else { continue }
        keys[number, default: []].insert(key)
      }
    }

    private func isChanged(_ rule: Rule, columns: Set<String>) -> Bool {
      switch rule.derivation {
      case .now: true
      case .copy(let source), .text(_, let source): column(source, entity: rule.entity).map(columns.contains) ?? false
      case .destination(let relationship, _): column(relationship, entity: rule.entity).map(columns.contains) ?? false
      case .count, .sum: false
      }
    }

    /// Records the objects whose counts or sums some rows are part of.
    private func recordOwners(of keys: [Int64], entity: SQLEntity, columns: Set<String>?) throws {
      if keys.isEmpty { return }
      for (number, rule) in rules.enumerated() {
        guard let (relationship, source) = rule.collection,
          case .foreignKey(let key)? = toMany(relationship, entity: rule.entity),
          key.table === entity.table
        else { continue }
        let read =
          [key.column] + [source.flatMap { column($0, relationship: relationship) }].compactMap(\.self)
        if let columns, columns.isDisjoint(with: read) { continue }
        let result = try connection.run(
          "SELECT DISTINCT \(name(key.column)) FROM \(name(key.table.name)) "
            + "WHERE \(name(key.table.primaryKey)) = ANY ($1::bigint[]) AND \(name(key.column)) > 0",
          values: [PostgreSQLArray(integers: keys).value],
          isCached: true
        )
        self.keys[number, default: []].formUnion(
          (0..<result.rowCount).compactMap { result.integer($0, column: 0) }
        )
      }
    }

    /// Records the objects that copy from rows, or count them by a join table, before these are deleted.
    private func recordOthers(leadingTo keys: [Int64], entity: SQLEntity) throws {
      if keys.isEmpty { return }
      for (number, rule) in rules.enumerated() {
        let query: String
        switch rule.derivation {
        case .destination(let relationship, _):
          guard isOf(relationship.destinationEntity, entity: entity),
            let column = column(relationship, entity: rule.entity)
          else { continue }
          let table = rule.entity.table
          query = "SELECT \(name(table.primaryKey)) FROM \(name(table.name)) WHERE \(name(column)) "
        case .count(let relationship), .sum(let relationship, _):
          guard case .join(let join)? = toMany(relationship, entity: rule.entity),
            join.destinationTable === entity.table
          else { continue }
          query =
            "SELECT DISTINCT \(name(join.source)) FROM \(name(join.table.name)) WHERE \(name(join.target)) "
        case .now, .copy, .text: continue
        }
        let result = try connection.run(
          query + "= ANY ($1::bigint[])",
          values: [PostgreSQLArray(integers: keys).value],
          isCached: true
        )
        self.keys[number, default: []].formUnion(
          (0..<result.rowCount).compactMap { result.integer($0, column: 0) }
        )
      }
    }

    // MARK: - What is computed

    /// Computes the values of all that was recorded.
    func run() throws {
      let now = SaveClock.now.timeIntervalSinceReferenceDate
      for (number, rule) in rules.enumerated() {
        if let keys = keys[number] {
          if !dialect.folds, let text = text(of: rule) {
            try longValues.deriving(rule.column, of: text.table.name) { try text.update(keys, connection: connection) }
            continue
          }
          try update(
            rule,
            now: PostgreSQLValue.real(now),
            where: "t.\(name(rule.entity.table.primaryKey)) = ANY ($1::bigint[])",
            keys: keys
          )
        }
        if let keys = destinations[number], case .destination(let relationship, _) = rule.derivation,
          let column = column(relationship, entity: rule.entity)
        {
          try update(rule, now: nil, where: "t.\(name(column)) = ANY ($1::bigint[])", keys: keys)
        }
      }
      (keys, destinations) = ([:], [:])
    }

    private func update(_ rule: Rule, now: PostgreSQLValue?, where condition: String, keys: Set<Int64>)
      throws
    {
      guard let value = try value(of: rule) else { return }
      let table = rule.entity.table
      let numbers = rule.entity.familyNumbers.map(String.init).joined(separator: ", ")
      let isTime = if case .now = rule.derivation { true } else { false }
      try longValues.deriving(rule.column, of: table.name) {
        try connection.run(
          "UPDATE \(name(table.name)) AS t SET \(name(rule.column)) = \(value) "
            + "WHERE \(condition) AND t.\(name(table.entityColumn)) IN (\(numbers))",
          values: [PostgreSQLArray(integers: keys.sorted()).value] + (isTime ? [now].compactMap(\.self) : []),
          isCached: true
        )
      }
    }

    private func text(of rule: Rule) -> SQLTextDerivation? {
      guard case .text(let function, let source) = rule.derivation,
        let column = column(source, entity: rule.entity)
      else { return nil }
      return SQLTextDerivation(
        function: function,
        table: rule.entity.table,
        entities: rule.entity.familyNumbers,
        source: column,
        target: rule.column
      )
    }

    /// The expression of a rule's value in a row `t`.
    private func value(of rule: Rule) throws -> String? {
      switch rule.derivation {
      case .now: return "$2::double precision"
      case .copy(let source): return column(source, entity: rule.entity).map { "t.\(name($0))" }
      case .text(let function, let source):
        guard let column = column(source, entity: rule.entity) else { return nil }
        var writer = SQLWriter(dialect: dialect)
        try dialect.writeTextFunction(
          function,
          of: { $0.write("t.\(dialect.identifier(column))") },
          to: &writer
        )
        return writer.sql
      case .destination(let relationship, let source):
        guard let key = column(relationship, entity: rule.entity),
          let destination = try relationship.destinationEntity.map(schema.entity),
          let source = column(source, entity: destination)
        else { return nil }
        return "(SELECT d.\(name(source)) FROM \(name(destination.table.name)) d "
          + "WHERE d.\(name(destination.table.primaryKey)) = t.\(name(key)))"
      case .count(let relationship): return collection(relationship, rule: rule, function: "count(*)", source: nil)
      case .sum(let relationship, let source):
        guard let column = column(source, relationship: relationship) else { return nil }
        return collection(
          relationship,
          rule: rule,
          function: "COALESCE(sum(d.\(name(column))), 0)",
          source: column
        )
      }
    }

    private func collection(
      _ relationship: NSRelationshipDescription,
      rule: Rule,
      function: String,
      source: String?
    ) -> String? {
      let key = "t.\(name(rule.entity.table.primaryKey))"
      switch toMany(relationship, entity: rule.entity) {
      case .foreignKey(let foreign)?:
        return
          "(SELECT \(function) FROM \(name(foreign.table.name)) d WHERE d.\(name(foreign.column)) = \(key))"
      case .join(let join)?:
        let table = join.destinationTable
        let destinations =
          source == nil
          ? ""
          : " JOIN \(name(table.name)) d ON d.\(name(table.primaryKey)) = j.\(name(join.target))"
        return "(SELECT \(function) FROM \(name(join.table.name)) j\(destinations) "
          + "WHERE j.\(name(join.source)) = \(key))"
      case .transient?, nil: return nil
      }
    }

    // MARK: - Places

    private func column(_ property: NSPropertyDescription, entity: SQLEntity) -> String? {
      guard case .slot(let number)? = entity.layout.places[property.name] else { return nil }
      return entity.slots[number]?.column
    }

    private func column(_ attribute: NSAttributeDescription, relationship: NSRelationshipDescription)
      -> String?
    {
      let destination = relationship.destinationEntity.flatMap { try? schema.entity($0) }
      return destination.flatMap { column(attribute, entity: $0) }
    }

    private func toMany(_ relationship: NSRelationshipDescription, entity: SQLEntity) -> SQLToMany? {
      guard case .toMany(let number)? = entity.layout.places[relationship.name] else { return nil }
      return entity.toMany[number]
    }

    /// True when rows of one entity have the properties of another.
    private func isOf(_ ancestor: SQLEntity, entity: SQLEntity) -> Bool {
      ancestor.familyNumbers.contains(entity.number)
    }

    private func isOf(_ ancestor: NSEntityDescription?, entity: SQLEntity) -> Bool {
      ancestor.flatMap { try? schema.entity($0) }.map { isOf($0, entity: entity) } ?? false
    }

    private func name(_ name: String) -> String { dialect.identifier(name) }
  }

  extension PostgreSQLDerivation.Rule {
    /// The relationship, and the attribute of its destinations, that a count or a sum is of.
    fileprivate var collection: (NSRelationshipDescription, NSAttributeDescription?)? {
      switch derivation {
      case .count(let relationship): (relationship, nil)
      case .sum(let relationship, let source): (relationship, source)
      case .now, .copy, .text, .destination: nil
      }
    }
  }
#endif
