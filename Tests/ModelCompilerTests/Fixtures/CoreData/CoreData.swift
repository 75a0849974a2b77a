@_exported public import Foundation

/// Stands in for CoreData, so that symbols can be tested without it: values are kept in a dictionary.
open class NSManagedObject: NSObject {
  private var values: [String: Any] = [:]

  public override init() {}

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
