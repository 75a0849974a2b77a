public import Foundation

/// An attribute made of other attributes, which may be composites themselves.
// Mutable until its model is in use, by the one thread that makes it; immutable from then on
// (requireMutable).
open class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// Makes a composite without elements.
  public override init() {
    super.init()
    attributeType = .compositeAttributeType
  }

  /// The attributes it is made of.
  open var elements: [NSAttributeDescription] = [] {
    willSet { requireMutable("elements") }
  }

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSCompositeAttributeDescription()
    copyAttributeState(to: copy)
    copy.compositeName = compositeName
    copy.elements = elements.compactMap { $0.copy() as? NSAttributeDescription }
    return copy
  }

  /// The name under which a model file declares the composite.
  final var compositeName: String?

  open override var description: String {
    "\(describeAttribute()), elements \(DescriptionNode.list(elements.map(\.name)).text())"
  }
}
