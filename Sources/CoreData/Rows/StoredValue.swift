import Foundation

/// The value of one attribute or to-one relationship as change sets and stores pass it on.
///
/// Booleans are `integer`, dates are `real` (seconds since 2001-01-01 UTC), as Apple's SQLite stores keep them.
@usableFromInline
package enum StoredValue {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case data(Data)
  case uuid(UUID)
  case decimal(Decimal)
  /// A URI, or the object of a transformable or composite attribute.
  case object(Any)
  case reference(ObjectReference)
}

/// The reference by which an object is named inside one coordinator, and which a row keeps for a to-one relationship.
///
/// `key` is the primary key, shared by all entities under one root entity, or negative for an
/// object that no store knows yet: temporary keys are unique in the process.
@usableFromInline
package struct ObjectReference: Hashable, Sendable {
  package var key: Int64
  /// The number of the object's entity in its model (`Z_ENT` in SQLite stores).
  package var entity: Int32
  /// The index of the object's store in its coordinator, or `ObjectReference.noStore`.
  var store: Int32

  @usableFromInline
  package init(key: Int64, entity: Int32, store: Int32) {
    self.key = key
    self.entity = entity
    self.store = store
  }

  package static let noStore: Int32 = -1

  package var isTemporary: Bool { key < 0 }
}

/// The kind of a slot of a row, which says how its value is laid out in memory.
enum SlotKind: UInt8 {
  case integer, real, text, data, uuid, decimal, object, reference

  var size: Int {
    switch self {
    case .integer, .real: 8
    case .text: MemoryLayout<String>.stride
    case .data: MemoryLayout<Data>.stride
    case .uuid: MemoryLayout<UUID>.stride
    case .decimal: (MemoryLayout<Decimal>.stride + 7) & ~7
    case .object: MemoryLayout<Any>.stride
    case .reference: MemoryLayout<ObjectReference>.stride
    }
  }

  /// True when a value can be dropped without being destroyed.
  var isTrivial: Bool {
    switch self {
    case .integer, .real, .uuid, .decimal, .reference: true
    case .text, .data, .object: false
    }
  }
}

/// The identity of a record, which is unique among the records of one coordinator.
struct RecordIdentity: Hashable {
  let key: Int64
  let root: Int32
  let store: Int32
}
