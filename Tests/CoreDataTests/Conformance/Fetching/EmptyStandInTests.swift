import CoreData
import Foundation
import Testing

@Suite("Stand-ins without content")
struct EmptyStandInTests {
  @Test("an ID of nothing is temporary and equal to itself alone")
  func objectID() {
    let (one, other) = (NSManagedObjectID(), NSManagedObjectID())
    #expect(one == one && one != other)
    #expect(one.isTemporaryID && one.persistentStore == nil)
    #expect(one.uriRepresentation() != other.uriRepresentation())
    #expect(one.entity.name == "NSManagedObject")
  }

  @Test("no context has the object of such an ID", arguments: StoreKind.allCases)
  func noObject(_ kind: StoreKind) throws {
    let stack = try Stack(kind)
    let context = stack.context
    #expect(throws: CocoaError.self) { try context.existingObject(with: NSManagedObjectID()) }
    #expect(context.registeredObject(for: NSManagedObjectID()) == nil)
  }

  @Test("a conflict about nothing has nothing")
  func conflict() {
    let conflict = NSConstraintConflict()
    #expect(conflict.constraint.isEmpty && conflict.conflictingObjects.isEmpty)
    #expect(conflict.databaseObject == nil && conflict.databaseSnapshot == nil)
    #expect(!conflict.description.isEmpty)
  }
}
