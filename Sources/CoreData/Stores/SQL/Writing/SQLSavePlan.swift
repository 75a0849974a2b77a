/// The changes of a save to the rows of a database, sorted and grouped: one statement serves each group.
///
/// Keys of objects that no store knows yet are still temporary in it.
package struct SQLSavePlan {
  /// Rows that one statement serves: of one entity and, in an update, with the same changed slots.
  package struct Group {
    package let entity: SQLEntity
    /// The slots that are written, none of them transient.
    package let slots: [Int]
    /// All changes of the kind, and which of them are the group's: copying them would cost more.
    fileprivate let source: [ObjectChange]
    fileprivate var indices: [Int] = []

    package var count: Int { indices.count }
    package subscript(index: Int) -> ObjectChange { source[indices[index]] }

    /// The reference of a change, without a copy of the whole.
    package func reference(_ index: Int) -> ObjectReference { source[indices[index]].reference }

    /// The values of a change, without a copy of the whole.
    package func row(_ index: Int) -> Row? { source[indices[index]].row }

    /// The version that a changed object had, without a copy of the whole.
    package func committedVersion(_ index: Int) -> Int64? { source[indices[index]].committed?.version }
  }

  /// Rows of one join table.
  package struct Links {
    package let table: SQLJoinTable
    package var removed: [SQLPair] = []
    package var added: [SQLPair] = []
  }

  /// The destinations of an ordered relationship of one object.
  package struct Order {
    let relationship: SQLToMany
    let source: Int64
    let destinations: [Int64]
  }

  /// The destinations of a relationship that no to-one relationship answers.
  package struct OwnedKeys {
    package let foreignKey: SQLForeignKey
    package let source: Int64
    package let removed: [Int64]
    package let added: [Int64]
  }

  /// Deletions come first and insertions last, so that a released unique value can be used at once.
  package private(set) var deletions: [Group] = []
  package private(set) var updates: [Group] = []
  package private(set) var insertions: [Group] = []
  package private(set) var links: [Links] = []
  package private(set) var orders: [Order] = []
  package private(set) var ownedKeys: [OwnedKeys] = []
  private let exchangesUniqueValues: Bool

  /// - Throws: an error that names the entity that the store does not keep.
  package init(_ changes: ChangeSet, schema: SQLSchema) throws {
    exchangesUniqueValues = changes.exchangesUniqueValues
    deletions = try Self.groups(changes.deleted, schema: schema) { _, _ in [] }
    updates = try Self.groups(changes.updated, schema: schema) { change, entity in
      change.changedSlots.filter(entity.isWritten)
    }
    insertions = try Self.groups(changes.inserted, schema: schema) { _, entity in
      entity.slots.indices.filter(entity.isWritten)
    }
    links = schema.joinTables.map { Links(table: $0) }
    for changes in [changes.inserted, changes.updated] {
      for index in changes.indices where !changes[index].toMany.isEmpty {
        let change = changes[index]
        let entity = try Self.entity(of: change, schema: schema)
        for toMany in change.toMany { add(toMany, of: change, relationship: entity.toMany[toMany.relationship]) }
      }
    }
    links.removeAll { $0.removed.isEmpty && $0.added.isEmpty }
    for index in links.indices { links[index].removeDuplicates() }
  }

  private mutating func add(_ change: ToManyChange, of object: ObjectChange, relationship: SQLToMany) {
    let source = object.reference.key
    switch relationship {
    case .transient: return
    case .foreignKey(let foreignKey):
      if foreignKey.isOwned {
        ownedKeys.append(
          OwnedKeys(
            foreignKey: foreignKey,
            source: source,
            removed: change.removed.map(\.key),
            added: change.added.map(\.key)
          )
        )
      }
    case .join(let join):
      guard let place = links.firstIndex(where: { $0.table === join.table }) else { return }
      let isFirst = join.source == join.table.first.name
      func pair(_ reference: ObjectReference) -> SQLPair {
        isFirst
          ? SQLPair(first: source, second: reference.key) : SQLPair(first: reference.key, second: source)
      }
      for reference in change.removed { links[place].removed.append(pair(reference)) }
      for reference in change.added { links[place].added.append(pair(reference)) }
    }
    if let ordered = change.ordered {
      orders.append(Order(relationship: relationship, source: source, destinations: ordered.map(\.key)))
    }
  }

  /// The columns of uniqueness constraints that are emptied in the rows of an update before any row is
  /// written, so that objects can exchange their values; none where they may not.
  package func columnsToEmpty(_ group: Group) -> [String] {
    guard exchangesUniqueValues else { return [] }
    let constrained = Set(group.entity.layout.constraints.flatMap(\.slots))
    return group.slots.filter { constrained.contains($0) }.flatMap { group.entity.slots[$0]?.columns ?? [] }
  }

  private static func groups(
    _ changes: [ObjectChange],
    schema: SQLSchema,
    _ slots: (ObjectChange, SQLEntity) -> [Int]
  ) throws -> [Group] {
    struct Key: Hashable {
      let entity: Int32
      let slots: [Int]
    }
    var places: [Key: Int] = [:]
    var groups: [Group] = []
    var last: (entity: Int32, changedSlots: [Int], place: Int)?
    for index in changes.indices {
      // Most changes are like the one before.
      if let last, last.entity == changes[index].layout.number, last.changedSlots == changes[index].changedSlots {
        groups[last.place].indices.append(index)
        continue
      }
      let change = changes[index]
      let entity = try entity(of: change, schema: schema)
      let key = Key(entity: change.layout.number, slots: slots(change, entity))
      let place = places[key] ?? groups.count
      if place == groups.count {
        places[key] = place
        groups.append(Group(entity: entity, slots: key.slots, source: changes))
      }
      groups[place].indices.append(index)
      last = (change.layout.number, change.changedSlots, place)
    }
    return groups.sorted { $0.entity.number < $1.entity.number }
  }

  private static func entity(of change: ObjectChange, schema: SQLSchema) throws -> SQLEntity {
    try schema.entity(change.layout.entity)
  }
}

