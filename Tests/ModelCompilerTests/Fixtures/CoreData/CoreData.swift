@_exported public import Foundation

/// Stands in for CoreData, so that symbols can be tested without it: values are kept in a dictionary.
open class NSManagedObject: NSObject {
  private var values: [String: Any] = [:]

  public override init() {}

  public convenience init(entity: NSEntityDescription, insertInto context: NSManagedObjectContext?) {
    self.init()
  }

  public final func managedValue<Value>(_ key: StaticString) -> Value { values["\(key)"] as! Value }
  public final func setManagedValue<Value>(_ value: Value, _ key: StaticString) { values["\(key)"] = value }

  public final func primitiveManagedValue<Value>(_ key: StaticString) -> Value { managedValue(key) }
  public final func setPrimitiveManagedValue<Value>(_ value: Value, _ key: StaticString) {
    setManagedValue(value, key)
  }

  /// The calls of the accessors of to-many relationships.
  public final var log: [String] = []

  public final func addManagedValue(_: NSManagedObject, _ key: StaticString) { log.append("add \(key)") }
  public final func removeManagedValue(_: NSManagedObject, _ key: StaticString) {
    log.append("remove \(key)")
  }
  public final func addManagedValues(_: some Sequence, _ key: StaticString) { log.append("add all \(key)") }
  public final func removeManagedValues(_: some Sequence, _ key: StaticString) {
    log.append("remove all \(key)")
  }
  public final func intersectManagedValues(_: some Sequence, _ key: StaticString) {
    log.append("intersect \(key)")
  }
  public final func insertManagedValue(_: NSManagedObject, at place: Int, _ key: StaticString) {
    log.append("insert \(place) \(key)")
  }
  public final func insertManagedValues(_: some Sequence, at _: NSIndexSet, _ key: StaticString) {
    log.append("insert all \(key)")
  }
  public final func removeManagedValue(at place: Int, _ key: StaticString) {
    log.append("remove \(place) \(key)")
  }
  public final func removeManagedValues(at _: NSIndexSet, _ key: StaticString) {
    log.append("remove places \(key)")
  }
  public final func replaceManagedValue(at place: Int, with _: NSManagedObject, _ key: StaticString) {
    log.append("replace \(place) \(key)")
  }
  public final func replaceManagedValues(at _: NSIndexSet, with _: some Sequence, _ key: StaticString) {
    log.append("replace all \(key)")
  }
}

public final class NSManagedObjectID: NSObject {}

/// Foundation's, as the names are that the real module declares anew.
public typealias CompoundPredicate = NSCompoundPredicate

/// Takes what key-value coding finds by name, as CoreData does.
open class KeyedMembers {
  open class func declare(in list: KeyedMemberList) {}
}

public final class KeyedMemberList {
  public private(set) var keys: Set<String> = []

  public init() {}

  public func add<Object: NSManagedObject, Value>(
    _ key: String,
    _ property: ReferenceWritableKeyPath<Object, Value>,
    isShown: Bool = true
  ) { keys.insert(key) }

  public func add<Object: NSManagedObject, Value>(
    _ key: String,
    reading property: KeyPath<Object, Value>,
    isShown: Bool = true
  ) { keys.insert(key) }

  public func add<Object: NSManagedObject, Value>(
    _ key: String,
    calling method: @escaping (Object) -> Value
  ) { keys.insert(key) }

  public func addValidation<Object: NSManagedObject>(
    _ capitalizedKey: String,
    _ method: @escaping (Object) -> (UnsafeMutablePointer<AnyObject?>) throws -> Void
  ) { keys.insert("validate" + capitalizedKey) }

  public func addKeyPaths(
    _ capitalizedKey: String,
    of objectClass: NSManagedObject.Type,
    _ method: @escaping () -> Set<String>
  ) { keys.insert("affecting" + capitalizedKey) }

  public func addScalar(_ key: String, of objectClass: NSManagedObject.Type) { keys.insert("scalar " + key) }

  public func addName<Object: NSManagedObject, Value>(_ key: String, of property: KeyPath<Object, Value>) {}

  public func addClass<Object: NSManagedObject>(
    _ objectClass: Object.Type,
    checksValues: Bool,
    _ make: ((NSEntityDescription, NSManagedObjectContext?) -> Object)? = nil
  ) {}
}

public final class NSEntityDescription {}

public final class NSManagedObjectContext {}
