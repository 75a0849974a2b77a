public import Foundation
import ModelFormats
public import Predicates

/// An attribute: a property that holds one value.
///
/// ```swift
/// let height = NSAttributeDescription()
/// height.name = "height"
/// height.attributeType = .doubleAttributeType
/// height.isOptional = false
/// height.defaultValue = 0.1
/// ```
// Mutable until its model is in use, by the one thread that makes it; immutable from then on (requireMutable).
open class NSAttributeDescription: NSPropertyDescription, @unchecked Sendable {
  /// Makes an attribute that has one name and type, and defaults otherwise.
  convenience init(name: String, type: NSAttributeType) {
    self.init()
    self.name = name
    attributeType = type
  }

  /// The type of the values; `undefinedAttributeType` unless set.
  @exclusivity(unchecked) open var attributeType = NSAttributeType.undefinedAttributeType {
    willSet { requireMutable("attributeType") }
  }

  /// The name of the class of the values: Apple's class for the type (`NSString`, `NSNumber`, …),
  /// or what was set, which matters for transformable attributes only.
  open var attributeValueClassName: String? {
    get { explicitValueClassName ?? AttributeKind(attributeType).valueClass }
    set {
      requireMutable("attributeValueClassName")
      explicitValueClassName = newValue
    }
  }

  /// The value of new objects.
  ///
  /// Numbers and truth values come back as `NSNumber`, decimals as `NSDecimalNumber`, as on Apple's
  /// platforms, so that casting them to any Swift number works.
  open var defaultValue: Any? {
    get { boxedDefaultValue }
    set {
      requireMutable("defaultValue")
      boxedDefaultValue = newValue.map(NumberBoxing.box)
    }
  }

  /// The registered name of the transformer of a transformable attribute's values.
  ///
  /// ```swift
  /// let name = NSValueTransformerName("PathTransformer")
  /// ValueTransformer.setValueTransformer(PathTransformer(), forName: name)
  ///
  /// let path = NSAttributeDescription()
  /// path.name = "path"
  /// path.attributeType = .transformableAttributeType
  /// path.valueTransformerName = name.rawValue
  /// ```
  open var valueTransformerName: String? { willSet { requireMutable("valueTransformerName") } }

  /// A Boolean value that is true when a store may keep large values in files of their own.
  ///
  /// ```swift
  /// let photo = NSAttributeDescription()
  /// photo.name = "photo"
  /// photo.attributeType = .binaryDataAttributeType
  /// photo.allowsExternalBinaryDataStorage = true
  /// ```
  open var allowsExternalBinaryDataStorage = false { willSet { requireMutable("allowsExternalBinaryDataStorage") } }

  /// A Boolean value that is true when the persistent history keeps the value when the object is deleted.
  open var preservesValueInHistoryOnDeletion = false { willSet { requireMutable("preservesValueInHistoryOnDeletion") } }

  /// A Boolean value that is true when the value is encrypted in CloudKit on Apple's platforms. It
  /// has no effect elsewhere, and is kept so that a model passes through unchanged.
  open var allowsCloudEncryption = false { willSet { requireMutable("allowsCloudEncryption") } }

  open override func setValidationPredicates(
    _ validationPredicates: [NSPredicate]?,
    withValidationWarnings validationWarnings: [String]?
  ) {
    super.setValidationPredicates(validationPredicates, withValidationWarnings: validationWarnings)
    bounds = AttributeBounds()
  }

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSAttributeDescription()
    copyAttributeState(to: copy)
    return copy
  }

  final var explicitValueClassName: String?
  final var boxedDefaultValue: Any?
  /// The predicates in `validationPredicates` that come from the bounds of a model file.
  final var bounds = AttributeBounds()

  open override var description: String { describeAttribute() }
}

extension NSAttributeDescription {
  /// Copies what all attributes have; the `copy(with:)` of each class of attributes calls it.
  final func copyAttributeState(to copy: NSAttributeDescription) {
    copyState(to: copy)
    copy.attributeType = attributeType
    copy.explicitValueClassName = explicitValueClassName
    copy.boxedDefaultValue = boxedDefaultValue
    copy.bounds = bounds
    copy.valueTransformerName = valueTransformerName
    copy.allowsExternalBinaryDataStorage = allowsExternalBinaryDataStorage
    copy.preservesValueInHistoryOnDeletion = preservesValueInHistoryOnDeletion
    copy.allowsCloudEncryption = allowsCloudEncryption
  }
}

/// Turns Swift's numbers into `NSNumber`, as Apple's platforms do when one becomes an `Any` object.
///
/// Here a boxed `Int64` is no `Int`, while an `NSNumber` casts to every type of number that can hold it.
enum NumberBoxing {
  /// A number as `NSNumber`, a `Decimal` as `NSDecimalNumber`, any other value unchanged.
  static func box(_ value: Any) -> Any { (value as? NSNumber) ?? value }
}

/// An attribute whose value a store computes from other properties when it saves.
///
/// ```swift
/// let searchName = NSDerivedAttributeDescription()
/// searchName.name = "searchName"
/// searchName.attributeType = .stringAttributeType
/// searchName.derivationExpression = NSExpression(format: "canonical:(name)")
/// ```
// Mutable until its model is in use, by the one thread that makes it; immutable from then on (requireMutable).
open class NSDerivedAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// The expression by which the value is computed. Apple's documentation of NSDerivedAttributeDescription knows the
  /// forms `name`, `destination.name`, `canonical:(name)`, `uppercase:(name)`, `lowercase:(name)`,
  /// `relationship.@count`, `relationship.attribute.@sum` and `now()`.
  open var derivationExpression: Predicates.NSExpression? { willSet { requireMutable("derivationExpression") } }

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

/// An attribute that consists of other attributes, which may be composites themselves.
///
/// ```swift
/// let place = NSCompositeAttributeDescription()
/// place.name = "place"
/// place.elements = ["row", "column"].map { name in
///   let number = NSAttributeDescription()
///   number.name = name
///   number.attributeType = .integer32AttributeType
///   return number
/// }
/// ```
// Mutable until its model is in use, by the one thread that makes it; immutable from then on (requireMutable).
open class NSCompositeAttributeDescription: NSAttributeDescription, @unchecked Sendable {
  /// Makes a composite without elements.
  public override init() {
    super.init()
    attributeType = .compositeAttributeType
  }

  /// The attributes of the composite.
  open var elements: [NSAttributeDescription] = [] { willSet { requireMutable("elements") } }

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
