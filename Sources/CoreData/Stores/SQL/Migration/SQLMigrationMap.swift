package import ModelFormats

/// The correspondence between the current schema of a database and its new one.
package struct SQLMigrationMap {
  package let old: SQLSchema
  package let new: SQLSchema
  private let sources: [String: SQLEntity]
  private let propertyNames: [String: [String: String]]

  /// - Parameter correspondence: the entities and properties of the new model with their old ones.
  package init(old: SQLSchema, new: SQLSchema, correspondence: ModelCorrespondence) {
    self.old = old
    self.new = new
    let byName = Dictionary(old.entities.map { ($0.entity.name ?? "", $0) }) { first, _ in first }
    var sources: [String: SQLEntity] = [:]
    var propertyNames: [String: [String: String]] = [:]
    for entity in new.entities {
      let name = entity.entity.name ?? ""
      guard let source = correspondence.entities[name].flatMap({ byName[$0] }) else { continue }
      sources[name] = source
      propertyNames[name] = correspondence.properties(of: name)
    }
    self.sources = sources
    self.propertyNames = propertyNames
  }

  // MARK: - The columns that every row has

  var primaryKey: String { new.names.primaryKey }
  var entityColumn: String { new.names.entity }
  var versionColumn: String { new.names.version }
  var rowColumns: [String] { [primaryKey, entityColumn, versionColumn] }

  // MARK: - Entities and properties

  /// The older entity whose rows an entity takes over.
  func source(of entity: SQLEntity) -> SQLEntity? { sources[entity.entity.name ?? ""] }

  /// The entities without a successor in the new model.
  package var removed: [SQLEntity] {
    let moved = Set(sources.values.map(\.number))
    return old.entities.filter { !moved.contains($0.number) }
  }

  /// The old and the new numbers of entities.
  var numbers: [(old: Int64, new: Int64)] {
    new.entities.compactMap { entity in source(of: entity).map { ($0.number, entity.number) } }
      .sorted { $0.0 < $1.0 }
  }

  var isRenumbered: Bool { numbers.contains { $0.old != $0.new } }

  /// An expression that gives entities their new numbers.
  func renumbering(_ numbers: [(old: Int64, new: Int64)], of column: String) -> String {
    let cases = numbers.filter { $0.old != $0.new }.map { "WHEN \($0.old) THEN \($0.new)" }
    return "CASE \(column) \(cases.joined(separator: " ")) ELSE \(column) END"
  }

  /// The older entity and the place of the property there whose values a property of an entity continues.
  func formerPlace(of property: String, in entity: SQLEntity) -> (entity: SQLEntity, place: EntityLayout.Place)? {
    guard let source = source(of: entity), let name = propertyNames[entity.entity.name ?? ""]?[property],
      let place = source.layout.places[name]
    else { return nil }
    return (source, place)
  }

  /// The older relationships that became a relationship: one, or several that became an inherited one.
  func formerRelationships(of relationship: NSRelationshipDescription) -> [NSRelationshipDescription] {
    var found: [NSRelationshipDescription] = []
    for description in relationship.entity.selfAndAllSubentities {
      guard let entity = new.entity(modelNumber: Int32(description.number)),
        let former = formerPlace(of: relationship.name, in: entity),
        let property = former.entity.relationship(at: former.place),
        !found.contains(where: { $0 === property })
      else { continue }
      found.append(property)
    }
    return found
  }

  /// True when rows that a relationship may lead to, or away from, go away with their entities.
  func losesRows(of relationships: [NSRelationshipDescription]) -> Bool {
    let removedEntities = removed
    return relationships.contains { relationship in
      removedEntities.contains { entity in
        relationship.frozenDestination.map { entity.entity.isKindOf(entity: $0) } ?? false
          || entity.entity.isKindOf(entity: relationship.entity)
      }
    }
  }
}

extension SQLEntity {
  /// The relationship at a place, if a store keeps it.
  func relationship(at place: EntityLayout.Place) -> NSRelationshipDescription? {
    switch place {
    case .slot(let slot): slots[slot] == nil ? nil : layout.slots[slot].relationship
    case .toMany(let index): toMany[index].isStored ? layout.toMany[index].relationship : nil
    }
  }
}

extension SQLToMany {
  var isStored: Bool {
    if case .transient = self { false } else { true }
  }
}

extension SQLCatalog {
  /// The columns that a table has in the database and not in the schema.
  ///
  /// - Parameter rowColumns: the columns that every row has.
  func unusedColumns(of table: SQLTable, rowColumns: [String]) -> [String] {
    let wanted = Set((table.columns.map(\.name) + rowColumns).map { $0.uppercased() })
    return (self.table(table.name)?.columns ?? []).filter { !wanted.contains($0.uppercased()) }
  }
}
