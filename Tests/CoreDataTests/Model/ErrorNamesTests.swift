import CoreData
import Foundation
import Testing

@Suite("Core Data's errors")
struct ErrorNamesTests {
  @Test("Core Data's errors have Apple's codes, as numbers and as names")
  func codes() {
    #expect(NSManagedObjectValidationError == 1550)
    #expect(NSPersistentStoreIncompatibleVersionHashError == 134_100)
    #expect(CocoaError.Code.validationMissingMandatoryProperty.rawValue == 1570)
    #expect(CocoaError.persistentStoreOpen.rawValue == NSPersistentStoreOpenError)
    #expect(CocoaError.Code.sqlite.rawValue == 134_180)
    #expect(CocoaError.coreData.rawValue == 134_060)
  }

  @Test("Core Data's errors have Apple's keys in their user info")
  func userInfo() {
    let object = NSObject()
    let error = CocoaError(
      .managedObjectValidation,
      userInfo: [
        NSValidationObjectErrorKey: object, NSValidationKeyErrorKey: "name", NSValidationValueErrorKey: 3,
        NSAffectedObjectsErrorKey: [object],
      ]
    )
    #expect(error.validationObject as? NSObject === object)
    #expect(error.validationKey == "name")
    #expect(error.validationValue as? Int == 3)
    #expect(error.affectedObjects?.count == 1)
    #expect(error.affectedStores == nil)
    #expect(NSValidationKeyErrorKey == "NSValidationErrorKey")
  }
}
