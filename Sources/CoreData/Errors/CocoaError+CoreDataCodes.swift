public import Foundation

// Apple names the codes on `CocoaError` too, so that `CocoaError.persistentStoreOpen` reads well in a `catch`.
extension CocoaError {
  /// A value broke a rule of the model and no more exact code fits.
  public static var managedObjectValidation: CocoaError.Code { .managedObjectValidation }

  /// Several values broke rules; the single errors are under `NSDetailedErrorsKey`.
  public static var validationMultipleErrors: CocoaError.Code { .validationMultipleErrors }

  /// A value that is not optional is missing.
  public static var validationMissingMandatoryProperty: CocoaError.Code { .validationMissingMandatoryProperty }

  /// A to-many relationship has fewer destinations than its `minCount`.
  public static var validationRelationshipLacksMinimumCount: CocoaError.Code {
    .validationRelationshipLacksMinimumCount
  }

  /// A to-many relationship has more destinations than its `maxCount`.
  public static var validationRelationshipExceedsMaximumCount: CocoaError.Code {
    .validationRelationshipExceedsMaximumCount
  }

  /// A relationship with the deny rule still has destinations, so its object cannot be deleted.
  public static var validationRelationshipDeniedDelete: CocoaError.Code { .validationRelationshipDeniedDelete }

  /// A number is above the largest the model allows.
  public static var validationNumberTooLarge: CocoaError.Code { .validationNumberTooLarge }

  /// A number is below the smallest the model allows.
  public static var validationNumberTooSmall: CocoaError.Code { .validationNumberTooSmall }

  /// A date is after the latest the model allows.
  public static var validationDateTooLate: CocoaError.Code { .validationDateTooLate }

  /// A date is before the earliest the model allows.
  public static var validationDateTooSoon: CocoaError.Code { .validationDateTooSoon }

  /// A value is not a date.
  public static var validationInvalidDate: CocoaError.Code { .validationInvalidDate }

  /// A string is longer than the model allows.
  public static var validationStringTooLong: CocoaError.Code { .validationStringTooLong }

  /// A string is shorter than the model allows.
  public static var validationStringTooShort: CocoaError.Code { .validationStringTooShort }

  /// A string does not match the model's regular expression.
  public static var validationStringPatternMatching: CocoaError.Code { .validationStringPatternMatching }

  /// A lock of a context could not be taken.
  public static var managedObjectContextLocking: CocoaError.Code { .managedObjectContextLocking }

  /// A lock of a coordinator could not be taken.
  public static var persistentStoreCoordinatorLocking: CocoaError.Code { .persistentStoreCoordinatorLocking }

  /// A fault refers to an object that is not in its store (any more).
  public static var managedObjectReferentialIntegrity: CocoaError.Code { .managedObjectReferentialIntegrity }

  /// An object refers to an object of another store.
  public static var managedObjectExternalRelationship: CocoaError.Code { .managedObjectExternalRelationship }

  /// The changes of a context could not be merged with the store.
  public static var managedObjectMerge: CocoaError.Code { .managedObjectMerge }

  /// Objects that break a uniqueness constraint could not be merged.
  public static var managedObjectConstraintMerge: CocoaError.Code { .managedObjectConstraintMerge }

  /// A store type is not registered.
  public static var persistentStoreInvalidType: CocoaError.Code { .persistentStoreInvalidType }

  /// A file holds a store of another type.
  public static var persistentStoreTypeMismatch: CocoaError.Code { .persistentStoreTypeMismatch }

  /// A store's own format does not fit the model.
  public static var persistentStoreIncompatibleSchema: CocoaError.Code { .persistentStoreIncompatibleSchema }

  /// A store could not be saved.
  public static var persistentStoreSave: CocoaError.Code { .persistentStoreSave }

  /// Only some of the stores could be saved.
  public static var persistentStoreIncompleteSave: CocoaError.Code { .persistentStoreIncompleteSave }

  /// The merge policy did not resolve every conflict; they are under `NSPersistentStoreSaveConflictsErrorKey`.
  public static var persistentStoreSaveConflicts: CocoaError.Code { .persistentStoreSaveConflicts }

  /// A failure that no other code describes.
  public static var coreData: CocoaError.Code { .coreData }

  /// An operation of a store failed.
  public static var persistentStoreOperation: CocoaError.Code { .persistentStoreOperation }

  /// A store could not be opened.
  public static var persistentStoreOpen: CocoaError.Code { .persistentStoreOpen }

  /// A store did not answer in the time allowed.
  public static var persistentStoreTimeout: CocoaError.Code { .persistentStoreTimeout }

  /// A store does not know this kind of request.
  public static var persistentStoreUnsupportedRequestType: CocoaError.Code { .persistentStoreUnsupportedRequestType }

  /// A store was made with another model.
  public static var persistentStoreIncompatibleVersionHash: CocoaError.Code { .persistentStoreIncompatibleVersionHash }

  /// A migration failed.
  public static var migration: CocoaError.Code { .migration }

  /// A migration was cancelled.
  public static var migrationCancelled: CocoaError.Code { .migrationCancelled }

  /// The model that a store was made with could not be found.
  public static var migrationMissingSourceModel: CocoaError.Code { .migrationMissingSourceModel }

  /// A mapping model between two models could not be found.
  public static var migrationMissingMappingModel: CocoaError.Code { .migrationMissingMappingModel }

  /// The store to migrate from could not be used.
  public static var migrationManagerSourceStore: CocoaError.Code { .migrationManagerSourceStore }

  /// The store to migrate to could not be used.
  public static var migrationManagerDestinationStore: CocoaError.Code { .migrationManagerDestinationStore }

  /// A migration policy of an entity failed.
  public static var entityMigrationPolicy: CocoaError.Code { .entityMigrationPolicy }

  /// SQLite reported an error; its code is in the user info under `NSSQLiteErrorDomain`.
  public static var sqlite: CocoaError.Code { .sqlite }

  /// No mapping model could be inferred between two models.
  public static var inferredMappingModel: CocoaError.Code { .inferredMappingModel }

  /// External records could not be imported.
  public static var externalRecordImport: CocoaError.Code { .externalRecordImport }
}
