/// A member of a class that key-value coding finds by name. On Apple's platforms, the Objective-C runtime sees it.
struct KeyedMember {
  enum Kind: Equatable {
    case property(isSettable: Bool)
    /// A method without parameters that returns a value.
    case method
    /// A validation method: `validate<Key>(_:)`.
    case validation
    /// A method for dependent keys: `keyPathsForValuesAffecting<Key>()`.
    case affectingKeyPaths
    /// A property with `@NSManaged` whose type is not optional.
    case scalar
    /// A property that key-value coding does not find in the class. Only its key paths need its name.
    case named
  }

  var kind: Kind
  /// The name in Swift.
  var name: String
  /// The name by which key-value coding finds the member: that of `@objc(…)`, if there is one. For methods
  /// that are named after a key, that key with a capital.
  var key: String
  /// True when an attribute shows the member to the Objective-C runtime, so that it has priority over the model's property.
  var isShown: Bool
  var conditions: [String]
  var isDeprecated: Bool

  /// True when key paths can refer to it.
  var isProperty: Bool {
    switch kind {
    case .property, .named: true
    case .method, .validation, .affectingKeyPaths, .scalar: false
    }
  }
}

extension KeyedMember {
  /// Makes a member of a property that the build generates from a model.
  init(named name: String, conditions: [String]) {
    self.init(kind: .named, name: name, key: name, isShown: true, conditions: conditions, isDeprecated: false)
  }
}
