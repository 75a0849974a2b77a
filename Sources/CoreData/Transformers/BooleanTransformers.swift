import Foundation

/// `NSNegateBoolean`: the opposite of a Boolean.
final class NegateBooleanTransformer: ValueTransformer {
  override class func transformedValueClass() -> AnyClass { NSNumber.self }

  override func transformedValue(_ value: Any?) -> Any? { NSNumber(value: !((value as? Bool) ?? false)) }
}

/// `NSIsNil` and `NSIsNotNil`: true when there is no value, and when there is one.
final class IsNilTransformer: ValueTransformer {
  private let isInverted: Bool

  init(isInverted: Bool) {
    self.isInverted = isInverted
    super.init()
  }

  override class func transformedValueClass() -> AnyClass { NSNumber.self }

  override class func allowsReverseTransformation() -> Bool { false }

  override func transformedValue(_ value: Any?) -> Any? {
    NSNumber(value: (value == nil || value is NSNull) != isInverted)
  }
}
