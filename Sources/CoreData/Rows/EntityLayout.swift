import Foundation
import ModelFormats
import Observation
import Synchronization

/// The layout in memory of the rows of one entity, by which each property is found in them.
///
/// Made once for each entity when its model is first used. Attributes and to-one relationships have a slot in the row.
/// To-many relationships have a number of their own, and are not part of the row.
// Immutable once it is made, its class excepted, which is replaced by one that its objects can have as well.
@usableFromInline
package final class EntityLayout: @unchecked Sendable {
  /// An attribute or a to-one relationship.
  package struct Slot {
    package let name: String
    let kind: SlotKind
    /// `nil` for a relationship.
    package let attribute: NSAttributeDescription?
    /// `nil` for an attribute.
    let relationship: NSRelationshipDescription?
    let isTransient: Bool
    let defaultValue: StoredValue

    package var property: NSPropertyDescription { attribute ?? relationship! }

    /// True where all that can be wrong is that there is no value.
    var isValidWithAnyValue: Bool {
      // A destination may be one that is deleted, which is found where it is read.
      guard let attribute, !(attribute is NSCompositeAttributeDescription) else { return false }
      return attribute.validationPredicates.isEmpty
    }

    /// The attribute, where its values are objects of an application that may change in place.
    var transformable: NSAttributeDescription? {
      attribute?.attributeType == .transformableAttributeType ? attribute : nil
    }
  }

  /// A to-many relationship.
  package struct ToMany {
    let name: String
    package let relationship: NSRelationshipDescription
    let isOrdered: Bool
  }

  /// The place of a property: its slot, or its number among the to-many relationships.
  package enum Place {
    case slot(Int)
    case toMany(Int)
  }

  private struct Shape {
    let offset: Int32
    let kind: SlotKind
    let isBoolean: Bool
  }

  // The entity owns the layout. Slabs own it too, and can outlive the entity: they do not use this reference.
  package unowned(unsafe) let entity: NSEntityDescription
  package let number: Int32
  package let rootNumber: Int32
  package let slots: [Slot]
  package let toMany: [ToMany]
  package let places: [String: Place]
  /// Bytes from one row of a slab to the next, a multiple of 8.
  let stride: Int
  /// The words of a row before its first slot: the version and the bits that say which slots have values.
  let headerWords: Int
  /// True when rows can be dropped without destroying their values.
  let isTrivial: Bool
  let slotsWithDefaults: [Int]
  /// The slots that stores keep: all but the transient ones.
  let persistentSlots: [Int]
  let transientSlots: [Int]
  let transientSlotsWithDefaults: [Int]
  /// The constraints that rows of the entity are under.
  package let constraints: [ConstraintLayout]
  /// The attributes that are computed by saves.
  let derivedSlots: [DerivedSlot]
  let hasRelationships: Bool
  /// True when an attribute that stores keep is transformable.
  let hasTransformables: Bool
  /// True when a relationship has the deny rule.
  let deniesDeletions: Bool
  /// The slots whose values can be wrong: required ones, and those with validation predicates.
  let checkedSlots: [Int]
  /// The stored integers of 16 and 32 bits, with their ranges: a row keeps 64 bits of each.
  let narrowSlots: [(slot: Int, range: ClosedRange<Int64>)]
  /// The slots of required floating-point numbers and dates. Most stores have no value for "not a number" (NaN).
  let requiredRealSlots: [Int]
  /// The slots that have to have a value, where that is all that can be wrong with an object of the entity;
  /// `nil` where more can be.
  let requiredSlots: [Int]?
  /// The to-many relationships that can have too few or too many destinations.
  let checkedToMany: [Int]
  /// The slots of to-one relationships.
  let referenceSlots: [Int]
  /// The class of the entity's objects. It is set again when a class is used whose name matches better, or when no
  /// class was set.
  @exclusivity(unchecked) var objectClass: NSManagedObject.Type {
    didSet {
      initialState = Self.initialState(of: objectClass)
      classMembers = ClassMembers.all(of: objectClass)
      hasInitializer = classMembers.initializer != nil
    }
  }
  /// The states that objects of the entity have from the beginning, besides what they go through.
  @exclusivity(unchecked) private(set) var initialState: ObjectState
  /// The members of ``objectClass``. The reference is one word, because another thread may read it while it is set
  /// again; the members of a class are never freed.
  @exclusivity(unchecked) private unowned(unsafe) var classMembers: ClassMembers
  /// The initialiser of ``objectClass``, which makes its objects; `nil` if code of the class may see the arguments, or
  /// if that is not known.
  @inline(__always)
  var initializer: ClassMembers.Initializer? { hasInitializer ? classMembers.initializer : nil }
  /// True when there is an ``initializer``, which is asked for each object.
  @exclusivity(unchecked) private var hasInitializer: Bool
  /// The members that key-value coding found last in a class of the entity's objects:
  /// `ClassMembers`, which are never freed.
  private let knownMembers = Atomic<UnsafeRawPointer?>(nil)
  /// A row without any value, never written, that replaces the values of an object that could not be read. The layout
  /// allocates and frees it, as it does the shapes.
  let unreadValues: UnsafeMutableRawPointer
  private let shapes: UnsafeMutablePointer<Shape>
  private let managedSlots: [Int]
  let names: PropertyNames
  /// Records each access in an object that is made to find the names of a key path. The layout of such an object has no
  /// entries in ``names``.
  let recorder: KeyPathRecorder?

  init(entity: NSEntityDescription, objectClass: NSManagedObject.Type, recorder: KeyPathRecorder? = nil) {
    self.recorder = recorder
    self.entity = entity
    self.objectClass = objectClass
    initialState = Self.initialState(of: objectClass)
    classMembers = ClassMembers.all(of: objectClass)
    hasInitializer = classMembers.initializer != nil
    number = Int32(entity.number)
    rootNumber = Int32(entity.root.number)
    (slots, toMany) = Self.sort(entity.allProperties)
    var places: [String: Place] = [:]
    for (index, slot) in slots.enumerated() { places[slot.name] = .slot(index) }
    for (index, relationship) in toMany.enumerated() { places[relationship.name] = .toMany(index) }
    self.places = places
    constraints = recorder == nil ? ConstraintLayout.all(of: entity, places: places) : []
    derivedSlots = slots.enumerated().compactMap { slot, shape in
      guard let attribute = shape.attribute as? NSDerivedAttributeDescription,
        let expression = attribute.derivationExpression
      else { return nil }
      return DerivedSlot(slot: slot, attribute: attribute, expression: expression)
    }
    names =
      recorder == nil
      ? PropertyNames(slots: slots.map(\.name), toMany: toMany.map(\.name))
      : PropertyNames(slots: [], toMany: [])
    headerWords = 1 + (slots.count + 63) / 64
    shapes = .allocate(capacity: max(slots.count, 1))
    var offset = headerWords * 8
    for (index, slot) in slots.enumerated() {
      (shapes + index).initialize(
        to: Shape(
          offset: Int32(offset),
          kind: slot.kind,
          isBoolean: slot.attribute?.attributeType == .booleanAttributeType
        )
      )
      offset += slot.kind.size
    }
    stride = offset
    unreadValues = .allocate(byteCount: headerWords * 8, alignment: 8)
    unreadValues.initializeMemory(as: UInt64.self, repeating: 0, count: headerWords)
    managedSlots = slots.indices.filter { [slots] in !slots[$0].kind.isTrivial }
    isTrivial = managedSlots.isEmpty
    persistentSlots = slots.indices.filter { [slots] in !slots[$0].isTransient }
    transientSlots = slots.indices.filter { [slots] in slots[$0].isTransient }
    hasTransformables = slots.contains { !$0.isTransient && $0.transformable != nil }
    hasRelationships = !toMany.isEmpty || slots.contains { $0.kind == .reference }
    deniesDeletions =
      slots.contains { $0.relationship?.deleteRule == .denyDeleteRule }
      || toMany.contains { $0.relationship.deleteRule == .denyDeleteRule }
    checkedSlots = slots.indices.filter { [slots] in
      let slot = slots[$0]
      return !slot.property.isOptional && !slot.isTransient || !slot.property.validationPredicates.isEmpty
        || slot.attribute is NSCompositeAttributeDescription
    }
    narrowSlots = slots.indices.compactMap { [slots] in
      let slot = slots[$0]
      if slot.isTransient || slot.attribute is NSDerivedAttributeDescription { return nil }
      guard let range = slot.attribute?.attributeType.narrowRange else { return nil }
      return ($0, range)
    }
    requiredRealSlots = persistentSlots.filter { [slots] in
      slots[$0].kind == .real && !slots[$0].property.isOptional
        && !(slots[$0].attribute is NSDerivedAttributeDescription)
    }
    checkedToMany = toMany.indices.filter { [toMany] in
      let relationship = toMany[$0].relationship
      return relationship.maxCount > 0 || relationship.minCount > 0
    }
    requiredSlots =
      checkedToMany.isEmpty
        && checkedSlots.allSatisfy { [slots] in
          slots[$0].isValidWithAnyValue && !slots[$0].isTransient
            && !(slots[$0].attribute is NSDerivedAttributeDescription)
        } ? checkedSlots : nil
    referenceSlots = slots.indices.filter { [slots] in slots[$0].kind == .reference }
    slotsWithDefaults = slots.indices.filter { [slots] in
      if case .null = slots[$0].defaultValue { false } else { true }
    }
    transientSlotsWithDefaults = slotsWithDefaults.filter { [slots] in slots[$0].isTransient }
  }

  deinit {
    names.deallocate()
    shapes.deallocate()
    unreadValues.deallocate()
  }

  private static func initialState(of objectClass: NSManagedObject.Type) -> ObjectState {
    objectClass is any Observable.Type ? .observable : []
  }

  /// The members that key-value coding finds in a class of the entity's objects.
  func members(of objectClass: NSManagedObject.Type) -> ClassMembers {
    if let known = knownMembers.load(ordering: .acquiring) {
      let members = Unmanaged<ClassMembers>.fromOpaque(known).takeUnretainedValue()
      if members.objectClass == ObjectIdentifier(objectClass) { return members }
    }
    let members = ClassMembers.all(of: objectClass)
    knownMembers.store(Unmanaged.passUnretained(members).toOpaque(), ordering: .releasing)
    return members
  }

  /// Returns false when no member of a class of the entity's objects comes before a property of the entity: what is
  /// asked before each value that is read by its name.
  @inline(__always)
  func mayHaveMembersInFront(_ objectClass: NSManagedObject.Type) -> Bool {
    guard let known = knownMembers.load(ordering: .acquiring) else { return true }
    return Unmanaged<ClassMembers>.fromOpaque(known)._withUnsafeGuaranteedRef { members in
      members.hasMembersInFront || members.objectClass != ObjectIdentifier(objectClass)
    }
  }

  @inline(__always) package func offset(_ slot: Int) -> Int { Int(shapes[slot].offset) }
  @inline(__always) func kind(_ slot: Int) -> SlotKind { shapes[slot].kind }
  @inline(__always) func isBoolean(_ slot: Int) -> Bool { shapes[slot].isBoolean }

  @inline(__always)
  @inlinable
  package static func hasValue(_ base: UnsafeMutableRawPointer, slot: Int) -> Bool {
    base.load(fromByteOffset: 8 + (slot >> 6) << 3, as: UInt64.self) & (1 << UInt64(slot & 63)) != 0
  }

  @inline(__always)
  @inlinable
  package static func markValue(_ base: UnsafeMutableRawPointer, slot: Int) {
    let word = (base + 8 + (slot >> 6) << 3).assumingMemoryBound(to: UInt64.self)
    word.pointee |= 1 << UInt64(slot & 63)
  }

  @inline(__always)
  static func markNull(_ base: UnsafeMutableRawPointer, slot: Int) {
    let word = (base + 8 + (slot >> 6) << 3).assumingMemoryBound(to: UInt64.self)
    word.pointee &= ~(1 << UInt64(slot & 63))
  }

  /// Copies the version and all values into a row that has no values yet.
  func copyValues(from source: UnsafeMutableRawPointer, to base: UnsafeMutableRawPointer) {
    base.copyMemory(from: source, byteCount: stride)
    for slot in managedSlots where Self.hasValue(source, slot: slot) {
      let offset = offset(slot)
      switch kind(slot) {
      case .text: Self.copyValue(of: String.self, source: source + offset, place: base + offset)
      case .data: Self.copyValue(of: Data.self, source: source + offset, place: base + offset)
      case .object: Self.copyValue(of: Any.self, source: source + offset, place: base + offset)
      case .integer, .real, .uuid, .decimal, .reference: break
      }
    }
  }

  private static func copyValue<Value>(
    of type: Value.Type,
    source: UnsafeMutableRawPointer,
    place: UnsafeMutableRawPointer
  ) {
    place.initializeMemory(as: type, to: source.load(as: type))
  }

  func destroyValues(at base: UnsafeMutableRawPointer) {
    for slot in managedSlots where Self.hasValue(base, slot: slot) { destroyValue(slot, at: base) }
  }

  func destroyValue(_ slot: Int, at base: UnsafeMutableRawPointer) {
    let place = base + offset(slot)
    switch kind(slot) {
    case .text: place.assumingMemoryBound(to: String.self).deinitialize(count: 1)
    case .data: place.assumingMemoryBound(to: Data.self).deinitialize(count: 1)
    case .object: place.assumingMemoryBound(to: Any.self).deinitialize(count: 1)
    case .integer, .real, .uuid, .decimal, .reference: break
    }
  }

  private static func sort(_ properties: [NSPropertyDescription]) -> ([Slot], [ToMany]) {
    var slots: [Slot] = []
    var toMany: [ToMany] = []
    for property in properties {
      switch property {
      case let attribute as NSAttributeDescription:
        slots.append(
          Slot(
            name: attribute.name,
            kind: SlotKind(attribute.attributeType),
            attribute: attribute,
            relationship: nil,
            isTransient: attribute.isTransient,
            defaultValue: AttributeValue.defaultValue(of: attribute)
          )
        )
      case let relationship as NSRelationshipDescription where relationship.isToMany:
        toMany.append(ToMany(name: relationship.name, relationship: relationship, isOrdered: relationship.isOrdered))
      case let relationship as NSRelationshipDescription:
        slots.append(
          Slot(
            name: relationship.name,
            kind: .reference,
            attribute: nil,
            relationship: relationship,
            isTransient: relationship.isTransient,
            defaultValue: .null
          )
        )
      default: break
      }
    }
    return (slots, toMany)
  }
}

extension SlotKind {
  init(_ type: NSAttributeType) {
    self =
      switch type.storage {
      case .integer, .boolean: .integer
      case .real, .date: .real
      case .decimal: .decimal
      case .text: .text
      case .data: .data
      case .uuid: .uuid
      case .uri, .transformable, .composite, .none: .object
      }
  }
}
