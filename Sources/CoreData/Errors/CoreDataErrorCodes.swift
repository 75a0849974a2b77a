// Apple's documentation of CoreDataErrors names the codes; they belong to `NSCocoaErrorDomain`.

/// A value broke a rule of the model and no more exact code fits.
public let NSManagedObjectValidationError: Int = 1550

/// A uniqueness constraint was broken inside the set of changes itself.
public let NSManagedObjectConstraintValidationError: Int = 1551

/// Several values broke rules; the single errors are under `NSDetailedErrorsKey`.
public let NSValidationMultipleErrorsError: Int = 1560

/// A value that is not optional is missing.
public let NSValidationMissingMandatoryPropertyError: Int = 1570

/// A to-many relationship has fewer destinations than its `minCount`.
public let NSValidationRelationshipLacksMinimumCountError: Int = 1580

/// A to-many relationship has more destinations than its `maxCount`.
public let NSValidationRelationshipExceedsMaximumCountError: Int = 1590

/// A relationship with the deny rule still has destinations, so its object cannot be deleted.
public let NSValidationRelationshipDeniedDeleteError: Int = 1600

/// A number is above the largest the model allows.
public let NSValidationNumberTooLargeError: Int = 1610

/// A number is below the smallest the model allows.
public let NSValidationNumberTooSmallError: Int = 1620

/// A date is after the latest the model allows.
public let NSValidationDateTooLateError: Int = 1630

/// A date is before the earliest the model allows.
public let NSValidationDateTooSoonError: Int = 1640

/// A value is not a date.
public let NSValidationInvalidDateError: Int = 1650

/// A string is longer than the model allows.
public let NSValidationStringTooLongError: Int = 1660

/// A string is shorter than the model allows.
public let NSValidationStringTooShortError: Int = 1670

/// A string does not match the model's regular expression.
public let NSValidationStringPatternMatchingError: Int = 1680

/// A value is not a URI.
public let NSValidationInvalidURIError: Int = 1690

/// A lock of a context could not be taken.
public let NSManagedObjectContextLockingError: Int = 132_000

/// A lock of a coordinator could not be taken.
public let NSPersistentStoreCoordinatorLockingError: Int = 132_010

/// A fault refers to an object that is not in its store (any more).
public let NSManagedObjectReferentialIntegrityError: Int = 133_000

/// An object refers to an object of another store.
public let NSManagedObjectExternalRelationshipError: Int = 133_010

/// The changes of a context could not be merged with the store.
public let NSManagedObjectMergeError: Int = 133_020

/// Objects that break a uniqueness constraint could not be merged.
public let NSManagedObjectConstraintMergeError: Int = 133_021

/// A store type is not registered.
public let NSPersistentStoreInvalidTypeError: Int = 134_000

/// A file holds a store of another type.
public let NSPersistentStoreTypeMismatchError: Int = 134_010

/// A store's own format does not fit the model.
public let NSPersistentStoreIncompatibleSchemaError: Int = 134_020

/// A store could not be saved.
public let NSPersistentStoreSaveError: Int = 134_030

/// Only some of the stores could be saved.
public let NSPersistentStoreIncompleteSaveError: Int = 134_040

/// The merge policy did not resolve every conflict; they are under `NSPersistentStoreSaveConflictsErrorKey`.
public let NSPersistentStoreSaveConflictsError: Int = 134_050

/// A failure that no other code describes.
public let NSCoreDataError: Int = 134_060

/// An operation of a store failed.
public let NSPersistentStoreOperationError: Int = 134_070

/// A store could not be opened.
public let NSPersistentStoreOpenError: Int = 134_080

/// A store did not answer in the time allowed.
public let NSPersistentStoreTimeoutError: Int = 134_090

/// A store does not know this kind of request.
public let NSPersistentStoreUnsupportedRequestTypeError: Int = 134_091

/// A store was made with another model.
public let NSPersistentStoreIncompatibleVersionHashError: Int = 134_100

/// A migration failed.
public let NSMigrationError: Int = 134_110

/// A migration failed because a uniqueness constraint of the new model is broken.
public let NSMigrationConstraintViolationError: Int = 134_111

/// A migration was cancelled.
public let NSMigrationCancelledError: Int = 134_120

/// The model that a store was made with could not be found.
public let NSMigrationMissingSourceModelError: Int = 134_130

/// A mapping model between two models could not be found.
public let NSMigrationMissingMappingModelError: Int = 134_140

/// The store to migrate from could not be used.
public let NSMigrationManagerSourceStoreError: Int = 134_150

/// The store to migrate to could not be used.
public let NSMigrationManagerDestinationStoreError: Int = 134_160

/// A migration policy of an entity failed.
public let NSEntityMigrationPolicyError: Int = 134_170

/// SQLite reported an error; its code is in the user info under `NSSQLiteErrorDomain`.
public let NSSQLiteError: Int = 134_180

/// No mapping model could be inferred between two models.
public let NSInferredMappingModelError: Int = 134_190

/// External records could not be imported.
public let NSExternalRecordImportError: Int = 134_200

/// A history token is older than the history that the store still has.
public let NSPersistentHistoryTokenExpiredError: Int = 134_301

/// A reference to a model could not be resolved.
public let NSManagedObjectModelReferenceNotFoundError: Int = 134_504

/// A staged migration was begun by another version of the framework.
public let NSStagedMigrationFrameworkVersionMismatchError: Int = 134_505

/// A staged migration would go back to an older model.
public let NSStagedMigrationBackwardMigrationError: Int = 134_506
