import Foundation

/// The values that the history keeps of a deleted object, put together from columns.
package struct HistoryTombstone {
  private let entity: SQLEntity
  package private(set) var values: [AnyHashable: Any] = [:]

  package init(_ entity: SQLEntity) { self.entity = entity }

  /// The attribute that a value is of: of the entity, or an element of a composite one.
  package static func attribute(of value: HistoryColumns.PreservedValue, entity: SQLEntity)
    -> NSAttributeDescription?
  {
    if value.path.isEmpty { return entity.layout.slots[value.slot].attribute }
    return entity.slots[value.slot]?.elements.first { $0.element.path == value.path }?.element.attribute
  }

  /// Adds a value.
  package mutating func set(
    _ stored: StoredValue,
    value: HistoryColumns.PreservedValue,
    attribute: NSAttributeDescription
  ) {
    let preserved = AttributeValue.value(stored, as: attribute.attributeType)
    let name = entity.layout.slots[value.slot].name
    if value.path.isEmpty {
      values[name] = preserved
    } else {
      var composite = CompositeValue(values[name] as? [String: Any] ?? [:])
      composite[value.path.joined(separator: ".")] = preserved
      values[name] = composite.values
    }
  }
}
