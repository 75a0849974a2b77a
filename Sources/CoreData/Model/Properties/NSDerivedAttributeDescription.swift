public import Foundation
public import Predicates

/// An attribute whose value a store computes from other properties when it saves.
// Mutable until its model is in use, by the one thread that makes it; immutable from then on
// (requireMutable).
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// The expression by which the value is computed. Apple's documentation of
  /// NSDerivedAttributeDescription knows the forms `name`, `destination.name`, `canonical:(name)`,
  /// `uppercase:(name)`, `lowercase:(name)`, `relationship.@count`, `relationship.attribute.@sum`
  /// and `now()`.
  open var derivationExpression: Predicates.NSExpression? {
    willSet { requireMutable("derivationExpression") }
  }

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSDerivedAttributeDescription()
    copyAttributeState(to: copy)
    copy.derivationExpression = derivationExpression
    return copy
  }

  open override var description: String {
    "\(describeAttribute()), derivationExpression \((derivationExpression?.description).orNull)"
  }
}
