/// The places of one entity's objects in a database: their table, and the columns of their properties.
package final class SQLEntity {
  // The schema, which owns this, keeps the model alive, and the model its entities with their layouts.
  package unowned(unsafe) let entity: NSEntityDescription
  package unowned(unsafe) let layout: EntityLayout
  /// The entity number in its rows in this store.
  package let number: Int64
  package let table: SQLTable
  /// The place of each slot of the layout; `nil` for transient ones.
  package let slots: [SQLSlot?]
  /// The place of each to-many relationship of the layout.
  package let toMany: [SQLToMany]
  /// The derived attributes that the save computes.
  let derivedTexts: [SQLDerivedText]
  /// The numbers of the entity and all that inherit from it, in this store.
  package var familyNumbers: [Int64] = []

  init(
    entity: NSEntityDescription,
    number: Int64,
    table: SQLTable,
    slots: [SQLSlot?],
    toMany: [SQLToMany]
  ) {
    self.entity = entity
    layout = entity.layout
    self.number = number
    self.table = table
    self.slots = slots
    self.toMany = toMany
    derivedTexts = SQLDerivedText.all(in: entity.layout, slots: slots)
  }

  /// True when a save writes a slot: all except transient and derived ones.
  func isWritten(_ slot: Int) -> Bool {
    slots[slot] != nil && !(layout.slots[slot].attribute is NSDerivedAttributeDescription)
  }
}

/// The column of an attribute or a to-one relationship, or the columns of a composite attribute.
package struct SQLSlot {
  package let column: String
  package let storage: SQLStorage
  /// The column that tells the entity of the row that a foreign key points to, where it needs telling.
  package var entityColumn: String?
  /// The number in the model of a to-one relationship's destination; 0 for attributes.
  package var destination: Int32 = 0
  /// The elements of a composite attribute, the first of which is in ``column``; empty for all else.
  package var elements: [SQLCompositeElement] = []

  /// All columns, in the order in which statements bind them.
  package var columns: [String] {
    elements.isEmpty ? [column] + [entityColumn].compactMap(\.self) : elements.map(\.column)
  }
}

/// The column of an element of a composite attribute. Composites inside of composites are flattened too.
package struct SQLCompositeElement {
  package let element: CompositeElement
  package let column: String
}

/// The place of a to-many relationship in a database.
package enum SQLToMany {
  case foreignKey(SQLForeignKey)
  case join(SQLJoin)
  /// A transient relationship, which is not stored.
  case transient
}

/// A to-many relationship that is kept in its destinations' table.
package struct SQLForeignKey {
  package let table: SQLTable
  package let column: String
  /// The column of the destination's place in the order.
  package let orderColumn: String?
  /// True when no to-one relationship uses the column, so that this side must write it.
  package let isOwned: Bool
  /// The number in the model of the relationship's destination.
  let destination: Int32
}

/// A to-many relationship that is kept in a join table, seen from one side.
package struct SQLJoin {
  package let table: SQLJoinTable
  package let source: String
  package let target: String
  /// The column of the destination's place in the order.
  package let orderColumn: String?
  /// The table of the destinations.
  package let destinationTable: SQLTable
  /// True when the relationship is its own inverse, so that either column may contain an object's key.
  package let isOwnInverse: Bool
  /// The number in the model of the relationship's destination.
  let destination: Int32
}
