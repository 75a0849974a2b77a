import Foundation

/// A snapshot of the objects of a store in memory: a value that readers keep while other threads save.
package struct InMemoryContents {
  /// The rows of the entities under one root, by key.
  private var rows: [Int32: [Int64: Row]] = [:]
  /// True when keys are unique in the whole store, across entities.
  private let sharesKeys: Bool
  /// The last key of the entities under one root. Under 0: the last key of all entities, where they share keys.
  private var lastKeys: [Int32: Int64] = [:]
  /// The destinations of to-many relationships by relationship and key.
  private var links: [ObjectIdentifier: [Int64: [ObjectReference]]] = [:]

  /// The keys of the objects by their unique values.
  private var holders: [UniqueValues: Int64] = [:]

  init(sharesKeys: Bool = false) { self.sharesKeys = sharesKeys }

  /// The last key that was given out to any object of a store whose objects share keys.
  var lastSharedKey: Int64 { lastKeys[0] ?? 0 }

  mutating func recordSharedKey(_ key: Int64) { lastKeys[0] = max(lastKeys[0] ?? 0, key) }

  func row(_ key: Int64, root: Int32) -> Row? { rows[root]?[key] }

  /// The key of the object that has some values of a uniqueness constraint.
  func holder(of values: UniqueValues) -> Int64? { holders[values] }

  /// The keys and rows of some entities under one root, in the order of their keys.
  func rows(of layouts: [EntityLayout]) -> [(key: Int64, row: Row)] {
    guard let root = layouts.first?.rootNumber, let all = rows[root] else { return [] }
    let wanted = Set(layouts.map(\.number))
    return all.filter { wanted.contains($0.value.layout.number) }.sorted { $0.key < $1.key }
      .map { (key: $0.key, row: $0.value) }
  }

  func destinations(of relationship: NSRelationshipDescription, from key: Int64) -> [ObjectReference] {
    links[ObjectIdentifier(relationship)]?[key] ?? []
  }

  mutating func nextKey(root: Int32) -> Int64 {
    let group = sharesKeys ? 0 : root
    lastKeys[group, default: 0] += 1
    return lastKeys[group, default: 0]
  }

  mutating func set(_ row: Row, key: Int64, root: Int32) {
    freeUniqueValues(of: key, root: root)
    rows[root, default: [:]][key] = row
    for constraint in row.layout.constraints {
      if let values = constraint.values(of: row) { holders[values] = key }
    }
    let group = sharesKeys ? 0 : root
    lastKeys[group] = max(lastKeys[group] ?? 0, key)
  }

  /// Frees the unique values of an object, so that other objects can use them.
  mutating func freeUniqueValues(of key: Int64, root: Int32) {
    guard let row = rows[root]?[key] else { return }
    for constraint in row.layout.constraints {
      guard let values = constraint.values(of: row), holders[values] == key else { continue }
      holders[values] = nil
    }
  }

  mutating func setDestinations(
    _ destinations: [ObjectReference],
    of relationship: NSRelationshipDescription,
    from key: Int64
  ) {
    links[ObjectIdentifier(relationship), default: [:]][key] = destinations.isEmpty ? nil : destinations
  }

  /// Changes the destinations of one object.
  mutating func updateDestinations(
    of relationship: NSRelationshipDescription,
    from key: Int64,
    _ update: (inout [ObjectReference]) -> Void
  ) {
    update(&links[ObjectIdentifier(relationship), default: [:]][key, default: []])
  }

  /// Updates the to-many sides of the object's to-one relationships that have changed.
  mutating func moveDestination(_ object: ObjectReference, from old: Row?, to new: Row) {
    for slot in new.layout.referenceSlots {
      guard let inverse = new.layout.slots[slot].relationship?.frozenInverse, inverse.isToMany else { continue }
      let (left, entered) = (old?.reference(slot), new.reference(slot))
      if left?.key == entered?.key { continue }
      if let left {
        updateDestinations(of: inverse, from: left.key) { $0.removeAll { $0.key == object.key } }
      }
      if let entered { updateDestinations(of: inverse, from: entered.key) { $0.append(object) } }
    }
  }

  mutating func remove(_ key: Int64, layout: EntityLayout) {
    freeUniqueValues(of: key, root: layout.rootNumber)
    rows[layout.rootNumber]?[key] = nil
    for relationship in layout.toMany { links[ObjectIdentifier(relationship.relationship)]?[key] = nil }
  }

  /// Removes deleted objects from the relationships that still refer to them.
  ///
  /// - Throws: an error that names a relationship that is required.
  mutating func removeReferences(to keys: Set<Int64>, root: Int32, in model: NSManagedObjectModel) throws {
    for entity in model.numberedEntities where entity.superentity == nil {
      try removeSlots(leadingTo: keys, root: root, from: entity.layout.rootNumber)
    }
    let relationships = model.numberedEntities.flatMap {
      $0.ownProperties.compactMap { $0 as? NSRelationshipDescription }
    }
    for relationship in relationships where relationship.isToMany {
      guard relationship.frozenDestination?.layout.rootNumber == root else { continue }
      let identity = ObjectIdentifier(relationship)
      links[identity] = links[identity]?.mapValues { $0.filter { !keys.contains($0.key) } }
    }
  }

  private mutating func removeSlots(leadingTo keys: Set<Int64>, root: Int32, from sourceRoot: Int32) throws {
    for (key, row) in rows[sourceRoot] ?? [:] {
      let slots = row.layout.referenceSlots.filter { slot in
        guard case .reference(let reference) = row.value(slot) else { return false }
        return keys.contains(reference.key)
          && row.layout.slots[slot].relationship?.frozenDestination?.layout.rootNumber == root
      }
      if slots.isEmpty { continue }
      for case let relationship? in slots.map({ row.layout.slots[$0].relationship })
      where !relationship.isOptional {
        throw BatchDeletion.stranding(relationship)
      }
      let copy = row.copy()
      for slot in slots { copy.setNull(slot) }
      set(copy, key: key, root: sourceRoot)
    }
  }
}

extension InMemoryContents {
  /// The contents as another store begins with them: its references lead to its own objects, and it
  /// shares no object that could be changed in place.
  ///
  /// - Throws: an error from copying a transformable value.
  func copy(of store: Int32, for other: Int32) throws -> InMemoryContents {
    var copy = self
    try copy.copyRows { row in
      row.layout.hasTransformables || store != other && !row.layout.referenceSlots.isEmpty
    } by: { row in
      for slot in row.layout.slots.indices {
        switch row.value(slot) {
        case .reference(var reference) where reference.store == store:
          reference.store = other
          row.set(.reference(reference), slot: slot)
        case .object(let object):
          guard let attribute = row.layout.slots[slot].transformable else { continue }
          row.set(
            try AttributeCoding.copy(object, attribute: attribute).map { .object($0) } ?? .null,
            slot: slot
          )
        default: continue
        }
      }
    }
    if store != other { copy.redirectLinks(from: store, to: other) }
    return copy
  }

  private mutating func copyRows(where isAffected: (Row) -> Bool, by change: (Row) throws -> Void) rethrows {
    for (root, ofRoot) in rows {
      for (key, row) in ofRoot where isAffected(row) {
        let copy = row.copy()
        try change(copy)
        rows[root]?[key] = copy
      }
    }
  }

  private mutating func redirectLinks(from store: Int32, to other: Int32) {
    links = links.mapValues { destinations in
      destinations.mapValues { references in
        references.map { reference in
          var reference = reference
          if reference.store == store { reference.store = other }
          return reference
        }
      }
    }
  }
}
