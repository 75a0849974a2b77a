#if PostgreSQL
  import CoreData
  import Foundation

  /// The comments on tables and columns, which psql shows with `\d+`.
  struct PostgreSQLComments {
    /// The statements, in the order of the tables.
    private(set) var statements: [String] = []
    private let dialect = PostgreSQLDialect()
    private var described: Set<String> = []

    init(_ schema: SQLSchema) {
      for (table, text) in Self.ofSystemTables { add(table: table, text: text) }
      for table in schema.tables { describe(table) }
      for entity in schema.entities {
        for (number, slot) in entity.slots.enumerated() {
          if let slot {
            describe(slot, property: entity.layout.slots[number].property, entity: entity, schema: schema)
          }
        }
        for (number, kept) in entity.toMany.enumerated() {
          describe(kept, relationship: entity.layout.toMany[number].relationship)
        }
      }
    }

    private static let ofSystemTables = [
      (PostgreSQLSystemTables.metadata, "The identity of the store and its metadata, a property list."),
      (PostgreSQLSystemTables.keys, "The entities: number, name, superentity, and the last key that was given out."),
      (PostgreSQLSystemTables.model, "The model, compressed."),
      ("perennial_outcome", "Transactions whose programs have not heard yet what became of them."),
      ("perennial_clock", "The numbers of the last transaction and the last change of the history."),
      ("perennial_transaction", "Transactions of the history."),
      ("perennial_change", "Changes of the history."),
    ]

    // MARK: - What there is

    private mutating func describe(_ table: SQLTable) {
      let names = table.root.selfAndAllSubentities.compactMap(\.name).joined(separator: ", ")
      add(table: table.name, text: "The objects of \(names).")
      add(table.name, column: table.primaryKey, text: "The key of the object.")
      add(table.name, column: table.entityColumn, text: "The number of the entity in \(PostgreSQLSystemTables.keys).")
      add(table.name, column: table.versionColumn, text: "The version of the object, which each change counts up.")
    }

    private mutating func describe(
      _ slot: SQLSlot,
      property: NSPropertyDescription,
      entity: SQLEntity,
      schema: SQLSchema
    ) {
      let (table, path) = (entity.table.name, property.modelPath)
      for part in slot.elements {
        let name = part.element.path.joined(separator: ".")
        add(table, column: part.column, text: "\(path).\(name)\(Self.form(part.element.attribute))")
      }
      if !slot.elements.isEmpty { return }
      guard let destination = schema.entity(modelNumber: slot.destination), slot.destination != 0 else {
        let attribute = property as? NSAttributeDescription
        return add(table, column: slot.column, text: path + (attribute.map(Self.form) ?? "."))
      }
      add(table, column: slot.column, text: "\(path): the key of a row of \(destination.table.name).")
      if let column = slot.entityColumn { add(table, column: column, text: "\(path): the entity of that row.") }
    }

    private mutating func describe(_ kept: SQLToMany, relationship: NSRelationshipDescription) {
      let path = relationship.modelPath
      switch kept {
      case .foreignKey(let key):
        if key.isOwned {
          add(key.table.name, column: key.column, text: "The key of the object whose \(path) has this one.")
        }
        if let order = key.orderColumn {
          add(key.table.name, column: order, text: "The place of this object in \(path).")
        }
      case .join(let join):
        add(table: join.table.name, text: "The pairs of \(path).")
        add(join.table.name, column: join.target, text: "The key of an object that \(path) has.")
        add(join.table.name, column: join.source, text: "The key of the object that has it.")
        if let order = join.orderColumn {
          add(join.table.name, column: order, text: "The place of that object in \(path).")
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

    private mutating func add(table: String, text: String) { add("TABLE \(dialect.identifier(table))", text: text) }

    private mutating func add(_ table: String, column: String, text: String) {
      add("COLUMN \(dialect.identifier(table)).\(dialect.identifier(column))", text: text)
    }

    /// The first comment on an object is used: the one for the entity that introduces the property.
    private mutating func add(_ target: String, text: String) {
      guard described.insert(target).inserted else { return }
      statements.append("COMMENT ON \(target) IS '\(text.replacing("'", with: "''"))'")
    }
  }
#endif
