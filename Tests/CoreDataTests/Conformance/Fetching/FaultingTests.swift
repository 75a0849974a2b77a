import CoreData
import Foundation
import Testing

@Suite("Faulting")
struct FaultingTests {
  /// A saved note as a fault of a context that has not read it.
  private func fault(_ stack: Stack) throws -> Note {
    let note = stack.note("one", stack.category("c"), tags: [stack.tag("t")])
    try stack.save()
    stack.context.reset()
    let objectID = try #require(try stack.fetch(Note.self, in: stack.newContext()).first).objectID
    _ = note
    return try #require(stack.context.object(with: objectID) as? Note)
  }

  @Test(
    "an object that is asked for by its ID is a fault until a value is read",
    arguments: StoreKind.allCases
  )
  func objectWithID(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = try fault(stack)
    #expect(note.isFault)
    #expect(note.faultingState != 0)
    #expect(note.title == "one")
    #expect(!note.isFault)
    #expect(note.faultingState == 0)
  }

  @Test("a fetched object is a fault until a value is read", arguments: StoreKind.allCases)
  func fetched(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    _ = try fault(stack)
    let note = try #require(try stack.fetch(Note.self).first)
    #expect(note.isFault)
    #expect(note.rating == 3)
    #expect(!note.isFault)
  }

  @Test("objects fetched without faulting have their values", arguments: StoreKind.allCases)
  func notAsFaults(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    _ = try fault(stack)
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.returnsObjectsAsFaults = false
    #expect(try stack.context.fetch(request).allSatisfy { !$0.isFault })
  }

  @Test(
    "isFault, objectID, entity and context are known without firing the fault",
    arguments: StoreKind.allCases
  )
  func identity(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = try fault(stack)
    #expect(!note.objectID.isTemporaryID)
    #expect(note.entity.name == "Note")
    #expect(note.managedObjectContext === stack.context)
    #expect(!note.isInserted && !note.isUpdated && !note.isDeleted && !note.hasChanges)
    #expect(note.hash == note.hash && note.isEqual(note))
    #expect(note.description.contains("<fault>"))
    #expect(note.isFault)
  }

  @Test(
    "a fault's description marks it as a fault, and shows the values after it was fired",
    arguments: StoreKind.allCases
  )
  func description(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = try fault(stack)
    #expect(!note.description.contains("one"))
    _ = note.title
    #expect(note.description.contains("one"))
  }

  @Test("willAccessValue fires a fault", arguments: StoreKind.allCases)
  func willAccess(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = try fault(stack)
    note.willAccessValue(forKey: "title")
    #expect(!note.isFault)
    #expect(note.primitiveValue(forKey: "title") as? String == "one")
    note.didAccessValue(forKey: "title")
  }

  @Test("willAccessValue without a key fires a fault", arguments: StoreKind.allCases)
  func willAccessNothing(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = try fault(stack)
    note.willAccessValue(forKey: nil)
    #expect(!note.isFault)
  }

  @Test("setting a value fires a fault", arguments: StoreKind.allCases)
  func setting(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = try fault(stack)
    note.rating = 5
    #expect(!note.isFault)
    #expect(note.title == "one")
  }

  @Test("a to-one relationship leads to a fault", arguments: StoreKind.allCases)
  func toOne(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = try fault(stack)
    let category = try #require(note.category)
    #expect(category.isFault)
    #expect(category.name == "c")
    #expect(!category.isFault)
  }

  @Test("a to-many relationship is a fault until it is read", arguments: StoreKind.allCases)
  func toMany(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = try fault(stack)
    #expect(note.hasFault(forRelationshipNamed: "tags"))
    #expect(note.tags.count == 1)
    #expect(!note.hasFault(forRelationshipNamed: "tags"))
  }

  @Test("reading a to-many relationship does not fire its destinations", arguments: StoreKind.allCases)
  func destinationsStayFaults(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = try fault(stack)
    #expect(note.tags.map(\.isFault) == [true])
  }

  @Test("asking whether a relationship is a fault does not fire it", arguments: StoreKind.allCases)
  func askingForFault(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = try fault(stack)
    for _ in 0..<2 {
      #expect(note.hasFault(forRelationshipNamed: "tags"))
      #expect(note.hasFault(forRelationshipNamed: "category"))
    }
  }

