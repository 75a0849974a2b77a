import CoreData
import Foundation
import Testing

@Suite("Relationships to deleted objects")
struct GoneDestinationTests {
  /// Expects a save to fail with an error that names both objects.
  private func expectRefusal(_ stack: Stack, _ owner: NSManagedObject, _ destination: NSManagedObject) {
    let error = #expect(throws: NSError.self) { try stack.context.save() }
    #expect(error?.code == NSManagedObjectValidationError)
    #expect(error?.userInfo[NSValidationObjectErrorKey] as? NSManagedObject === owner)
    let affected = error?.userInfo[NSAffectedObjectsErrorKey] as? [NSManagedObject]
    #expect(affected == [owner, destination])
    #expect(error?.localizedDescription.contains(owner.entity.name ?? "") == true)
    #expect(stack.context.hasChanges)
  }

  @Test("a relationship to an object deleted in the store is refused", arguments: StoreKind.allCases)
  func saved(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (note, category) = (stack.note("one"), stack.category("c"))
    try stack.save()
    stack.context.delete(category)
    try stack.context.save()
    note.category = category
    expectRefusal(stack, note, category)
    note.category = nil
    try stack.save()
  }

  @Test("a relationship to an object deleted by the save is refused", arguments: StoreKind.allCases)
  func pending(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (note, category) = (stack.note("one"), stack.category("c"))
    try stack.save()
    stack.context.delete(category)
    stack.context.processPendingChanges()
    note.category = category
    expectRefusal(stack, note, category)
    stack.context.rollback()
    #expect(!category.isDeleted && note.category == nil)
  }

  @Test("a to-many relationship to a deleted object is refused", arguments: StoreKind.allCases)
  func toMany(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let (note, tag) = (stack.note("one"), stack.tag("t"))
    try stack.save()
    stack.context.delete(tag)
    try stack.context.save()
    note.tags = [tag]
    expectRefusal(stack, note, tag)
  }

  @Test("delete rules still empty relationships to deleted objects", arguments: StoreKind.allCases)
  func nullified(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let tag = stack.tag("t")
    let note = stack.note("one", tags: [tag])
    try stack.save()
    stack.context.delete(tag)
    try stack.save()
    #expect(note.tags.isEmpty)
  }

  @Test(
    "changes of objects whose store was removed are refused",
    arguments: [StoreKind.sqlite, .inMemory, .xml]
  )
  func removedStore(_ kind: StoreKind) throws {
    for addsAnother in [true, false] {
      let stack = try Stack(kind)
      let note = stack.note("one")
      try stack.save()
      try stack.coordinator.remove(stack.coordinator.persistentStores[0])
      if addsAnother {
        try stack.coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
      }
      note.title = "two"
      let error = #expect(throws: NSError.self) { try stack.context.save() }
      #expect(error?.domain == NSCocoaErrorDomain)
      #expect(error?.localizedDescription.contains("removed") == true)
      #expect(note.hasChanges)
    }
  }
}
