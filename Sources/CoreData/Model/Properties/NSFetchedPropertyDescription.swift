public import Foundation
public import Predicates

/// A property whose objects are fetched when they are asked for: a relationship by predicate, in
/// one direction, which no store keeps.
///
/// In the predicate `$FETCH_SOURCE` is the object that has the property, and `$FETCHED_PROPERTY` is
/// the property's description (Apple's documentation of "Fetched Properties").
///
/// ```swift
/// let request = NSFetchRequest<any NSFetchRequestResult>(entityName: "Plant")
/// request.predicate = NSPredicate(format: "name == $FETCH_SOURCE.name AND SELF != $FETCH_SOURCE")
/// let namesakes = NSFetchedPropertyDescription()
/// namesakes.name = "namesakes"
/// namesakes.fetchRequest = request
/// ```
// Mutable until its model is in use, by the one thread that makes it; immutable from then on (requireMutable).
open class NSFetchedPropertyDescription: NSPropertyDescription, @unchecked Sendable {
  /// Makes a fetched property, which is always transient.
  public override init() {
    super.init()
    isTransient = true
  }

  /// The request whose objects the property has. In a model from a file it names its entity and
  /// does not hold it, so that the model does not keep itself alive.
  open var fetchRequest: NSFetchRequest<NSFetchRequestResult>? { willSet { requireMutable("fetchRequest") } }

  open override func copy(with zone: NSZone? = nil) -> Any {
    let copy = NSFetchedPropertyDescription()
    copyState(to: copy)
    copy.fetchRequest = fetchRequest?.copy() as? NSFetchRequest<NSFetchRequestResult>
    return copy
  }

  open override var description: String { "\(describeProperty()), fetchRequest \((fetchRequest?.description).orNull)" }
}

/// The keys that predicates can ask `$FETCHED_PROPERTY` for.
extension NSFetchedPropertyDescription: KeyValueCoding {
  /// The name or the user info of the property; `nil` for other keys.
  public final func value(forKey key: String) -> Any? {
    switch key {
    case "name": name
    case "userInfo": userInfo
    default: nil
    }
  }
}
