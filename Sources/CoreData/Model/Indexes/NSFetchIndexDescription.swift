public import Foundation

/// An index that a store should build for an entity.
// Mutable until its model is in use, by the one thread that makes it; immutable from then on
// (requireMutable).
open class NSFetchIndexDescription: NSObject, NSCopying, @unchecked Sendable {
  /// Makes an index over some properties, the most significant first.
  public init(name: String, elements: [NSFetchIndexElementDescription]?) {
    self.name = name
    self.elements = elements ?? []
    super.init()
    adoptElements()
  }

  /// The name, unique among the entity's indexes.
  open var name: String {
    willSet { requireMutable("name") }
  }

  /// The properties and how they are sorted, the most significant first.
  open var elements: [NSFetchIndexElementDescription] {
    willSet { requireMutable("elements") }
    didSet { adoptElements() }
  }

  /// The entity that the index belongs to.
  open var entity: NSEntityDescription? { owner }

  /// The condition that limits the index to some of the objects.
  open var partialIndexPredicate: NSPredicate? {
    willSet { requireMutable("partialIndexPredicate") }
  }

  /// A copy that belongs to no entity.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchIndexDescription(
      name: name,
      elements: elements.compactMap { $0.copy() as? NSFetchIndexElementDescription }
    )
    copy.partialIndexPredicate = partialIndexPredicate
    return copy
  }

  final weak var owner: NSEntityDescription?
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

  private func adoptElements() {
    for element in elements {
      element.owner = self
    }
  }

  open override var description: String { describe() }
}
