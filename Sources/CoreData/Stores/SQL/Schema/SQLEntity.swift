/// The places of one entity's objects in a database: their table, and the columns of their
/// properties.
final class SQLEntity {
  // The schema, which owns this, keeps the model alive, and the model its entities with their
  // layouts.
  unowned(unsafe) let entity: NSEntityDescription
  unowned(unsafe) let layout: EntityLayout
  /// The entity number in its rows in this store.
  let number: Int64
  let table: SQLTable
  /// The place of each slot of the layout; `nil` for transient ones.
  let slots: [SQLSlot?]
  /// The place of each to-many relationship of the layout.
  let toMany: [SQLToMany]
  /// The derived attributes that the save computes.
  let derivedTexts: [SQLDerivedText]
  /// The numbers of the entity and all that inherit from it, in this store.
  var familyNumbers: [Int64] = []

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
struct SQLSlot {
  let column: String
  let storage: SQLStorage
  /// The column that tells the entity of the row that a foreign key points to, where it needs
  /// telling.
  var entityColumn: String?
  /// The number in the model of a to-one relationship's destination; 0 for attributes.
  var destination: Int32 = 0
  /// The elements of a composite attribute, the first of which is in ``column``; empty for all
  /// else.
  var elements: [SQLCompositeElement] = []

  /// All columns, in the order in which statements bind them.
  var columns: [String] {
    elements.isEmpty ? [column] + [entityColumn].compactMap(\.self) : elements.map(\.column)
  }
}

/// The column of an element of a composite attribute. Composites inside of composites are flattened
/// too.
struct SQLCompositeElement {
  let element: CompositeElement
  let column: String
}

/// The place of a to-many relationship in a database.
enum SQLToMany {
  case foreignKey(SQLForeignKey)
  case join(SQLJoin)
  /// A transient relationship, which is not stored.
  case transient
}

/// A to-many relationship that is kept in its destinations' table.
struct SQLForeignKey {
  let table: SQLTable
  let column: String
  /// The column of the destination's place in the order.
  let orderColumn: String?
  /// True when no to-one relationship uses the column, so that this side must write it.
  let isOwned: Bool
  /// The number in the model of the relationship's destination.
  let destination: Int32
}

/// A to-many relationship that is kept in a join table, seen from one side.
struct SQLJoin {
  let table: SQLJoinTable
  let source: String
  let target: String
  /// The column of the destination's place in the order.
  let orderColumn: String?
  /// The table of the destinations.
  let destinationTable: SQLTable
  /// True when the relationship is its own inverse, so that either column may contain an object's
  /// key.
  let isOwnInverse: Bool
  /// The number in the model of the relationship's destination.
  let destination: Int32
}
