import CoreData
import Foundation
import Testing

@Suite("Faults, and what fires them")
struct FaultIdentityTests {
  /// Two saved notes with a category and a tag, as faults.
  private func faults(_ kind: StoreKind) throws -> (Stack, [Note]) {
    let stack = try Stack(kind)
    let (category, tag) = (stack.category("c"), stack.tag("t"))
    for title in ["one", "two"] { stack.note(title, category, tags: [tag]) }
    try stack.save()
    stack.context.reset()
    return (stack, try stack.fetch(Note.self, sort: [.byTitle]))
  }

  @Test("firing one fault leaves the others faults", arguments: StoreKind.allCases)
  func alone(_ kind: StoreKind) throws {
    let (stack, notes) = try faults(kind)
    #expect(notes[0].title == "one")
    #expect(!notes[0].isFault && notes[1].isFault)
    withExtendedLifetime(stack) {}
  }

  @Test("an object that becomes a fault and is fired again is the same object", arguments: StoreKind.allCases)
  func identity(_ kind: StoreKind) throws {
    let (stack, notes) = try faults(kind)
    let objectID = notes[0].objectID
    #expect(notes[0].rating == 3)
    stack.context.refresh(notes[0], mergeChanges: false)
    #expect(notes[0].isFault && notes[0].title == "one" && notes[0].objectID == objectID)
    #expect(try stack.context.existingObject(with: objectID) === notes[0])
  }

  @Test("isEqual and hash do not fire a fault", arguments: StoreKind.allCases)
  func equality(_ kind: StoreKind) throws {
    let (stack, notes) = try faults(kind)
    #expect(notes[0] == notes[0] && notes[0] != notes[1])
    #expect(Set(notes).count == 2 && Set(notes.map(\.hash)).count == 2)
    #expect(notes.allSatisfy { $0.isFault })
    withExtendedLifetime(stack) {}
  }

  @Test("isInserted, isUpdated, isDeleted and hasChanges do not fire a fault", arguments: StoreKind.allCases)
  func states(_ kind: StoreKind) throws {
    let (stack, notes) = try faults(kind)
    #expect(!notes[0].isInserted && !notes[0].isUpdated && !notes[0].isDeleted && !notes[0].hasChanges)
    #expect(notes[0].isFault)
    withExtendedLifetime(stack) {}
  }

  @Test("faultingState is not 0 for a fault, and 0 for an object with values", arguments: StoreKind.allCases)
  func faultingState(_ kind: StoreKind) throws {
    let (stack, notes) = try faults(kind)
    #expect(notes[0].faultingState != 0)
    _ = notes[0].title
    #expect(notes[0].faultingState == 0)
    withExtendedLifetime(stack) {}
  }

  @Test("value(forKey:) fires a fault", arguments: StoreKind.allCases)
  func keyValueCoding(_ kind: StoreKind) throws {
    let (stack, notes) = try faults(kind)
    #expect(notes[0].value(forKey: "title") as? String == "one")
    #expect(!notes[0].isFault)
    withExtendedLifetime(stack) {}
  }

  @Test("value(forKey: \"objectID\") does not fire a fault", arguments: StoreKind.allCases)
  func objectIDByKey(_ kind: StoreKind) throws {
    let (stack, notes) = try faults(kind)
    #expect(notes[0].value(forKey: "objectID") as? NSManagedObjectID == notes[0].objectID)
    #expect(notes[0].isFault)
    withExtendedLifetime(stack) {}
  }

  @Test("a key path fires the faults along its way", arguments: StoreKind.allCases)
  func keyPath(_ kind: StoreKind) throws {
    let (stack, notes) = try faults(kind)
    #expect(notes[0].value(forKeyPath: "category.name") as? String == "c")
    #expect(!notes[0].isFault && notes[0].category?.isFault == false)
    #expect(notes[1].isFault)
    withExtendedLifetime(stack) {}
  }

  @Test(
    "a relationship that was read is not a fault until its object is refreshed",
    arguments: StoreKind.allCases
  )
  func relationshipFault(_ kind: StoreKind) throws {
    let (stack, notes) = try faults(kind)
    #expect(notes[0].hasFault(forRelationshipNamed: "tags"))
    #expect(notes[0].tags.count == 1)
    #expect(!notes[0].hasFault(forRelationshipNamed: "tags"))
    stack.context.refresh(notes[0], mergeChanges: false)
    #expect(notes[0].hasFault(forRelationshipNamed: "tags"))
  }

  @Test("a relationship of a new object is not a fault", arguments: StoreKind.allCases)
  func relationshipOfNew(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("new")
    #expect(!note.hasFault(forRelationshipNamed: "tags"))
    #expect(!note.hasFault(forRelationshipNamed: "category"))
  }

  @Test("objects that lead to the same destination lead to the same object", arguments: StoreKind.allCases)
  func sharedDestination(_ kind: StoreKind) throws {
    let (stack, notes) = try faults(kind)
    let category = try #require(notes[0].category)
    #expect(notes[1].category === category)
    #expect(try stack.fetch(Category.self).first === category)
    #expect(category.notes == Set(notes))
  }

  @Test(
    "a predicate that is evaluated in memory fires the faults that it looks at",
    arguments: StoreKind.allCases
  )
  func evaluation(_ kind: StoreKind) throws {
    let (stack, notes) = try faults(kind)
    let predicate = NSPredicate(format: "title == 'two'")
    #expect(notes.filter(predicate.evaluate(with:)) == [notes[1]])
    #expect(notes.allSatisfy { !$0.isFault })
    withExtendedLifetime(stack) {}
  }

  @Test("deleting a fault and saving removes its record", arguments: StoreKind.allCases)
  func deletingFault(_ kind: StoreKind) throws {
    let (stack, notes) = try faults(kind)
    stack.context.delete(notes[0])
    #expect(notes[0].isDeleted)
    try stack.save()
    #expect(try stack.fetch(Note.self, in: stack.newContext()).map(\.title) == ["two"])
  }

  @Test("refreshing all objects leaves faults faults", arguments: StoreKind.allCases)
  func refreshAll(_ kind: StoreKind) throws {
    let (stack, notes) = try faults(kind)
    stack.context.refreshAllObjects()
    #expect(notes.allSatisfy { $0.isFault })
    #expect(notes.map(\.title) == ["one", "two"])
  }
}
