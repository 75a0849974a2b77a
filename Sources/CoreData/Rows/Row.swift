import Foundation

/// The values of one object: a place in a slab, and the slab that keeps it alive.
///
/// A row is a version, a bit for each slot that has a value, and the slots themselves, laid out as
/// the entity's `EntityLayout` says.
// Immutable after the decoder has returned it; an object that changes copies it first. The slab owns the memory.
@usableFromInline
package struct Row: @unchecked Sendable {
  let slab: RowSlab
  @usableFromInline package let base: UnsafeMutableRawPointer

  /// A new row of its own in which every slot is null.
  package init(layout: EntityLayout) {
    slab = RowSlab.make(layout: layout, capacity: 1)
    base = slab.appendRow()
  }

  init(slab: RowSlab, base: UnsafeMutableRawPointer) {
    self.slab = slab
    self.base = base
  }

  var layout: EntityLayout { slab.layout }

  /// The number of times that the object has been saved (`Z_OPT` in SQLite stores); 0 before the first save.
  @inlinable package var version: Int64 {
    get { base.load(as: Int64.self) }
    nonmutating set { base.storeBytes(of: newValue, as: Int64.self) }
  }

  /// The version of a row that changes. A file may have any number there, also the last.
  static func version(after version: Int64) -> Int64 { version == .max ? 1 : version + 1 }

  /// A row of its own with the same values.
  package func copy() -> Row {
    let copy = Row(layout: layout)
    layout.copyValues(from: base, to: copy.base)
    if slab.hasFailures { copy.copyFailures(from: self) }
    return copy
  }

  @inline(__always)
  @inlinable
  package func hasValue(_ slot: Int) -> Bool { EntityLayout.hasValue(base, slot: slot) }

  /// The destination of a to-one relationship; `nil` where there is none.
  func reference(_ slot: Int) -> ObjectReference? {
    if case .reference(let reference) = value(slot) { reference } else { nil }
  }

  package func value(_ slot: Int) -> StoredValue {
    guard hasValue(slot) else { return .null }
    let place = base + layout.offset(slot)
    switch layout.kind(slot) {
    case .integer: return .integer(place.load(as: Int64.self))
    case .real: return .real(place.load(as: Double.self))
    case .text: return .text(place.load(as: String.self))
    case .data: return .data(place.load(as: Data.self))
    case .uuid: return .uuid(place.load(as: UUID.self))
    case .decimal: return .decimal(place.load(as: Decimal.self))
    case .object: return .object(place.load(as: Any.self))
    case .reference: return .reference(place.load(as: ObjectReference.self))
    }
  }

  /// The bytes of a text or of data; 0 for values of other kinds.
  func byteCount(_ slot: Int) -> Int {
    guard hasValue(slot) else { return 0 }
    let place = base + layout.offset(slot)
    switch layout.kind(slot) {
    case .text: return place.load(as: String.self).utf8.count
    case .data: return place.load(as: Data.self).count
    case .integer, .real, .uuid, .decimal, .object, .reference: return 0
    }
  }

  /// Replaces the value of a slot. Only its owner may do this, before the row is shared.
  @usableFromInline
  package func set(_ value: StoredValue, slot: Int) {
    switch value {
    case .null: setNull(slot)
    case .integer(let value): replace(value, slot: slot, kind: .integer)
    case .real(let value): replace(value, slot: slot, kind: .real)
    case .text(let value): replace(value, slot: slot, kind: .text)
    case .data(let value): replace(value, slot: slot, kind: .data)
    case .uuid(let value): replace(value, slot: slot, kind: .uuid)
    case .decimal(let value): replace(value, slot: slot, kind: .decimal)
    // `as Any` keeps the existential: opened, it would be stored as the type inside.
    case .object(let value): replace(value as Any, slot: slot, kind: .object)
    case .reference(let value): replace(value, slot: slot, kind: .reference)
    }
  }

  func setNull(_ slot: Int) {
    guard hasValue(slot) else {
      if slab.hasFailures { forgetFailure(slot) }
      return
    }
    layout.destroyValue(slot, at: base)
    EntityLayout.markNull(base, slot: slot)
  }

  /// The slot's value must be of the slot's own kind.
  @inline(__always)
  func replace<Value>(_ value: Value, slot: Int, kind: SlotKind) {
    precondition(layout.kind(slot) == kind, "a value of another kind than the slot's")
    let place = (base + layout.offset(slot)).assumingMemoryBound(to: Value.self)
    if EntityLayout.hasValue(base, slot: slot) {
      place.pointee = value
    } else {
      place.initialize(to: value)
      EntityLayout.markValue(base, slot: slot)
    }
  }
}

