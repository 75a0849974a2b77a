import CoreData
import Foundation
import Testing

@Suite("Validation on save")
struct ValidationTests {
  @Test("a missing required value refuses the save, with object and key", arguments: StoreKind.allCases)
  func required(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = Note(context: stack.context)
    let error = #expect(throws: NSError.self) { try stack.save() }
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.code == NSValidationMissingMandatoryPropertyError)
    #expect(error?.userInfo[NSValidationKeyErrorKey] as? String == "title")
    #expect(error?.userInfo[NSValidationObjectErrorKey] as? Note === note)
    #expect(stack.context.hasChanges)
    #expect(try stack.fetch(Note.self, in: stack.newContext()).isEmpty)
    note.title = "now"
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).count == 1)
  }

  @Test("several failures come in one error", arguments: StoreKind.allCases)
  func several(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    _ = Note(context: stack.context)
    _ = Note(context: stack.context)
    let error = #expect(throws: NSError.self) { try stack.save() }
    #expect(error?.code == NSValidationMultipleErrorsError)
    #expect((error?.userInfo[NSDetailedErrorsKey] as? [NSError])?.count == 2)
  }

  @Test("an update is validated too", arguments: StoreKind.allCases)
  func update(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    note.title = nil
    #expect(throws: NSError.self) { try stack.save() }
    stack.context.rollback()
    #expect(note.title == "one")
  }
}
