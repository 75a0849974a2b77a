import CSystemSQLite
public import Foundation
import SQLiteDriver

/// A store's model as far as its tables determine it, for use when there is no other source.
struct SQLiteTableModel {
  private struct Entity {
    let name: String
    let parent: Int64
  }

  private let file: URL
  private var entities: [(number: Int64, entity: Entity)] = []
  /// The columns of each table in upper case, and their declared types.
  private var columns: [String: [(name: String, type: String)]] = [:]

  /// Numbers from here on are those of persistent history.
  private static let firstSystemNumber: Int64 = 16000

  init(_ database: Database, file: URL) throws {
    self.file = file
    guard try database.tableExists("Z_METADATA"), try database.tableExists("Z_PRIMARYKEY") else {
      throw SQLiteFile(file).noStore()
    }
    try readEntities(database)
    try readColumns(database)
  }

  /// The entities. Each root has the attributes of its table.
  ///
  /// - Throws: an error for tables that no model can have: entities that inherit from themselves or
  ///   share a name, and columns that differ only in case.
  func descriptions() throws -> [NSEntityDescription] {
    try checkEntities()
    var byNumber: [Int64: NSEntityDescription] = [:]
    for (number, entity) in entities {
      let description = NSEntityDescription()
      description.name = entity.name
      byNumber[number] = description
    }
    for (number, entity) in entities {
      guard let description = byNumber[number] else { continue }
      if let parent = byNumber[entity.parent] {
        parent.subentities += [description]
      } else {
        description.properties = try attributes(of: SQLiteNames().table(entity.name))
      }
    }
    let withoutTable = entities.filter {
      byNumber[$0.entity.parent] == nil && columns[SQLiteNames().table($0.entity.name)] == nil
    }
    let missing = Set(withoutTable.compactMap { byNumber[$0.number] }.map(ObjectIdentifier.init))
    return entities.compactMap { byNumber[$0.number] }.filter { description in
      let root = sequence(first: description, next: \.superentity).reduce(description) { $1 }
      return !missing.contains(ObjectIdentifier(root))
    }
  }

  private func checkEntities() throws {
    var names: [String: String] = [:]
    for (_, entity) in entities {
      let table = SQLiteNames().table(entity.name)
      if entity.name.isEmpty { throw broken("an entity has no name") }
      if let other = names.updateValue(entity.name, forKey: table) {
        throw broken("the entities \(other) and \(entity.name) have one table")
      }
    }
    let parents = Dictionary(
      entities.map { ($0.number, $0.entity.parent) },
      uniquingKeysWith: { first, _ in first }
    )
    guard parents.count == entities.count else { throw broken("two entities have one number") }
    for (number, entity) in entities {
      var seen: Set<Int64> = [number]
      var ancestor = entity.parent
      while let next = parents[ancestor] {
        guard seen.insert(ancestor).inserted else {
          throw broken("the entity \(entity.name) inherits from itself (Z_SUPER \(entity.parent))")
        }
        guard seen.count <= Self.deepest else {
          throw broken("the entity \(entity.name) has more than \(Self.deepest) superentities")
        }
        ancestor = next
      }
    }
  }

  /// Code that traverses a model's entities recurses.
  private static let deepest = 200

  private func broken(_ problem: String) -> any Error {
    StoreFailure.corruptFile(
      """
      \(file.path): \(problem), so that no model can be made of the tables; give the model's own file, or restore a \
      copy of the store.
      """,
      file: file
    )
  }

  private mutating func readEntities(_ database: Database) throws {
    let query = SQLStatement(
      sql:
        "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_NAME NOT NULL AND Z_ENT < ? ORDER BY Z_ENT",
      bindings: [.integer(Self.firstSystemNumber)]
    )
    try SQLiteQuery(query, in: database, isCached: false).forEachRow { row in
      let name = try SQLiteCell(statement: row, column: 1).text()
      let entity = Entity(name: name, parent: sqlite3_column_int64(row, 2))
      entities.append((sqlite3_column_int64(row, 0), entity))
    }
  }

  private mutating func readColumns(_ database: Database) throws {
    let query = SQLStatement(
      sql: """
        SELECT m.name, p.name, p.type FROM sqlite_master m, pragma_table_info(m.name) p
        WHERE m.type = 'table' ORDER BY m.name, p.cid
        """
    )
    try SQLiteQuery(query, in: database, isCached: false).forEachRow { row in
      let texts = try (0..<Int32(3)).map { try SQLiteCell(statement: row, column: $0).text() }
      columns[texts[0].uppercased(), default: []].append((texts[1], texts[2]))
    }
  }

  private func attributes(of table: String) throws -> [NSAttributeDescription] {
    let apple = SQLiteNames()
    let system: Set = [apple.primaryKey, apple.entity, apple.version]
    let known = Set((columns[table] ?? []).map { $0.name.uppercased() })
    var columnNames: Set<String> = []
    var names: Set<String> = []
    return try (columns[table] ?? []).filter { $0.name.hasPrefix("Z") && !system.contains($0.name) }.map {
      column in
      let plain = String(column.name.dropFirst()).lowercased()
      guard columnNames.insert(column.name.uppercased()).inserted else {
        throw broken("the table \(table) has the column \(column.name) twice")
      }
      let attribute = NSAttributeDescription()
      let wanted = plain.first?.isLetter == true ? plain : "column\(plain)"
      var name = wanted
      var suffix = 1
      // A name that collides with another column would refer to that column.
      while names.contains(name) || name != plain && known.contains(apple.column(name)) {
        suffix += 1
        name = "\(wanted)\(suffix)"
      }
      names.insert(name)
      attribute.name = name
      // The column is found by this name, whatever the attribute's name is.
      attribute.renamingIdentifier = plain
      attribute.attributeType = Self.type(column.type)
      attribute.isOptional = true
      return attribute
    }
  }

  private static func type(_ declared: String) -> NSAttributeType {
    switch declared.uppercased() {
    case "INTEGER": .integer64AttributeType
    case "TIMESTAMP": .dateAttributeType
    case "FLOAT": .doubleAttributeType
    case "DECIMAL": .decimalAttributeType
    case "VARCHAR": .stringAttributeType
    default: .binaryDataAttributeType
    }
  }
}

extension NSManagedObjectModel {
  /// Creates a reduced model from the tables of a SQLite store that does not contain a model.
  ///
  /// Apple has no such method. Tables do not determine the whole model: attributes have the columns' names in lower
  /// case, a root entity also has its subentities' attributes, foreign keys and truth values are integers, identifiers
  /// and objects are data. Open the store read-only with the model, and with `NSIgnorePersistentStoreVersioningOption`,
  /// because the store's version hashes are those of the real model.
  ///
  /// - Parameter store: the store, which is not changed.
  /// - Throws: an error of `NSCocoaErrorDomain` that names the file, when it is not a store, or one
  ///   whose tables do not match any model.
  public convenience init(tablesOf store: URL) throws {
    let tables = try SQLiteStore.tableModel(at: store)
    let descriptions = try tables.descriptions()
    self.init()
    entities = descriptions
  }
}
