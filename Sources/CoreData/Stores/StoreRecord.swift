import Foundation
import Predicates

/// A row as predicates and sort descriptors see it: a stored object without a context.
package final class StoreRecord: KeyValueCoding {
  let fetched: FetchedRow
  private let row: Row
  private let reader: any ObjectReader

  /// A row without values cannot be looked into.
  package init?(_ fetched: FetchedRow, reader: any ObjectReader) {
    guard let row = fetched.row else { return nil }
    self.fetched = fetched
    self.row = row
    self.reader = reader
  }

  package func value(forKey key: String) -> Any? { try? checkedValue(forKey: key) }

  /// - Throws: `NSCoreDataError` for a key that the entity does not have, or why its value cannot be read.
  package func checkedValue(forKey key: String) throws -> Any? {
    switch fetched.layout.places[key] {
    case .slot(let slot): try value(ofSlot: slot)
    case .toMany(let index): try destinations(index)
    case nil: try otherValue(forKey: key)
    }
  }

  private func otherValue(forKey key: String) throws -> Any? {
    guard let value = fetched.layout.otherValue(forKey: key, of: self, objectID: self) else {
      throw fetched.layout.unknownKey(key)
    }
    return value
  }

  private func value(ofSlot slot: Int) throws -> Any? {
    let value = row.value(slot)
    if case .reference(let reference) = value {
      return try record(of: reference, relationship: fetched.layout.slots[slot].relationship)
    }
    return AttributeValue.value(
      value,
      as: fetched.layout.slots[slot].attribute?.attributeType ?? .undefinedAttributeType
    )
  }

  private func destinations(_ index: Int) throws -> [StoreRecord] {
    let references = try reader.destinations(of: index, from: fetched.reference, layout: fetched.layout)
    let relationship = fetched.layout.toMany[index].relationship
    return try references.compactMap { try record(of: $0, relationship: relationship) }
  }

  private func record(of reference: ObjectReference, relationship: NSRelationshipDescription?)
    throws -> StoreRecord?
  {
    guard let model = relationship?.frozenDestination?.model else { return nil }
    let layout = model.numberedEntities[Int(reference.entity) - 1].layout
    guard let row = try reader.row(of: reference, layout: layout) else { return nil }
    return StoreRecord(row, reader: reader)
  }
}

extension StoreRecord: IdentifiedObject {
  package var recordIdentity: AnyHashable {
    RecordIdentity(key: fetched.key, root: fetched.layout.rootNumber, store: fetched.store)
  }

  package var recordOrder: RecordOrder {
    RecordOrder(key: fetched.key, root: fetched.layout.rootNumber, store: fetched.store)
  }
}

extension StoreRecord: ModelledObject {
  package func leadsToMany(_ keyPath: String) -> Bool { fetched.layout.entity.leadsToMany(keyPath) }

  package var nameInErrors: String { "\(fetched.layout.entity.name ?? "object")/p\(fetched.key)" }
}
