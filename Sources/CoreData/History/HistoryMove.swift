import Foundation

/// The correspondence between the history's records of an entity before and after a migration.
// Immutable; the map of the migration keeps both schemas alive.
package struct HistoryMove: @unchecked Sendable {
  /// A value of deleted objects: its place before, and the attributes that it is and was of.
  package struct Tombstone {
    /// `nil` where there was none.
    package let former: Int?
    package let attribute: NSAttributeDescription?
    package let formerAttribute: NSAttributeDescription?
  }

  package let entity: SQLEntity
  let source: SQLEntity
  /// By the place that a value is to have.
  package let tombstones: [Tombstone]
  private let places: [String: EntityLayout.Place]
  private let formerColumns: HistoryColumns
  private let columns: HistoryColumns

  package static func all(_ map: SQLMigrationMap) -> [HistoryMove] {
    map.new.entities.compactMap { entity in
      map.source(of: entity).map { HistoryMove(entity: entity, from: $0, map: map) }
    }
  }

  private init(entity: SQLEntity, from source: SQLEntity, map: SQLMigrationMap) {
    self.entity = entity
    self.source = source
    formerColumns = HistoryColumns(source)
    columns = HistoryColumns(entity)
    var places: [String: EntityLayout.Place] = [:]
    for (name, place) in entity.layout.places {
      guard let old = map.formerPlace(of: name, in: entity) else { continue }
      switch old.place {
      case .slot(let slot): places[source.layout.slots[slot].name] = place
      case .toMany(let index): places[source.layout.toMany[index].name] = place
      }
    }
    self.places = places
    let former = HistoryColumns.preserved(source)
    tombstones = HistoryColumns.preserved(entity).map { value in
      let slot = entity.layout.slots[value.slot]
      guard let old = map.formerPlace(of: slot.name, in: entity), case .slot(let place) = old.place,
        let path = Self.formerPath(
          of: value.path,
          former: source.layout.slots[place].attribute,
          attribute: slot.attribute
        ),
        let index = former.firstIndex(where: { $0.slot == place && $0.path == path })
      else { return Tombstone(former: nil, attribute: nil, formerAttribute: nil) }
      return Tombstone(
        former: index,
        attribute: HistoryTombstone.attribute(of: value, entity: entity),
        formerAttribute: HistoryTombstone.attribute(of: former[index], entity: source)
      )
    }
  }

  /// Converts the bits of changed properties to the bits of the same properties in the new model.
  package func bits(_ bits: Data) -> Data {
    var slots: [Int] = []
    var toMany: [Int] = []
    for property in formerColumns.properties(bits, of: source.layout) {
      switch places[property.name] {
      case .slot(let slot): slots.append(slot)
      case .toMany(let index): toMany.append(index)
      case nil: continue
      }
    }
    return columns.bits(slots: slots, toMany: toMany)
  }

  /// True when values of deleted objects have the same meaning before and after the migration.
  ///
  /// - Parameter alike: true when values of two types are kept in the same way.
  package func keepsTombstones(alike: (NSAttributeType, NSAttributeType) -> Bool) -> Bool {
    tombstones.count == HistoryColumns.preserved(source).count
      && tombstones.enumerated().allSatisfy { place, value in
        guard value.former == place, let type = value.attribute?.attributeType,
          let before = value.formerAttribute?.attributeType
        else { return false }
        return alike(type, before)
      }
  }

  /// The path that an element of a composite attribute had in the older version of it.
  private static func formerPath(
    of path: [String],
    former: NSAttributeDescription?,
    attribute: NSAttributeDescription?
  ) -> [String]? {
    if path.isEmpty { return [] }
    guard let former = former as? NSCompositeAttributeDescription,
      let attribute = attribute as? NSCompositeAttributeDescription
    else { return nil }
    let leaves = CompositeCorrespondence(from: former, to: attribute).leaves
    return leaves.first { $0.element.path == path }?.former?.path
  }
}