/// A row as a fetch returns it, with the key that names its object.
// As its row. The context or the store that has it keeps the model alive, and the model its layouts.
@usableFromInline
package struct FetchedRow: @unchecked Sendable {
  package let key: Int64
  /// The index of the row's store, or `ObjectReference.noStore` for an object that only a parent context has.
  let store: Int32
  /// The entity that the row belongs to: the fetched one or one of its subentities.
  // The model owns it: see above.
  package unowned(unsafe) let layout: EntityLayout
  /// The values; `nil` where the fetch asked for keys alone.
  package let row: Row?

  @usableFromInline
  init(key: Int64, store: Int32, layout: EntityLayout, row: Row?) {
    self.key = key
    self.store = store
    self.layout = layout
    self.row = row
  }

  package var reference: ObjectReference { ObjectReference(key: key, entity: layout.number, store: store) }
}

extension Row {
  /// Returns true when another row of the same entity has the same value in a slot.
  func hasEqualValue(_ other: Row, slot: Int) -> Bool { hasEqualValue(other, slot: slot, layout: layout) }

  /// The slots, of some, in which another row of the same entity has another value.
  func slots<Slots: Sequence<Int>>(unlike other: Row, among slots: Slots) -> [Int] {
    let layout = layout
    return slots.filter { !hasEqualValue(other, slot: $0, layout: layout) }
  }

  @inline(__always)
  private func hasEqualValue(_ other: Row, slot: Int, layout: EntityLayout) -> Bool {
    guard isSame(as: other, slot: slot, layout: layout) else { return false }
    if !slab.hasFailures, !other.slab.hasFailures { return true }
    // No value is something else than a value that could not be read: it can be saved in its place.
    return (failure(slot) == nil) == (other.failure(slot) == nil)
  }

  /// Compares numbers of a slot directly in the rows' memory: all values of all objects that a save
  /// finds changed are compared here.
  @inline(__always)
  private func isSame(as other: Row, slot: Int, layout: EntityLayout) -> Bool {
    let isPresent = hasValue(slot)
    guard isPresent == other.hasValue(slot) else { return false }
    if !isPresent { return true }
    let (mine, others) = (base + layout.offset(slot), other.base + layout.offset(slot))
    switch layout.kind(slot) {
    case .integer: return mine.load(as: Int64.self) == others.load(as: Int64.self)
    case .real: return mine.load(as: Double.self) == others.load(as: Double.self)
    case .reference: return mine.load(as: ObjectReference.self).key == others.load(as: ObjectReference.self).key
    case .text, .data, .uuid, .decimal, .object: return Self.areEqual(value(slot), other: other.value(slot))
    }
  }

  /// Returns true when two values are the same. Texts are compared by their bytes.
  static func areEqual(_ one: StoredValue, other: StoredValue) -> Bool {
    switch (one, other) {
    case (.null, .null): true
    case (.integer(let one), .integer(let other)): one == other
    case (.real(let one), .real(let other)): one == other
    case (.text(let one), .text(let other)): one.utf8.elementsEqual(other.utf8)
    case (.data(let one), .data(let other)): one == other
    case (.uuid(let one), .uuid(let other)): one == other
    case (.decimal(let one), .decimal(let other)): one == other
    case (.reference(let one), .reference(let other)): one.key == other.key
    case (.object(let one), .object(let other)): areEqualObjects(one, other: other)
    default: false
    }
  }

  /// Objects that cannot be compared are treated as different.
  private static func areEqualObjects(_ one: Any, other: Any) -> Bool {
    if let one = one as? [String: Any], let other = other as? [String: Any] {
      return NSDictionary(dictionary: one).isEqual(to: other)
    }
    if let one = one as? NSObject, let other = other as? NSObject { return one.isEqual(other) }
    if let one = one as? AnyHashable, let other = other as? AnyHashable { return one == other }
    return false
  }
}
