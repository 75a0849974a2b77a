/// A member of a class that key-value coding finds by its name: what the Objective-C runtime sees
/// on Apple's platforms.
struct KeyedMember {
  enum Kind: Equatable {
    case property(isSettable: Bool)
    /// A method without parameters that returns a value.
    case method
    /// `validate<Key>(_:)`.
    case validation
    /// `keyPathsForValuesAffecting<Key>()`.
    case affectingKeyPaths
    /// A property with `@NSManaged` of a type that has no `nil`.
    case scalar
    /// A property that key-value coding does not find in the class: its key paths have its name.
    case named
  }

  var kind: Kind
  /// The name in Swift.
  var name: String
  /// The name by which it is found: that of `@objc(…)`, if there is one. For methods that are named
  /// after a key, that key with a capital.
  var key: String
  /// True when an attribute shows it to the Objective-C runtime, so that it comes before a property
  /// of the model.
  var isShown: Bool
  var conditions: [String]
  var isDeprecated: Bool

  /// True when key paths lead to it.
  var isProperty: Bool {
    switch kind {
    case .property, .named: true
    case .method, .validation, .affectingKeyPaths, .scalar: false
    }
  }
}

extension KeyedMember {
  /// A property that is generated from a model.
  init(named name: String, conditions: [String]) {
    self.init(kind: .named, name: name, key: name, isShown: true, conditions: conditions, isDeprecated: false)
  }
}
