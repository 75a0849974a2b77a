public import Foundation
public import Predicates

/// An attribute whose value a store computes from other properties when it saves.
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// How the value is computed. Apple's documentation of NSDerivedAttributeDescription knows the forms
  /// `name`, `destination.name`, `canonical:(name)`, `uppercase:(name)`, `lowercase:(name)`,
  /// `relationship.@count`, `relationship.attribute.@sum` and `now()`.
  open var derivationExpression: Predicates.NSExpression? {
    willSet { requireMutable("derivationExpression") }
  }

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSDerivedAttributeDescription()
    copyAttributeState(to: copy)
    copy.derivationExpression = derivationExpression
    return copy
  }
}

extension Predicates.NSExpression {
  /// The expression as model files have it, with the colons of functions: `count:(pages)`. The version hashes that
  /// Apple's framework gave derived attributes are hashes of this text.
  final var modelText: String {
    guard case .function(let name, nil, let arguments) = node, arguments.count < 2 else { return description }
    return name + "(" + arguments.map(\.modelText).joined(separator: ", ") + ")"
  }
}
