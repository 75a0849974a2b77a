public import Foundation

extension CocoaError {
  /// The managed object that failed to validate.
  public var validationObject: Any? { userInfo[NSValidationObjectErrorKey] }

  /// The name of the property that failed to validate.
  public var validationKey: String? { userInfo[NSValidationKeyErrorKey] as? String }

  /// The predicate that a value failed to fulfil.
  public var validationPredicate: NSPredicate? { userInfo[NSValidationPredicateErrorKey] as? NSPredicate }

  /// The value that failed to validate.
  public var validationValue: Any? { userInfo[NSValidationValueErrorKey] }

  /// The stores that the error is about.
  public var affectedStores: [AnyObject]? { userInfo[NSAffectedStoresErrorKey] as? [AnyObject] }

  /// The managed objects that the error is about.
  public var affectedObjects: [AnyObject]? { userInfo[NSAffectedObjectsErrorKey] as? [AnyObject] }
}
