public import Foundation

extension CocoaError.Code {
  /// A value broke a rule of the model and no more exact code fits.
  public static var managedObjectValidation: CocoaError.Code { .init(rawValue: NSManagedObjectValidationError) }

  /// Several values broke rules; the single errors are under `NSDetailedErrorsKey`.
  public static var validationMultipleErrors: CocoaError.Code { .init(rawValue: NSValidationMultipleErrorsError) }

  /// A value that is not optional is missing.
  public static var validationMissingMandatoryProperty: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationMissingMandatoryPropertyError)
  }

  /// A to-many relationship has fewer destinations than its `minCount`.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationRelationshipLacksMinimumCountError)
  }

  /// A to-many relationship has more destinations than its `maxCount`.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationRelationshipExceedsMaximumCountError)
  }

  /// A relationship with the deny rule still has destinations, so its object cannot be deleted.
  public static var validationRelationshipDeniedDelete: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationRelationshipDeniedDeleteError)
  }

  /// A number is above the largest the model allows.
  public static var validationNumberTooLarge: CocoaError.Code { .init(rawValue: NSValidationNumberTooLargeError) }

  /// A number is below the smallest the model allows.
  public static var validationNumberTooSmall: CocoaError.Code { .init(rawValue: NSValidationNumberTooSmallError) }

  /// A date is after the latest the model allows.
  public static var validationDateTooLate: CocoaError.Code { .init(rawValue: NSValidationDateTooLateError) }

  /// A date is before the earliest the model allows.
  public static var validationDateTooSoon: CocoaError.Code { .init(rawValue: NSValidationDateTooSoonError) }

  /// A value is not a date.
  public static var validationInvalidDate: CocoaError.Code { .init(rawValue: NSValidationInvalidDateError) }

  /// A string is longer than the model allows.
  public static var validationStringTooLong: CocoaError.Code { .init(rawValue: NSValidationStringTooLongError) }

  /// A string is shorter than the model allows.
  public static var validationStringTooShort: CocoaError.Code { .init(rawValue: NSValidationStringTooShortError) }

  /// A string does not match the model's regular expression.
  public static var validationStringPatternMatching: CocoaError.Code {
    CocoaError.Code(rawValue: NSValidationStringPatternMatchingError)
  }

  /// A lock of a context could not be taken.
  public static var managedObjectContextLocking: CocoaError.Code { .init(rawValue: NSManagedObjectContextLockingError) }

  /// A lock of a coordinator could not be taken.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreCoordinatorLockingError)
  }

  /// A fault refers to an object that is not in its store (any more).
  public static var managedObjectReferentialIntegrity: CocoaError.Code {
    CocoaError.Code(rawValue: NSManagedObjectReferentialIntegrityError)
  }

  /// An object refers to an object of another store.
  public static var managedObjectExternalRelationship: CocoaError.Code {
    CocoaError.Code(rawValue: NSManagedObjectExternalRelationshipError)
  }

  /// The changes of a context could not be merged with the store.
  public static var managedObjectMerge: CocoaError.Code { .init(rawValue: NSManagedObjectMergeError) }

  /// Objects that break a uniqueness constraint could not be merged.
  public static var managedObjectConstraintMerge: CocoaError.Code {
    CocoaError.Code(rawValue: NSManagedObjectConstraintMergeError)
  }

  /// A store type is not registered.
  public static var persistentStoreInvalidType: CocoaError.Code { .init(rawValue: NSPersistentStoreInvalidTypeError) }

  /// A file holds a store of another type.
  public static var persistentStoreTypeMismatch: CocoaError.Code { .init(rawValue: NSPersistentStoreTypeMismatchError) }

  /// A store's own format does not fit the model.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreIncompatibleSchemaError)
  }

  /// A store could not be saved.
  public static var persistentStoreSave: CocoaError.Code { .init(rawValue: NSPersistentStoreSaveError) }

  /// Only some of the stores could be saved.
  public static var persistentStoreIncompleteSave: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreIncompleteSaveError)
  }

  /// The merge policy did not resolve every conflict; they are under `NSPersistentStoreSaveConflictsErrorKey`.
  public static var persistentStoreSaveConflicts: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreSaveConflictsError)
  }

  /// A failure that no other code describes.
  public static var coreData: CocoaError.Code { CocoaError.Code(rawValue: NSCoreDataError) }

  /// An operation of a store failed.
  public static var persistentStoreOperation: CocoaError.Code { .init(rawValue: NSPersistentStoreOperationError) }

  /// A store could not be opened.
  public static var persistentStoreOpen: CocoaError.Code { .init(rawValue: NSPersistentStoreOpenError) }

  /// A store did not answer in the time allowed.
  public static var persistentStoreTimeout: CocoaError.Code { .init(rawValue: NSPersistentStoreTimeoutError) }

  /// A store does not know this kind of request.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreUnsupportedRequestTypeError)
  }

  /// A store was made with another model.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code {
    CocoaError.Code(rawValue: NSPersistentStoreIncompatibleVersionHashError)
  }

  /// A migration failed.
  public static var migration: CocoaError.Code { CocoaError.Code(rawValue: NSMigrationError) }

  /// A migration was cancelled.
  public static var migrationCancelled: CocoaError.Code { .init(rawValue: NSMigrationCancelledError) }

  /// The model that a store was made with could not be found.
  public static var migrationMissingSourceModel: CocoaError.Code { .init(rawValue: NSMigrationMissingSourceModelError) }

  /// A mapping model between two models could not be found.
  public static var migrationMissingMappingModel: CocoaError.Code {
    CocoaError.Code(rawValue: NSMigrationMissingMappingModelError)
  }

  /// The store to migrate from could not be used.
  public static var migrationManagerSourceStore: CocoaError.Code { .init(rawValue: NSMigrationManagerSourceStoreError) }

  /// The store to migrate to could not be used.
  public static var migrationManagerDestinationStore: CocoaError.Code {
    CocoaError.Code(rawValue: NSMigrationManagerDestinationStoreError)
  }

  /// A migration policy of an entity failed.
  public static var entityMigrationPolicy: CocoaError.Code { .init(rawValue: NSEntityMigrationPolicyError) }

  /// SQLite reported an error; its code is in the user info under `NSSQLiteErrorDomain`.
  public static var sqlite: CocoaError.Code { CocoaError.Code(rawValue: NSSQLiteError) }

  /// No mapping model could be inferred between two models.
  public static var inferredMappingModel: CocoaError.Code { .init(rawValue: NSInferredMappingModelError) }

  /// External records could not be imported.
  public static var externalRecordImport: CocoaError.Code { .init(rawValue: NSExternalRecordImportError) }
}
