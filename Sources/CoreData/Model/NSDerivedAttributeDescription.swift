public import Foundation

/// An attribute whose value a store computes from other properties when it saves.
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSDerivedAttributeDescription()
    copyAttributeState(to: copy)
    copy.derivationFormat = derivationFormat
    return copy
  }

  /// The expression as a model file writes it: `now()`, `children.@count`, `canonical:(name)`.
  final var derivationFormat: String?
}
