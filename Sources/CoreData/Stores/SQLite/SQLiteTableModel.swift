import Foundation
import GRDB
import GRDBSQLite

/// What the tables of a store tell of its model, when nothing else does.
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

  /// The entities, each root with the attributes that its table has.
  func descriptions() -> [NSEntityDescription] {
    var made: [Int64: NSEntityDescription] = [:]
    for (number, entity) in entities {
      let description = NSEntityDescription()
      description.name = entity.name
      made[number] = description
    }
    for (number, entity) in entities {
      guard let description = made[number] else { continue }
      if let parent = made[entity.parent] {
        parent.subentities += [description]
      } else {
        description.properties = attributes(of: SQLNames.table(entity.name))
      }
    }
    let withoutTable = entities.filter {
      made[$0.entity.parent] == nil && columns[SQLNames.table($0.entity.name)] == nil
    }
    let missing = Set(withoutTable.compactMap { made[$0.number] }.map(ObjectIdentifier.init))
    return entities.compactMap { made[$0.number] }.filter { description in
      let root = sequence(first: description, next: \.superentity).reduce(description) { $1 }
      return !missing.contains(ObjectIdentifier(root))
    }
  }

  private mutating func readEntities(_ database: Database) throws {
    let query = SQLStatement(
      sql:
        "SELECT Z_ENT, Z_NAME, Z_SUPER FROM Z_PRIMARYKEY WHERE Z_NAME NOT NULL AND Z_ENT < ? ORDER BY Z_ENT",
      bindings: [.integer(Self.firstSystemNumber)]
    )
    try SQLiteQuery(query, in: database, isCached: false).forEachRow { row in
      let name = try SQLiteCell(statement: row, column: 1, type: sqlite3_column_type(row, 1)).text()
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
      let texts = try (0..<Int32(3)).map {
        try SQLiteCell(statement: row, column: $0, type: sqlite3_column_type(row, $0)).text()
      }
      columns[texts[0].uppercased(), default: []].append((texts[1], texts[2]))
    }
  }

  private func attributes(of table: String) -> [NSAttributeDescription] {
    let system: Set = [SQLNames.primaryKey, SQLNames.entity, SQLNames.version]
    return (columns[table] ?? []).filter { $0.name.hasPrefix("Z") && !system.contains($0.name) }.map {
      column in
      let attribute = NSAttributeDescription()
      let plain = String(column.name.dropFirst()).lowercased()
      attribute.name = plain.first?.isLetter == true ? plain : "column\(plain)"
      // By this name the column is found, whatever the attribute's own.
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
