public import Foundation
import Synchronization

/// A property of an entity: the superclass of attributes, relationships and fetched properties.
///
/// A property belongs to at most one entity. It can be changed until its model is used by a
/// persistent store coordinator; changing it later stops the program (Apple raises an exception).
// Mutable until its model is in use, by the one thread that makes it; immutable from then on (requireMutable).
open class NSPropertyDescription: NSObject, NSCopying, @unchecked Sendable {
  /// Makes a property with an empty name that is optional and persistent.
  public override init() { super.init() }

  /// The name, by which values are read and written.
  @exclusivity(unchecked) open var name = "" { willSet { requireMutable("name") } }

  /// A Boolean value that is true when the property may be without a value when an object is saved; `true` unless set.
  open var isOptional = true { willSet { requireMutable("isOptional") } }

  /// A Boolean value that is true when the property is kept in memory only; `false` unless set.
  open var isTransient = false { willSet { requireMutable("isTransient") } }

  /// Words of the model's author about the property, which Core Data itself does not use; empty unless set.
  ///
  /// They may be changed while the model is in use: the predicate of a fetched property can refer
  /// to them as `$FETCHED_PROPERTY.userInfo.key` (Apple's documentation of "Fetched Properties").
  open var userInfo: [AnyHashable: Any]? {
    get { userInfoState.withLock { $0 }.userInfo.value }
    set {
      let userInfo = UncheckedSendable(newValue)
      userInfoState.withLock { $0 = UserInfoState(userInfo: userInfo, changes: $0.changes + 1) }
    }
  }

  private struct UserInfoState: Sendable {
    var userInfo: UncheckedSendable<[AnyHashable: Any]?>
    var changes: Int
  }

  private final let userInfoState = Mutex(UserInfoState(userInfo: UncheckedSendable([:]), changes: 0))

  /// The number of times that the user info was set.
  final var userInfoChanges: Int { userInfoState.withLock { $0.changes } }

  /// A text that goes into the version hash. Changing the text marks a change that the model does
  /// not show, of a file format for example.
  open var versionHashModifier: String? { willSet { requireMutable("versionHashModifier") } }

  /// A Boolean value that is true when a store should index the property.
  ///
  /// Apple deprecates it in favour of `NSEntityDescription.indexes`.
  open var isIndexed = false { willSet { requireMutable("isIndexed") } }

  /// A Boolean value that is true when the property goes into the Spotlight index on Apple's
  /// platforms. It has no effect elsewhere, and is kept so that a model passes through unchanged.
  open var isIndexedBySpotlight = false { willSet { requireMutable("isIndexedBySpotlight") } }

  /// A Boolean value that is true when the property goes into an external record on macOS. It has no effect elsewhere,
  /// and is kept so that a model passes through unchanged; Apple deprecates it.
  open var isStoredInExternalRecord = false { willSet { requireMutable("isStoredInExternalRecord") } }

  /// The name under which a migration looks for the property in an older model: the name it had there.
  ///
  /// It is the property's own name unless set (Apple's documentation of `renamingIdentifier`).
  open var renamingIdentifier: String? {
    get { explicitRenamingIdentifier ?? name }
    set {
      requireMutable("renamingIdentifier")
      explicitRenamingIdentifier = newValue
    }
  }

  /// The entity that declares the property. A subentity that inherits the property shares it.
  ///
  /// Asking for it before the property is in an entity stops the program.
  open var entity: NSEntityDescription {
    guard let owner else {
      fatalError("\(modelPath) has no entity yet; put it into the properties of an NSEntityDescription first.")
    }
    return owner
  }

  /// The conditions that a value has to fulfil when its object is validated.
  open var validationPredicates: [NSPredicate] { predicates }

  /// The warnings that say what is wrong when the predicate at the same index in
  /// `validationPredicates` is not fulfilled: each a text, or an error code as `NSNumber`.
  open var validationWarnings: [Any] { warnings }

  /// Sets the conditions that a value has to fulfil.
  ///
  /// ```swift
  /// height.setValidationPredicates(
  ///   [NSPredicate(format: "SELF > 0 AND SELF < 100")],
  ///   withValidationWarnings: ["a plant is between 0 and 100 metres tall"]
  /// )
  /// ```
  ///
  /// - Parameters:
  ///   - validationPredicates: predicates that are evaluated against the value itself (`SELF`).
  ///   - validationWarnings: for each predicate, the text of its error.
  open func setValidationPredicates(
    _ validationPredicates: [NSPredicate]?,
    withValidationWarnings validationWarnings: [String]?
  ) {
    let predicates = validationPredicates ?? []
    let warnings = validationWarnings ?? []
    guard predicates.count == warnings.count else {
      fatalError(
        """
        \(modelPath): \(predicates.count) validation predicates and \(warnings.count) warnings; \
        each predicate needs one warning.
        """
      )
    }
    requireMutable("validationPredicates")
    self.predicates = predicates
    self.warnings = warnings
  }

  /// A copy that belongs to no entity and can be changed.
  open func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSPropertyDescription()
    copyState(to: copy)
    return copy
  }

  /// The entity that declares the property; the entity owns the property, so this does not own back.
  @WeakHandleReference final var owner: NSEntityDescription?
  final var isFrozen = false
  final var explicitRenamingIdentifier: String?
  final var predicates: [NSPredicate] = []
  final var warnings: [Any] = []

  open override var description: String { describeProperty() }
}

extension NSPropertyDescription {
  /// Copies what all properties have; each class's `copy(with:)` calls it.
  final func copyState(to copy: NSPropertyDescription) {
    copy.name = name
    copy.isOptional = isOptional
    copy.isTransient = isTransient
    copy.userInfo = userInfo
    copy.versionHashModifier = versionHashModifier
    copy.isIndexed = isIndexed
    copy.isIndexedBySpotlight = isIndexedBySpotlight
    copy.isStoredInExternalRecord = isStoredInExternalRecord
    copy.explicitRenamingIdentifier = explicitRenamingIdentifier
    copy.predicates = predicates
    copy.warnings = warnings
  }

  /// Entity and property as messages name them: `City.name`.
  package final var modelPath: String {
    let property = name.isEmpty ? "(property without a name)" : name
    guard let entityName = owner?.name else { return property }
    return "\(entityName).\(property)"
  }

  /// Stops the program when the model is in use.
  final func requireMutable(_ key: String) {
    if isFrozen {
      fatalError(
        """
        \(modelPath): \(key) cannot be set, because the model is in use. \
        Set it before a persistent store coordinator is made with the model, or work on model.copy().
        """
      )
    }
  }
}
