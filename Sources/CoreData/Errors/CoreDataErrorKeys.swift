public import Foundation

// The values of the constants are the keys that errors of Apple's framework print in their user info.

/// The key of the single errors (`[NSError]`) in an error with the code `NSValidationMultipleErrorsError`.
public let NSDetailedErrorsKey = "NSDetailedErrors"

/// The key of the managed object that failed to validate.
public let NSValidationObjectErrorKey = "NSValidationErrorObject"

/// The key of the name (`String`) of the property that failed to validate.
public let NSValidationKeyErrorKey = "NSValidationErrorKey"

/// The key of the predicate (`NSPredicate`) that a value failed to fulfil.
public let NSValidationPredicateErrorKey = "NSValidationErrorPredicate"

/// The key of the value that failed to validate.
public let NSValidationValueErrorKey = "NSValidationErrorValue"

/// The key of the stores that an error is about, as an array.
public let NSAffectedStoresErrorKey = "NSAffectedStoresErrorKey"

/// The key of the managed objects that an error is about, as an array.
public let NSAffectedObjectsErrorKey = "NSAffectedObjectsErrorKey"

/// The key of the conflicts (`[NSMergeConflict]`) that kept a context from being saved.
public let NSPersistentStoreSaveConflictsErrorKey = "conflictList"

/// The domain of SQLite's own result codes, and the key under which an error of
/// `NSCocoaErrorDomain` carries one (`Int`).
public let NSSQLiteErrorDomain = "NSSQLiteErrorDomain"

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
