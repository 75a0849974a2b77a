import Synchronization

/// The members that key-value coding finds by name in one class, including the inherited ones.
// One thread fills it, and other threads only read it afterwards. The members of a class are never freed.
final class ClassMembers: @unchecked Sendable {
  /// A property or a method.
  struct Member {
    /// True when it comes before a property of the entity.
    var isShown: Bool
    var read: (NSManagedObject) -> Any?
    /// Sets the member, and returns whether the value had its type; `nil` if the member cannot be set.
    var write: ((NSManagedObject, Any?) -> Bool)?
    var acceptsNil = true
  }

  let objectClass: ObjectIdentifier
  var members: [String: Member] = [:]
  /// The names of the properties by their key paths.
  var keys: [AnyKeyPath: String] = [:]
  /// By keys with a capital.
  var validations: [String: (NSManagedObject, AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void] = [:]
  /// By keys with a capital.
  var affectingKeyPaths: [String: () -> Set<String>] = [:]
  /// The properties of the entity whose types have no `nil`.
  var scalars: Set<String> = []
  /// True when the class or one that it inherits from overrides `validateValue(_:forKey:)`. In the
  /// part of one list, the value is `nil` if the list does not declare the class.
  var checksValues: Bool?
  /// Makes an object by `init(entity:insertInto:)`, where no code of the class sees the arguments;
  /// `nil` where that is not known.
  var initializer: Initializer?

  typealias Initializer = (NSEntityDescription, NSManagedObjectContext?) -> NSManagedObject

  /// The members by all keys that find them.
  private(set) var found: [String: Member] = [:]
  /// The members that take precedence over a property of the entity.
  private(set) var inFront: [String: Member] = [:]
  /// True when there are any of these, as a constant that may be read without retaining them.
  private(set) var hasMembersInFront = false

  init(_ objectClass: NSManagedObject.Type) { self.objectClass = ObjectIdentifier(objectClass) }

  /// Finds a member by its name, and by the key in `get<Key>` and `is<Key>`, in the order of
  /// Apple's key-value coding programming guide.
  private func complete() {
    found = members
    for (name, member) in members {
      if let key = Self.key(in: name, after: "is"), members[key] == nil { found[key] = member }
    }
    for (name, member) in members {
      if let key = Self.key(in: name, after: "get") { found[key] = member }
    }
    inFront = found.filter(\.value.isShown)
    hasMembersInFront = !inFront.isEmpty
  }

  private static func key(in name: String, after prefix: String) -> String? {
    let rest = name.dropFirst(prefix.count)
    guard name.hasPrefix(prefix), let first = rest.first, first.isUppercase else { return nil }
    return first.lowercased() + rest.dropFirst()
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
    /// The members that the modules declare, by class.
    var declared: [ObjectIdentifier: [ClassMembers]]
    /// The members of the requested classes, including the inherited ones.
    var complete: [ObjectIdentifier: ClassMembers] = [:]
  }

  private static let known = Mutex<Known?>(nil)

  /// The members of a class and of its superclasses, whose members the class may override.
  static func all(of objectClass: NSManagedObject.Type) -> ClassMembers {
    known.withLock { known in
      var current = known ?? Known(declared: declared())
      defer { known = current }
      if let members = current.complete[ObjectIdentifier(objectClass)] { return members }
      let members = ClassMembers(objectClass)
      let parts = ancestors(of: objectClass).map { current.declared[ObjectIdentifier($0)] ?? [] }
      for part in parts.reversed() { part.forEach(members.add) }
      // The last one is `NSManagedObject` itself.
      let listed = parts.dropLast().map { part in part.lazy.compactMap(\.checksValues).first }
      members.checksValues = ClassFacts.checksValues(objectClass, listed: listed)
      members.initializer =
        parts.count == 1
        ? { NSManagedObject(entity: $0, insertInto: $1) } : parts[0].lazy.compactMap(\.initializer).first
      members.complete()
      current.complete[ObjectIdentifier(objectClass)] = members
      return members
    }
  }

  /// The class itself and its superclasses, up to `NSManagedObject`.
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