/// A row of a join table.
package struct SQLPair: Comparable {
  package let first: Int64
  package let second: Int64

  package init(first: Int64, second: Int64) {
    self.first = first
    self.second = second
  }

  package static func < (one: SQLPair, other: SQLPair) -> Bool {
    one.first == other.first ? one.second < other.second : one.first < other.first
  }
}

extension SQLSavePlan.Links {
  /// Both sides of a relationship report the same pair.
  fileprivate mutating func removeDuplicates() {
    removed = Self.unique(removed)
    added = Self.unique(added)
  }

  /// A large save has very many pairs of keys that the store itself has assigned, so the hash table
  /// does not need to withstand chosen values.
  private static func unique(_ pairs: [SQLPair]) -> [SQLPair] {
    if pairs.isEmpty { return [] }
    let bits = (2 * pairs.count).leadingZeroBitCount
    let mask = Int.max >> (bits - 1)
    var met = [Int32](repeating: -1, count: mask + 1)
    var distinct: [SQLPair] = []
    distinct.reserveCapacity(pairs.count)
    for pair in pairs {
      var place = pair.scattered & mask
      while met[place] >= 0, distinct[Int(met[place])] != pair { place = (place + 1) & mask }
      guard met[place] < 0 else { continue }
      met[place] = Int32(distinct.count)
      distinct.append(pair)
    }
    return distinct
  }
}

extension SQLPair {
  /// Both keys in one number, of which the upper half of the product is spread best.
  fileprivate var scattered: Int {
    let product = (UInt64(bitPattern: first) &* 0x9e37_79b9_7f4a_7c15 ^ UInt64(bitPattern: second))
      .multipliedFullWidth(by: 0xd6e8_feb8_6659_fd93)
    return Int(truncatingIfNeeded: product.high ^ product.low)
  }
}