  @Test("objectIDs of a relationship come without the destinations' values", arguments: StoreKind.allCases)
  func objectIDs(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = try fault(stack)
    let tags = note.objectIDs(forRelationshipNamed: "tags")
    let categories = note.objectIDs(forRelationshipNamed: "category")
    #expect(tags.map(\.entity.name) == ["Tag"])
    #expect(categories.map(\.entity.name) == ["Category"])
    #expect(stack.context.object(with: tags[0]).isFault)
    #expect(stack.context.object(with: categories[0]).isFault)
  }

  @Test("objectIDs of an empty relationship is an empty set", arguments: StoreKind.allCases)
  func noObjectIDs(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("alone")
    #expect(note.objectIDs(forRelationshipNamed: "category").isEmpty)
    #expect(note.objectIDs(forRelationshipNamed: "tags").isEmpty)
    #expect(note.objectIDs(forRelationshipNamed: "pages").isEmpty)
  }

  @Test("objectIDs of an ordered relationship are in order", arguments: StoreKind.allCases)
  func orderedObjectIDs(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("n")
    let pages = (0..<4).map { _ in Page(context: stack.context) }
    note.pages = NSOrderedSet(array: pages.reversed())
    #expect(note.objectIDs(forRelationshipNamed: "pages") == pages.reversed().map(\.objectID))
  }

  @Test("a new object is not a fault", arguments: StoreKind.allCases)
  func newObject(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    #expect(!stack.note("new").isFault)
  }

  @Test("a refresh without merging turns an object into a fault", arguments: StoreKind.allCases)
  func refreshToFault(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    stack.context.refresh(note, mergeChanges: false)
    #expect(note.isFault)
    #expect(note.title == "one")
  }

  @Test("existingObject has its values", arguments: StoreKind.allCases)
  func existing(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let objectID = try fault(stack).objectID
    #expect(try !stack.context.existingObject(with: objectID).isFault)
  }

  @Test("existingObject throws for an object that is not there", arguments: StoreKind.allCases)
  func notExisting(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = stack.note("one")
    try stack.save()
    let other = stack.newContext()
    let same = try #require(try stack.fetch(Note.self, in: other).first)
    other.delete(same)
    try other.save()
    let third = stack.newContext()
    let error = #expect(throws: NSError.self) { try third.existingObject(with: same.objectID) }
    #expect(error?.code == NSManagedObjectReferentialIntegrityError)
    _ = note
  }

  @Test("an object exists once in a context, however it is asked for", arguments: StoreKind.allCases)
  func uniquing(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = try fault(stack)
    #expect(try stack.fetch(Note.self).first === note)
    #expect(try stack.context.existingObject(with: note.objectID) === note)
    #expect(stack.context.object(with: note.objectID) === note)
    #expect(stack.context.registeredObject(for: note.objectID) === note)
    #expect(note.category?.notes.first === note)
  }

  @Test(
    "a fault without a record is treated as deleted, with no values",
    arguments: StoreKind.storesAndChildren
  )
  func inaccessible(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let note = try fault(stack)
    let request = NSBatchDeleteRequest(objectIDs: [note.objectID])
    try stack.newContext().execute(request)
    #expect(stack.context.shouldDeleteInaccessibleFaults)
    #expect(note.title == nil)
    #expect(note.rating == 0)
    #expect(note.isDeleted)
  }

  @Test(
    "a context can be asked whether an inaccessible fault is to be taken for deleted",
    arguments: StoreKind.takingBatches
  )
  func inaccessibleInSubclass(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let objectID = try fault(stack).objectID
    let context = ForgivingContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = stack.coordinator
    context.shouldDeleteInaccessibleFaults = false
    let note = context.object(with: objectID)
    try stack.newContext().execute(NSBatchDeleteRequest(objectIDs: [objectID]))
    #expect(note.value(forKey: "title") == nil)
    #expect(context.asked == [objectID])
  }
}

private final class ForgivingContext: NSManagedObjectContext, @unchecked Sendable {
  var asked: [NSManagedObjectID] = []

  override func shouldHandleInaccessibleFault(
    _ fault: NSManagedObject,
    for oid: NSManagedObjectID,
    triggeredByProperty property: NSPropertyDescription?
  ) -> Bool {
    asked.append(oid)
    return true
  }
}
