/// The list of the members that key-value coding finds by name in a module's classes of managed
/// objects, in addition to the properties of their entities.
///
/// On Apple's platforms the Objective-C runtime has this list; elsewhere the plugin writes one for
/// each target with such classes. It makes computed properties available to `value(forKey:)`, to
/// predicates in memory and to the sections of fetched results, and has custom accessors and
/// methods named `validate<Key>` called. Without the plugin, declare a class of this name:
///
/// ```swift
/// final class _ManagedObjectKeyedMembers: KeyedMembers {
///   override class func declare(in list: KeyedMemberList) {
///     list.add("isSigned", reading: \Note.isSigned)
///     list.addValidation("Title") { (note: Note) in note.validateTitle }
///   }
/// }
/// ```
open class KeyedMembers {
  /// Adds the members of the module's classes to a list. It may be called more than once, on any
  /// thread, and while a model is laid out: it must not use models, contexts or objects.
  open class func declare(in list: KeyedMemberList) {}
}

/// Takes the members that a module declares, each with its class.
public final class KeyedMemberList {
  private(set) var classes: [ObjectIdentifier: ClassMembers] = [:]

  init() {}

  /// Adds a property that can be set.
  ///
  /// - Parameters:
  ///   - key: the name by which it is found.
  ///   - property: the property itself.
  ///   - isShown: true when it is found before a property of the entity that has the same name, as
  ///     a custom accessor is. Others are found by keys alone that the entity does not have.
  public func add<Object: NSManagedObject, Value>(
    _ key: String,
    _ property: ReferenceWritableKeyPath<Object, Value>,
    isShown: Bool = true
  ) {
    let member = ClassMembers.Member(
      isShown: isShown,
      read: { KeyedValue.object(of: ($0 as! Object)[keyPath: property]) },
      write: { object, value in
        guard let value: Value = KeyedValue.typed(value) else { return false }
        (object as! Object)[keyPath: property] = value
        return true
      },
      acceptsNil: KeyedValue.hasNil(Value.self)
    )
    add(key, member: member, objectClass: Object.self)
    members(of: Object.self).keys[property] = key
  }

  /// Adds a property that can be read alone.
  public func add<Object: NSManagedObject, Value>(
    _ key: String,
    reading property: KeyPath<Object, Value>,
    isShown: Bool = true
  ) {
    let member = ClassMembers.Member(
      isShown: isShown,
      read: { KeyedValue.object(of: ($0 as! Object)[keyPath: property]) }
    )
    add(key, member: member, objectClass: Object.self)
    members(of: Object.self).keys[property] = key
  }

  /// Adds a method without parameters that returns a value.
  public func add<Object: NSManagedObject, Value>(_ key: String, calling method: @escaping (Object) -> Value) {
    let member = ClassMembers.Member(isShown: true) { KeyedValue.object(of: method($0 as! Object)) }
    add(key, member: member, objectClass: Object.self)
  }

  /// Adds a method that checks values of one key: `validate<Key>(_:)`.
  ///
  /// - Parameters:
  ///   - capitalizedKey: the key with a capital, as the method's name has it.
  ///   - method: gives the method of an object, as a function that takes the pointer to the value.
  public func addValidation<Object: NSManagedObject>(
    _ capitalizedKey: String,
    _ method: @escaping (Object) -> (AutoreleasingUnsafeMutablePointer<AnyObject?>) throws -> Void
  ) {
    members(of: Object.self).validations[capitalizedKey] = { try method($0 as! Object)($1) }
  }

  /// Adds a method that returns the key paths on which the value of a key depends: `keyPathsForValuesAffecting<Key>()`.
  ///
  /// - Parameters:
  ///   - capitalizedKey: the key with a capital, as the method's name has it.
  ///   - objectClass: the class that declares the method.
  ///   - method: calls the method, which is one of the class.
  public func addKeyPaths(
    _ capitalizedKey: String,
    of objectClass: NSManagedObject.Type,
    _ method: @escaping () -> Set<String>
  ) {
    members(of: objectClass).affectingKeyPaths[capitalizedKey] = method
  }

  /// Adds a property of the entity whose type has no `nil`: key-value coding calls
  /// `setNilValueForKey(_:)` instead of setting it to nil.
  public func addScalar(_ key: String, of objectClass: NSManagedObject.Type) {
    members(of: objectClass).scalars.insert(key)
  }

  /// Gives the key paths of a property its name, which Swift does not keep: sort descriptors,
  /// predicates and prefetching ask for it.
  ///
  /// - Parameters:
  ///   - key: the name of the property.
  ///   - property: the property, with exactly the class whose key paths are meant as its root: a
  ///     class that inherits the property has key paths of its own.
  public func addName<Object: NSManagedObject, Value>(_ key: String, of property: KeyPath<Object, Value>) {
    members(of: Object.self).keys[property] = key
  }

  /// Tells what cannot be asked of a class at run time.
  ///
  /// - Parameters:
  ///   - objectClass: the class.
  ///   - checksValues: whether the class itself overrides `validateValue(_:forKey:)`. Saves call it only then.
  ///   - initializer: calls the class's `init(entity:insertInto:)`. It is omitted if the class or
  ///     one that it inherits from declares a designated initialiser, whose code would see the
  ///     value that the framework passes instead of the entity.
  public func addClass<Object: NSManagedObject>(
    _ objectClass: Object.Type,
    checksValues: Bool,
    _ initializer: ((NSEntityDescription, NSManagedObjectContext?) -> Object)? = nil
  ) {
    let members = members(of: objectClass)
    members.checksValues = checksValues
    if let initializer { members.initializer = { initializer($0, $1) } }
  }

  private func add(_ key: String, member: ClassMembers.Member, objectClass: NSManagedObject.Type) {
    members(of: objectClass).members[key] = member
  }

  private func members(of objectClass: NSManagedObject.Type) -> ClassMembers {
    if let known = classes[ObjectIdentifier(objectClass)] { return known }
    let new = ClassMembers(objectClass)
    classes[ObjectIdentifier(objectClass)] = new
    return new
  }
}
