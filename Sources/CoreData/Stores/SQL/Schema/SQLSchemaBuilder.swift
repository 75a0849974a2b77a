/// Gives the entities of a model their tables and columns, as Apple's framework does.
///
/// For an existing database it determines the names in use; see `SQLCatalog`.
package struct SQLSchemaBuilder {
  let model: NSManagedObjectModel
  /// The store's entities, in the order of their numbers in the model.
  let descriptions: [NSEntityDescription]
  /// The same by their root entities.
  let descriptionsByRoot: [ObjectIdentifier: [NSEntityDescription]]
  let catalog: SQLCatalog?
  let names: any SQLNames
  /// The existing numbers of entities in a new schema.
  private let numbering: SQLEntityNumbering?
  /// The older join tables, whose names a new schema keeps.
  let formerJoins: SQLFormerJoins?
  /// The reserved names of tables and of their keys' indexes, in upper case, where tables are numbered.
  private(set) var reservedTables: Set<String>
  /// The names of tables, without those of indexes, in upper case. In an existing database, the tables' names show
  /// which names its indexes have not taken.
  private(set) var givenTables: Set<String>
  private(set) var numbers: [ObjectIdentifier: Int64] = [:]
  var tables: [ObjectIdentifier: SQLTable] = [:]
  /// The columns of properties, and the storage of to-many relationships.
  var slots: [ObjectIdentifier: SQLSlot] = [:]
  var toMany: [ObjectIdentifier: SQLToMany] = [:]
  var joinTables: [SQLJoinTable] = []
  /// The to-many relationships without inverse by their destination entity.
  private(set) var withoutInverse: [ObjectIdentifier: [NSRelationshipDescription]] = [:]

  /// - Parameters:
  ///   - entities: the entities of the store's configuration.
  ///   - catalog: the tables that are there already; `nil` for a new store.
  init(
    model: NSManagedObjectModel,
    entities: [NSEntityDescription],
    catalog: SQLCatalog?,
    names: any SQLNames,
    numbering: SQLEntityNumbering? = nil,
    formerJoins: SQLFormerJoins? = nil
  ) {
    self.model = model
    self.catalog = catalog
    self.names = names
    self.numbering = numbering
    self.formerJoins = formerJoins
    givenTables = Set((names.systemTables ?? []).map { $0.uppercased() })
    reservedTables = givenTables
    descriptions = entities.sorted { $0.number < $1.number }
    descriptionsByRoot = Dictionary(grouping: descriptions) { ObjectIdentifier($0.root) }
    numberEntities()
  }

  /// - Throws: `NSPersistentStoreIncompatibleSchemaError` when the database lacks tables or columns that the model
  ///   needs.
  package static func build(
    model: NSManagedObjectModel,
    entities: [NSEntityDescription],
    catalog: SQLCatalog?,
    names: any SQLNames,
    numbering: SQLEntityNumbering? = nil,
    formerJoins: SQLFormerJoins? = nil
  ) throws -> SQLSchema {
    var builder = SQLSchemaBuilder(
      model: model,
      entities: entities,
      catalog: catalog,
      names: names,
      numbering: numbering,
      formerJoins: formerJoins
    )
    return try builder.build()
  }

  private mutating func build() throws -> SQLSchema {
    var ordered: [SQLTable] = []
    for root in descriptions where root.root === root {
      let table = try makeTable(of: root)
      tables[ObjectIdentifier(root)] = table
      ordered.append(table)
    }
    withoutInverse = relationshipsWithoutInverse()
    for table in ordered { try addColumns(to: table) }
    try addToManyRelationships()
    let entities = try descriptions.map(makeEntity)
    let indexes = SQLIndexBuilder(
      names: names,
      entities: entities,
      tables: ordered,
      reserved: names.systemTables == nil
        ? [] : reservedTables.union(joinTables.flatMap(namesTaken).map { $0.uppercased() }),
      slots: slots
    )
    let parts = SQLSchemaParts(
      names: names,
      entityCount: model.entities.count,
      entities: entities,
      tables: ordered,
      joinTables: joinTables,
      indexes: indexes.indexes(),
      constraints: indexes.constraints()
    )
    return SQLSchema(model: model, parts: parts)
  }

  /// The names of a join table and its indexes.
  private func namesTaken(by join: SQLJoinTable) -> [String] {
    [join.name, join.index, names.keyIndex(ofTable: join.name)].compactMap(\.self)
  }

  func number(_ entity: NSEntityDescription) -> Int64 { numbers[ObjectIdentifier(entity)] ?? 0 }

  /// A relationship, as far as names depend on it.
  func relationshipName(_ relationship: NSRelationshipDescription) -> SQLRelationshipName {
    SQLRelationshipName(
      entity: relationship.entity.name ?? "",
      number: number(relationship.entity),
      relationship: relationship.name
    )
  }

  /// The table of an entity, which is its root's.
  func table(of entity: NSEntityDescription) -> SQLTable? { tables[ObjectIdentifier(entity.root)] }

  /// A new store numbers its entities from 1; an existing one keeps the numbers it has. Entities that it knows by
  /// another name (they were renamed in a migration) have the number that no name claims.
  private mutating func numberEntities() {
    if let numbering {
      var next = numbering.next
      for entity in descriptions {
        numbers[ObjectIdentifier(entity)] = numbering.known[entity.name ?? ""] ?? next
        if numbering.known[entity.name ?? ""] == nil { next += 1 }
      }
      return
    }
    let known = catalog?.entityNumbers ?? [:]
    var reserved = Set(descriptions.compactMap { known[$0.name ?? ""] })
    for (index, entity) in descriptions.enumerated() {
      var number = known[entity.name ?? ""]
      if number == nil {
        let candidates = [known[entity.renamingIdentifier ?? ""], Int64(index + 1)].compactMap(\.self)
        number = candidates.first { !reserved.contains($0) }
      }
      let chosen = number ?? Self.freeNumber(reserved)
      reserved.insert(chosen)
      numbers[ObjectIdentifier(entity)] = chosen
    }
  }

  /// The number after all that are reserved; a database may say that the last one is.
  private static func freeNumber(_ reserved: Set<Int64>) -> Int64 {
    let (next, overflow) = max(0, reserved.max() ?? 0).addingReportingOverflow(1)
    return overflow ? (1...Int64.max).first { !reserved.contains($0) } ?? 0 : next
  }

  private mutating func makeTable(of root: NSEntityDescription) throws -> SQLTable {
    let expected = names.table(root.name ?? "")
    var found: String?
    if names.systemTables != nil {
      found = formerTable(of: root) ?? freeTable(called: expected)
      if let found { reserve(found) }
    } else if let catalog {
      let candidates = [expected, names.table(root.renamingIdentifier ?? "")]
      found = candidates.lazy.compactMap { catalog.table($0)?.name }.first
    } else {
      try checkTable(expected, of: root)
      found = expected
    }
    guard let found else { throw missing("the table \(expected) of the entity \(root.name ?? "")") }
    return SQLTable(name: found, root: root, names: names)
  }

  /// The names of tables ignore case in SQLite.
  ///
  /// - Throws: an error that names both entities, where another entity already has the table.
  private func checkTable(_ name: String, of root: NSEntityDescription) throws {
    let other = tables.values.first { $0.name.uppercased() == name.uppercased() }
    guard let other else { return }
    throw StoreFailure.incompatibleSchema(
      """
      The entities \(other.root.name ?? "") and \(root.name ?? "") differ in case alone, and a SQLite store cannot hold both, \
      because the names of its tables ignore case. Rename one of them.
      """
    )
  }

  /// Reserves the names of a table and of its key's index. If an earlier table has the name of the index, the database
  /// adds a number to it.
  private mutating func reserve(_ table: String) {
    givenTables.insert(table.uppercased())
    reservedTables.insert(table.uppercased())
    guard var index = names.keyIndex(ofTable: table).map({ NumberedName(base: $0) }) else { return }
    while !reservedTables.insert(index.text.uppercased()).inserted { index.number += 1 }
  }

  /// The table of an existing database with the name that earlier versions of the library used. It takes precedence
  /// over a table with the present name, which then belongs to another entity.
  private func formerTable(of root: NSEntityDescription) -> String? {
    guard catalog != nil, let former = names.formerTable(root.name ?? "") else { return nil }
    return freeTable(called: former)
  }

  /// A name without a conflict; in an existing database, the name of an existing table. The indexes of keys may have
  /// older names, which therefore do not exclude a table name.
  private func freeTable(called expected: String) -> String? {
    let taken = catalog == nil ? reservedTables : givenTables
    for suffix in 0..<1000 {
      let name = suffix == 0 ? expected : "\(expected)\(suffix)"
      if taken.contains(name.uppercased()) { continue }
      guard let catalog else { return name }
      if let there = catalog.table(name) { return there.name }
    }
    return nil
  }

  private func makeEntity(_ entity: NSEntityDescription) throws -> SQLEntity {
    guard let table = table(of: entity) else {
      throw missing("the superentity \(entity.root.name ?? "") of \(entity.name ?? "") in its configuration")
    }
    let layout = entity.layout
    return SQLEntity(
      entity: entity,
      number: number(entity),
      table: table,
      slots: layout.slots.map { slots[ObjectIdentifier($0.property)] },
      toMany: layout.toMany.map { toMany[ObjectIdentifier($0.relationship)] ?? .transient }
    )
  }

  func missing(_ what: String) -> any Error {
    StoreFailure.incompatibleSchema(
      "The store lacks \(what). It does not fit its own metadata; open a copy that was not edited."
    )
  }
}

/// The numbers that entities of a new schema keep from the one before.
package struct SQLEntityNumbering {
  /// The number of each entity that has one, by its name.
  let known: [String: Int64]
  /// The first number that no entity has had.
  let next: Int64

  package init(known: [String: Int64], next: Int64) {
    self.known = known
    self.next = next
  }
}
