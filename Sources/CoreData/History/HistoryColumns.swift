import Foundation

/// The places of an entity's properties in the bits of `ZCOLUMNS`, which tell what an update changed.
///
/// To-one relationships come first, then attributes, then to-many relationships, each by name; a to-one relationship
/// with a column for its destination's entity has two bits. The first bit is the highest of the first byte.
package struct HistoryColumns: Sendable {
  /// The bits of each slot of the layout, none for transient ones.
  private let slots: [Range<Int>]
  /// The bit of each to-many relationship of the layout.
  private let toMany: [Int]
  private let count: Int
  /// A value that a deletion keeps: of an attribute, or of an element of a composite one.
  package struct PreservedValue: Sendable {
    let slot: Int
    package let column: String
    /// The names that lead from a composite attribute to its element; empty for other attributes.
    let path: [String]
  }

  /// The values that a deletion keeps, by name.
  package let preserved: [PreservedValue]

  package init(_ entity: SQLEntity) {
    let layout = entity.layout
    var slots = [Range<Int>](repeating: 0..<0, count: layout.slots.count)
    var toMany = [Int](repeating: 0, count: layout.toMany.count)
    var next = 0
    let stored = layout.slots.indices.filter { entity.slots[$0] != nil }
      .sorted { Self.precedes(layout.slots[$0].name, other: layout.slots[$1].name) }
    for slot in stored where layout.kind(slot) == .reference {
      let width = entity.slots[slot]?.entityColumn == nil ? 1 : 2
      slots[slot] = next..<next + width
      next += width
    }
    for slot in stored where layout.kind(slot) != .reference {
      slots[slot] = next..<next + 1
      next += 1
    }
    let sorted = layout.toMany.indices.sorted { Self.precedes(layout.toMany[$0].name, other: layout.toMany[$1].name) }
    for index in sorted where !layout.toMany[index].relationship.isTransient {
      toMany[index] = next
      next += 1
    }
    self.slots = slots
    self.toMany = toMany
    count = next
    preserved = Self.preserved(entity)
  }

  /// The values of an entity that a deletion keeps, by name; those of a composite attribute follow each other.
  static func preserved(_ entity: SQLEntity) -> [PreservedValue] {
    entity.layout.slots.indices
      .filter { slot in
        entity.slots[slot] != nil
          && entity.layout.slots[slot].attribute?.preservesValueInHistoryOnDeletion == true
      }
      .sorted { precedes(entity.layout.slots[$0].name, other: entity.layout.slots[$1].name) }
      .flatMap { slot -> [PreservedValue] in
        guard let stored = entity.slots[slot] else { return [] }
        if stored.elements.isEmpty { return [PreservedValue(slot: slot, column: stored.column, path: [])] }
        return stored.elements.map { PreservedValue(slot: slot, column: $0.column, path: $0.element.path) }
      }
  }

  private static func precedes(_ one: String, other: String) -> Bool { one.utf8.lexicographicallyPrecedes(other.utf8) }

  /// The bits of changed properties.
  package func bits(_ properties: Set<NSPropertyDescription>, of layout: EntityLayout) -> Data {
    let names = Set(properties.map(\.name))
    return bits(
      slots: layout.slots.indices.filter { names.contains(layout.slots[$0].name) },
      toMany: layout.toMany.indices.filter { names.contains(layout.toMany[$0].name) }
    )
  }

  /// The bits of changed slots and to-many relationships.
  package func bits(slots changed: [Int], toMany changedToMany: [Int]) -> Data {
    var bytes = [UInt8](repeating: 0, count: (count + 7) / 8)
    func set(_ bit: Int) { bytes[bit / 8] |= 0x80 >> UInt8(bit % 8) }
    for slot in changed { for bit in slots[slot] { set(bit) } }
    for relationship in changedToMany { set(toMany[relationship]) }
    return Data(bytes)
  }

  /// The properties whose bits are set.
  package func properties(_ bits: Data, of layout: EntityLayout) -> Set<NSPropertyDescription> {
    let bytes = [UInt8](bits)
    func isSet(_ bit: Int) -> Bool { bit / 8 < bytes.count && bytes[bit / 8] & (0x80 >> UInt8(bit % 8)) != 0 }
    var properties: Set<NSPropertyDescription> = []
    for (slot, range) in slots.enumerated() where range.contains(where: isSet) {
      properties.insert(layout.slots[slot].property)
    }
    for (index, bit) in toMany.enumerated() where isSet(bit) && !layout.toMany[index].relationship.isTransient {
      properties.insert(layout.toMany[index].relationship)
    }
    return properties
  }
}
