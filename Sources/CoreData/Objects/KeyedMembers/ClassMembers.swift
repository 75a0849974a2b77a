import Synchronization

/// What key-value coding finds by name in one class, what it inherits included.
// Filled by one thread, and only read once another can see it.
final class ClassMembers: @unchecked Sendable {
  /// A property or a method.
  struct Member {
    /// Whether it comes before a property of the entity.
    var isShown: Bool
    var read: (NSManagedObject) -> Any?
    /// Sets it, and tells whether the value was of its type; `nil` where it cannot be set.
    var write: ((NSManagedObject, Any?) -> Bool)?
    var takesNil = true
  }

  var members: [String: Member] = [:]
  /// The names of the properties by their key paths.
  var keys: [AnyKeyPath: String] = [:]
  /// By keys with a capital.
  var validations: [String: (NSManagedObject, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void] =
    [:]
  /// By keys with a capital.
  var affectingKeyPaths: [String: () -> Set<String>] = [:]
  /// The properties of the entity whose types have no `nil`.
  var scalars: Set<String> = []

  /// Whether a property of the entity may be meant by one of these members.
  var concernsProperties: Bool { !scalars.isEmpty || members.values.contains(where: \.isShown) }

  /// The member of a key, looked for in the order of Apple's key-value coding programming guide.
  func member(_ key: String) -> Member? {
    if members.isEmpty { return nil }
    let name = Self.capitalized(key)
    return members["get" + name] ?? members[key] ?? members["is" + name]
  }

  static func capitalized(_ key: String) -> String { key.prefix(1).uppercased() + key.dropFirst() }

  private func add(_ other: ClassMembers) {
    members.merge(other.members) { $1 }
    keys.merge(other.keys) { $1 }
    validations.merge(other.validations) { $1 }
    affectingKeyPaths.merge(other.affectingKeyPaths) { $1 }
    scalars.formUnion(other.scalars)
  }

  // MARK: - Of all classes

  private struct Known {
    /// What the modules declare, by class.
    var declared: [ObjectIdentifier: [ClassMembers]]
    /// What was asked for, by class.
    var complete: [ObjectIdentifier: ClassMembers] = [:]
  }

  private static let known = Mutex<Known?>(nil)

  /// The members of a class and of those that it inherits from, which it may replace.
  static func all(of objectClass: NSManagedObject.Type) -> ClassMembers {
    known.withLock { known in
      var current = known ?? Known(declared: declared())
      defer { known = current }
      if let members = current.complete[ObjectIdentifier(objectClass)] { return members }
      let members = ClassMembers()
      for ancestor in ancestors(of: objectClass).reversed() {
        current.declared[ObjectIdentifier(ancestor)]?.forEach(members.add)
      }
      current.complete[ObjectIdentifier(objectClass)] = members
      return members
    }
  }

  /// The class itself, and those that it inherits from, up to `NSManagedObject`.
  private static func ancestors(of objectClass: NSManagedObject.Type) -> [AnyClass] {
    var ancestors: [AnyClass] = []
    var next: AnyClass? = objectClass
    while let current = next {
      ancestors.append(current)
      next = current == NSManagedObject.self ? nil : _getSuperclass(current)
    }
    return ancestors
  }

  private static func declared() -> [ObjectIdentifier: [ClassMembers]] {
    var declared: [ObjectIdentifier: [ClassMembers]] = [:]
    for lists in LoadedClasses.subclasses(of: KeyedMembers.self, named: "_ManagedObjectKeyedMembers") {
      let list = KeyedMemberList()
      lists.declare(in: list)
      for (objectClass, members) in list.classes { declared[objectClass, default: []].append(members) }
    }
    return declared
  }
}
