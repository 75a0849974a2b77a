public import Foundation

/// A relationship: a property that holds other managed objects.
///
/// A bed has many plants, which go when it goes, and each plant is in one bed:
///
/// ```swift
/// let (bed, plant) = (NSEntityDescription(), NSEntityDescription())
/// let (plants, place) = (NSRelationshipDescription(), NSRelationshipDescription())
/// plants.name = "plants"
/// plants.destinationEntity = plant
/// plants.deleteRule = .cascadeDeleteRule
/// place.name = "bed"
/// place.destinationEntity = bed
/// place.maxCount = 1
/// plants.inverseRelationship = place
/// bed.properties = [plants]
/// plant.properties = [place]
/// ```
// Mutable until its model is in use, by the one thread that makes it; immutable from then on (requireMutable).
open class NSRelationshipDescription: NSPropertyDescription, WeakHandleOwner, @unchecked Sendable {
  /// Makes a relationship without an inverse.
  convenience init(name: String, to destination: NSEntityDescription, maxCount: Int) {
    self.init()
    self.name = name
    destinationEntity = destination
    self.maxCount = maxCount
  }

  /// The entity of the objects that the relationship leads to.
  ///
  /// The model owns its entities; a relationship does not keep its destination alive. A copy of a
  /// relationship whose destination is gone leads to the entity of that name in its own model.
  open var destinationEntity: NSEntityDescription? {
    get { destination ?? $destination.formerName.flatMap { owner?.model?.entitiesByName[$0] } }
    set {
      requireMutable("destinationEntity")
      destination = newValue
    }
  }

  /// The relationship that leads back, which Core Data keeps in step with this one.
  ///
  /// Setting it also sets the other side's inverse when that has none. The entities own their
  /// relationships; a relationship does not keep its inverse alive. A copy of a relationship whose
  /// inverse is gone has the destination's relationship of that name as its inverse.
  open var inverseRelationship: NSRelationshipDescription? {
    get { inverse ?? $inverse.formerName.flatMap { destinationEntity?.relationshipsByName[$0] } }
    set {
      requireMutable("inverseRelationship")
      inverse = newValue
      if let newValue, newValue.inverseRelationship == nil, !newValue.isFrozen { newValue.inverse = self }
    }
  }

  /// The largest number of destinations: 1 makes a to-one relationship, 0 (the default) means no
  /// limit. A save checks it, whichever side of the relationship was changed.
  open var maxCount = 0 { willSet { requireMutable("maxCount") } }

  /// The smallest number of destinations; 0 unless set. It is not enforced on an optional
  /// relationship without destinations.
  open var minCount = 0 { willSet { requireMutable("minCount") } }

  /// The rule for the destinations when an object is deleted; `nullifyDeleteRule` unless set.
  open var deleteRule = NSDeleteRule.nullifyDeleteRule { willSet { requireMutable("deleteRule") } }

  /// A Boolean value that is true when the destinations of a to-many relationship have an order, an `NSOrderedSet`.
  open var isOrdered = false { willSet { requireMutable("isOrdered") } }

  /// A Boolean value that is true when the relationship can have many destinations: `maxCount` is not 1.
  open var isToMany: Bool { maxCount != 1 }

  /// A copy with the same destination and inverse that belongs to no entity.
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSRelationshipDescription()
    copyState(to: copy)
    copy.$destination = $destination
    copy.$inverse = $inverse
    copy.maxCount = maxCount
    copy.minCount = minCount
    copy.deleteRule = deleteRule
    copy.isOrdered = isOrdered
    return copy
  }

  @WeakHandleReference final var destination: NSEntityDescription?
  @WeakHandleReference final var inverse: NSRelationshipDescription?
  final let weakHandle = WeakHandle()

  deinit { weakHandle.letGo(name: name) }

  /// The name of the destination, also where the destination is gone.
  final var destinationName: String? {
    if let destination { destination.name } else { $destination.formerName }
  }

  /// The name of the inverse, also where the inverse is gone and the destination is not known yet.
  final var inverseName: String? {
    if let inverse { return inverse.name }
    guard let name = $inverse.formerName else { return nil }
    return destinationEntity == nil ? name : inverseRelationship?.name
  }

  /// `destinationEntity` of a model in use, without the cost of a weak reference; valid as long as
  /// the model lives, which every coordinator and context made with it sees to.
  unowned(unsafe) final var frozenDestination: NSEntityDescription?
  /// `inverseRelationship` of a model in use, likewise.
  unowned(unsafe) final var frozenInverse: NSRelationshipDescription?

  open override var description: String { describe() }
}

/// The rule for the destinations of a relationship when an object is deleted.
public enum NSDeleteRule: UInt, Sendable {
  /// The destinations are not changed, and may go on referring to the deleted object.
  case noActionDeleteRule = 0
  /// The inverse relationship of each destination no longer refers to the deleted object.
  case nullifyDeleteRule = 1
  /// The destinations are deleted too.
  case cascadeDeleteRule = 2
  /// The object cannot be deleted while there are destinations.
  case denyDeleteRule = 3
}
