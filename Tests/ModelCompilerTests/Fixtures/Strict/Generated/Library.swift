public import CoreData

// Classes that the build completes from the model, and members that key-value coding finds by name.

public nonisolated class Author: NSManagedObject {}

public nonisolated final class List: NSManagedObject {
  public override class func keyPathsForValuesAffectingValue(forKey key: String) -> Set<String> {
    super.keyPathsForValuesAffectingValue(forKey: key)
  }
}

@available(*, deprecated, message: "nothing is lent by card")
nonisolated final class Card: NSManagedObject {}

nonisolated extension Book {
  var initial: String { String((self as Item).`class`?.prefix(1) ?? "") }
  func validateTitle(_ value: AutoreleasingUnsafeMutablePointer<AnyObject?>) throws {
    if unsafe value.pointee == nil { throw CocoaError(.validationMissingMandatoryProperty) }
  }
  class func keyPathsForValuesAffectingInitial() -> Set<String> { ["class"] }
}
