public import Foundation

/// An index that a store should build for an entity.
///
/// ```swift
/// let tallestFirst = NSFetchIndexElementDescription(property: height, collationType: .binary)
/// tallestFirst.isAscending = false
/// plant.indexes = [NSFetchIndexDescription(name: "byHeight", elements: [tallestFirst])]
/// ```
// Mutable until its model is in use, by the one thread that makes it; immutable from then on (requireMutable).
open class NSFetchIndexDescription: NSObject, NSCopying, @unchecked Sendable {
  /// Makes an index over some properties, the most significant first.
  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
    super.init()
    setElementOwners()
  }

  /// The name, unique among the entity's indexes.
  open var name: String { willSet { requireMutable("name") } }

  /// The properties and how they are sorted, the most significant first.
  open var elements: [NSFetchIndexElementDescription] {
    willSet { requireMutable("elements") }
    didSet { setElementOwners() }
  }

  /// The entity that the index belongs to.
  open var entity: NSEntityDescription? { owner }

  /// The condition that limits the index to some of the objects.
  open var partialIndexPredicate: NSPredicate? { willSet { requireMutable("partialIndexPredicate") } }

  /// A copy that belongs to no entity.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchIndexDescription(
      name: name,
      elements: elements.compactMap { $0.copy() as? NSFetchIndexElementDescription }
    )
    copy.partialIndexPredicate = partialIndexPredicate
    return copy
  }

  @WeakHandleReference final var owner: NSEntityDescription?
  final var isFrozen = false

  final func requireMutable(_ key: String) {
    if isFrozen {
      fatalError(
        """
        index \(name) of \(owner?.name ?? "an entity"): \(key) cannot be set, because the model is in use. \
        Set it before a persistent store coordinator is made with the model, or work on model.copy().
        """
      )
    }
  }

  private func setElementOwners() {
    for element in elements { element.owner = self }
  }

  open override var description: String { describe() }
}

/// An element of an index: a property and how it is sorted.
// Mutable until its model is in use, by the one thread that makes it; immutable from then on (requireMutable).
open class NSFetchIndexElementDescription: NSObject, NSCopying, @unchecked Sendable {
  /// Makes an element that sorts a property in ascending order.
  public init(property: NSPropertyDescription, collationType: NSFetchIndexElementType) {
    indexedProperty = property
    indexedPropertyName = property.name
    self.collationType = collationType
    super.init()
  }

  /// An element of a property that is found by its name in the entity, once the index is in one.
  init(propertyName: String, collationType: NSFetchIndexElementType, isAscending: Bool) {
    indexedPropertyName = propertyName
    self.collationType = collationType
    self.isAscending = isAscending
    super.init()
  }

  /// The property that is indexed.
  open var property: NSPropertyDescription? {
    // By name first: in a copy of the model the entity has a copy of the property.
    propertyName.flatMap { owner?.entity?.propertiesByName[$0] } ?? indexedProperty
  }

  /// The name of the property that is indexed.
  open var propertyName: String? { indexedProperty?.name ?? indexedPropertyName }

  /// The way in which a store builds the element.
  open var collationType: NSFetchIndexElementType { willSet { requireMutable("collationType") } }

  /// A Boolean value that is true when smaller values come first; `true` unless set.
  open var isAscending = true { willSet { requireMutable("isAscending") } }

  /// The index that the element is in.
  open var indexDescription: NSFetchIndexDescription? { owner }

  /// A copy that is in no index.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy: NSFetchIndexElementDescription
    if let indexedProperty {
      copy = NSFetchIndexElementDescription(property: indexedProperty, collationType: collationType)
    } else {
      copy = NSFetchIndexElementDescription(
        propertyName: indexedPropertyName ?? "",
        collationType: collationType,
        isAscending: isAscending
      )
    }
    copy.isAscending = isAscending
    return copy
  }

  /// The property the element was made with, which may be an expression that no entity owns.
  final var indexedProperty: NSPropertyDescription?
  final var indexedPropertyName: String?
  final weak var owner: NSFetchIndexDescription?

  private func requireMutable(_ key: String) { owner?.requireMutable(key) }

  open override var description: String { describe() }
}

/// The ways in which a store builds an element of an index.
public enum NSFetchIndexElementType: UInt, Sendable {
  /// A sorted index, as SQLite's usual ones.
  case binary = 0
  /// An index over ranges of numbers, as SQLite's R*Tree module builds it.
  case rTree = 1
}
