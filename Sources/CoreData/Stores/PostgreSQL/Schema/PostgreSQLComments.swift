#if PostgreSQL
  import Foundation

  /// The comments on tables and columns, which psql shows with `\d+`.
  struct PostgreSQLComments {
    /// The statements, in the order of the tables.
    private(set) var statements: [String] = []
    private let dialect = PostgreSQLDialect()
    private var described: Set<String> = []

    init(_ schema: SQLSchema) {
      for (table, text) in Self.ofSystemTables { add(table: table, text) }
      for table in schema.tables { describe(table) }
      for entity in schema.entities {
        for (number, slot) in entity.slots.enumerated() {
          if let slot { describe(slot, entity.layout.slots[number].property, entity, schema) }
        }
        for (number, kept) in entity.toMany.enumerated() {
          describe(kept, entity.layout.toMany[number].relationship)
        }
      }
    }

    private static let ofSystemTables = [
      (PostgreSQLSystemTables.metadata, "The identity of the store and its metadata, a property list."),
      (
        PostgreSQLSystemTables.keys,
        "The entities: number, name, superentity, and the last key that was given out."
      ),
      (PostgreSQLSystemTables.model, "The model, compressed."),
      ("perennial_outcome", "Transactions whose programs have not heard yet what became of them."),
      ("perennial_clock", "The numbers of the last transaction and the last change of the history."),
      ("perennial_transaction", "Transactions of the history."),
      ("perennial_change", "Changes of the history."),
    ]

    // MARK: - What there is

    private mutating func describe(_ table: SQLTable) {
      let names = table.root.selfAndAllSubentities.compactMap(\.name).joined(separator: ", ")
      add(table: table.name, "The objects of \(names).")
      add(table.name, table.primaryKey, "The key of the object.")
      add(table.name, table.entityColumn, "The number of the entity in \(PostgreSQLSystemTables.keys).")
      add(table.name, table.versionColumn, "The version of the object, which each change counts up.")
    }

    private mutating func describe(
      _ slot: SQLSlot,
      _ property: NSPropertyDescription,
      _ entity: SQLEntity,
      _ schema: SQLSchema
    ) {
      let (table, path) = (entity.table.name, property.modelPath)
      for part in slot.elements {
        let name = part.element.path.joined(separator: ".")
        add(table, part.column, "\(path).\(name)\(Self.form(part.element.attribute))")
      }
      if !slot.elements.isEmpty { return }
      guard let destination = schema.entity(modelNumber: slot.destination), slot.destination != 0 else {
        let attribute = property as? NSAttributeDescription
        return add(table, slot.column, path + (attribute.map(Self.form) ?? "."))
      }
      add(table, slot.column, "\(path): the key of a row of \(destination.table.name).")
      if let column = slot.entityColumn { add(table, column, "\(path): the entity of that row.") }
    }

    private mutating func describe(_ kept: SQLToMany, _ relationship: NSRelationshipDescription) {
      let path = relationship.modelPath
      switch kept {
      case .foreignKey(let key):
        if key.isOwned {
          add(key.table.name, key.column, "The key of the object whose \(path) has this one.")
        }
        if let order = key.orderColumn { add(key.table.name, order, "The place of this object in \(path).") }
      case .join(let join):
        add(table: join.table.name, "The pairs of \(path).")
        add(join.table.name, join.target, "The key of an object that \(path) has.")
        add(join.table.name, join.source, "The key of the object that has it.")
        if let order = join.orderColumn {
          add(join.table.name, order, "The place of that object in \(path).")
        }
      case .transient: break
      }
    }

    /// The form in which a column stores the values of an attribute.
    private static func form(_ attribute: NSAttributeDescription) -> String {
      switch attribute.attributeType {
      case .dateAttributeType: ": seconds since 2001-01-01 00:00 UTC."
      case .transformableAttributeType: ": an archive."
      default: "."
      }
    }

    // MARK: - Statements

    private mutating func add(table: String, _ text: String) {
      add("TABLE \(dialect.identifier(table))", text)
    }

    private mutating func add(_ table: String, _ column: String, _ text: String) {
      add("COLUMN \(dialect.identifier(table)).\(dialect.identifier(column))", text)
    }

    /// The first comment on an object is used: the one for the entity that introduces the property.
    private mutating func add(_ target: String, _ text: String) {
      guard described.insert(target).inserted else { return }
      statements.append("COMMENT ON \(target) IS '\(text.replacing("'", with: "''"))'")
    }
  }
#endif
