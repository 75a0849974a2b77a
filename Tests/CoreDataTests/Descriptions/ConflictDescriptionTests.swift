import CoreData
import Foundation
import TestModels
import Testing

@Suite("Descriptions of conflicts and errors")
struct ConflictDescriptionTests {
  @Test("a conflict of versions prints the object, the versions and the values")
  func versions() throws {
    let stack = try Stack(.sqlite)
    let tag = stack.tag("tttt")
    try stack.save()
    try stack.changeElsewhere(tag) { $0.name = "change 1" }
    tag.name = "change 2"
    let error = try #require(throws: (any Error).self) { try stack.context.save() } as NSError
    let conflicts = try #require(error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])
    #expect(
      masked(conflicts[0]) == """
        NSMergeConflict (0x…) for NSManagedObject (0x…) with objectID '0x… <x-coredata://STORE/Tag/p1>' with \
        oldVersion = 1 and newVersion = 2 and old object snapshot = {
            name = tttt;
        } and new database row = {
            name = "change 1";
        }
        """
    )
    #expect(
      masked(error).hasPrefix(
        "Error Domain=NSCocoaErrorDomain Code=133020 \"1 objects were changed by others"
      )
    )
    #expect(
      masked(error).contains("UserInfo={conflictList=(\n    \"NSMergeConflict (0x…) for NSManagedObject")
    )
  }

  @Test("a conflict with a deleted object prints that")
  func deletions() throws {
    let stack = try Stack(.sqlite)
    let tag = stack.tag("One")
    try stack.save()
    try stack.changeElsewhere(tag) { $0.managedObjectContext?.delete($0) }
    tag.name = "Two"
    let error = try #require(throws: (any Error).self) { try stack.context.save() } as NSError
    let conflicts = try #require(error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSMergeConflict])
    #expect(
      masked(conflicts[0]).contains("with oldVersion = 1 and newVersion = <deleted> and old object snapshot")
    )
  }

  @Test("a conflict of a constraint prints the constraint and the objects")
  func constraints() throws {
    let stack = try Stack.graph(.sqlite)
    for _ in 0..<2 { Country(context: stack.context).code = "DE" }
    let error = try #require(throws: (any Error).self) { try stack.context.save() } as NSError
    let conflicts = try #require(
      error.userInfo[NSPersistentStoreSaveConflictsErrorKey] as? [NSConstraintConflict]
    )
    #expect(
      masked(conflicts[0]) == """
        NSConstraintConflict (0x…) for constraint (
            code
        ): database: (null), conflictedObjects: (
            "0x… <x-coredata:///Country/t…>",
            "0x… <x-coredata:///Country/t…>"
        )
        """
    )
    #expect(error.localizedDescription.contains("Country with code = DE: Country x-coredata"))
  }

  @Test("an error prints its message, and the object in it as the object prints itself")
  func errors() throws {
    let stack = try Stack(.sqlite)
    let note = Note(context: stack.context)
    let error = try #require(throws: (any Error).self) { try stack.context.save() }
    let text = "\(error)"
    #expect(text == "\(error as NSError)")
    #expect(
      masked(text).hasPrefix(
        "Error Domain=NSCocoaErrorDomain Code=1570 \"title is required, and Note x-coredata:///Note/t… has none; "
      )
    )
    #expect(text.contains("UserInfo={NSValidationErrorKey=title, NSValidationErrorObject=\(note)}"))
    #expect(!text.contains("(null)"))
    #expect((error as? CocoaError)?.code == .managedObjectValidation || (error as? CocoaError) != nil)
    #expect((error as NSError).copy() is NSError)
  }

  @Test("an error about a date that is not a number, or about a long text, is an error that prints")
  func extremeValues() throws {
    let date = makeAttribute("at", .dateAttributeType)
    date.setValidationPredicates(
      [NSPredicate(format: "SELF == CAST(0, 'NSDate')")],
      withValidationWarnings: ["too early"]
    )
    let text = makeAttribute("text")
    text.setValidationPredicates([NSPredicate(format: "length < 5")], withValidationWarnings: ["too long"])
    let model = NSManagedObjectModel()
    model.entities = [makeEntity("Event", NSManagedObject.self, [date, text])]
    let stack = try Stack(.inMemory, model: model)
    let event = NSEntityDescription.insertNewObject(forEntityName: "Event", into: stack.context)
    event.setValue(Date(timeIntervalSinceReferenceDate: .nan), forKey: "at")
    let early = try #require(throws: (any Error).self) { try stack.context.save() }
    #expect(
      early.localizedDescription.hasPrefix("<not a date> is not a valid at of Event x-coredata:///Event/t")
    )
    #expect("\(early)".contains("\(NSValidationValueErrorKey)=\"<not a date>\""))
    event.setValue(Date(timeIntervalSinceReferenceDate: 0), forKey: "at")
    event.setValue(String(repeating: "x", count: 1_000_000), forKey: "text")
    let long = try #require(throws: (any Error).self) { try stack.context.save() }
    #expect(long.localizedDescription.utf8.count < 1_000 && "\(long)".utf8.count < 5_000)
  }

  @Test("a merge policy prints its type")
  func policies() {
    #expect(masked(NSMergePolicy.error) == "<NSMergePolicy: 0x…> (mergeType: NSErrorMergePolicyType)")
    #expect(
      masked(NSMergePolicy.mergeByPropertyObjectTrump)
        == "<NSMergePolicy: 0x…> (mergeType: NSMergeByPropertyObjectTrumpMergePolicyType)"
    )
  }
}
