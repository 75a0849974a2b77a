import CoreData
import Foundation
import Testing

@Suite("The state of an object")
struct ObjectStateTests {
  @Test("a new object is inserted, has changes and a temporary ID", arguments: StoreKind.allCases)
  func insertedState(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = Witness(context: stack.context)
    #expect(witness.isInserted && witness.hasChanges && !witness.isUpdated && !witness.isDeleted)
    #expect(witness.objectID.isTemporaryID)
    #expect(stack.context.insertedObjects == [witness])
    #expect(stack.context.hasChanges)
  }

  @Test("a saved object is neither inserted, updated nor deleted", arguments: StoreKind.allCases)
  func savedState(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    try stack.context.save()
    #expect(!witness.isInserted && !witness.hasChanges && !witness.isUpdated && !witness.isDeleted)
    #expect(stack.context.insertedObjects.isEmpty)
    #expect(!stack.context.hasChanges)
  }

  @Test("a changed object is updated, and is listed as such", arguments: StoreKind.allCases)
  func updatedState(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    try stack.save()
    witness.count = 8
    #expect(witness.isUpdated && witness.hasChanges && !witness.isInserted && !witness.isDeleted)
    #expect(stack.context.updatedObjects == [witness])
  }

  @Test("a new object stays inserted when it is changed", arguments: StoreKind.allCases)
  func insertedAndChanged(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    witness.count = 8
    #expect(witness.isInserted && !witness.isUpdated)
    #expect(stack.context.updatedObjects.isEmpty)
  }

  @Test("a deleted object is deleted, and no longer updated", arguments: StoreKind.allCases)
  func deletedState(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    try stack.save()
    witness.count = 8
    stack.context.delete(witness)
    #expect(witness.isDeleted && witness.hasChanges && !witness.isUpdated)
    #expect(stack.context.deletedObjects == [witness])
    #expect(stack.context.updatedObjects.isEmpty)
  }

  @Test(
    "a deleted object has no context after the save, and is no longer marked as deleted",
    arguments: StoreKind.allCases
  )
  func afterDeletion(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    try stack.save()
    stack.context.delete(witness)
    try stack.save()
    #expect(witness.managedObjectContext == nil)
    #expect(!witness.isDeleted)
    #expect(!stack.context.registeredObjects.contains(witness))
  }

  @Test("a deleted object that is inserted again is not deleted", arguments: StoreKind.allCases)
  func insertDeleted(_ kind: StoreKind) throws {
    let stack = try Stack.graph(kind)
    let witness = stack.witness("w")
    try stack.save()
    stack.context.delete(witness)
    stack.context.insert(witness)
    #expect(!witness.isDeleted)
    try stack.save()
    #expect(try stack.fetch(Witness.self, in: stack.newContext()).count == 1)
  }
}
