import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Contexts that merge automatically")
struct AutomaticMergingTests {
  @Test("automatic merging covers saves to coordinator and parent", arguments: StoreKind.storesAndChildren)
  func roots(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    nonisolated(unsafe) let note = stack.note("one")
    try stack.save()
    stack.context.automaticallyMergesChangesFromParent = true
    let merged = Posted(.NSManagedObjectContextDidMergeChangesObjectIDs, by: stack.context)
    let other = stack.sibling()
    try other.performAndWait {
      let theirs = try #require(try stack.fetch(Note.self, in: other).first)
      theirs.title = "theirs"
      try other.save()
    }
    try await merged.wait()
    #expect(stack.context.performAndWait { note.title } == "theirs")
  }

  @Test(
    "automatic merging ignores the context's own saves, and stops when it is switched off",
    arguments: [.inMemory] + StoreKind.sharedByPrograms
  )
  func own(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    stack.context.automaticallyMergesChangesFromParent = true
    let merged = Posted(.NSManagedObjectContextDidMergeChangesObjectIDs, by: stack.context)
    nonisolated(unsafe) let note = stack.note("one")
    try stack.save()
    stack.context.automaticallyMergesChangesFromParent = false
    let other = stack.sibling()
    _ = Note(context: other)
    other.insertedObjects.forEach { $0.setValue("two", forKey: "title") }
    try other.save()
    await stack.context.perform {}
    #expect(merged.count == 0)
    #expect(note.title == "one")
  }

  @Test("a save is merged once, however often merging is enabled", arguments: [StoreKind.inMemory, .sqlite])
  func once(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    stack.note("one")
    try stack.save()
    // The list of contexts is only occasionally cleared of released ones.
    for _ in 0..<40 {
      let gone = NSManagedObjectContext(.privateQueue)
      gone.persistentStoreCoordinator = stack.coordinator
      gone.automaticallyMergesChangesFromParent = true
    }
    for isMerging in [true, false, true, true] {
      stack.context.automaticallyMergesChangesFromParent = isMerging
    }
    #expect(stack.coordinator.followers.count { $0.context != nil } == 1)
    #expect(stack.coordinator.followers.count < 40)
    let merged = Posted(.NSManagedObjectContextDidMergeChangesObjectIDs, by: stack.context)
    let other = stack.newContext()
    try other.performAndWait {
      try stack.fetch(Note.self, in: other).forEach { $0.title = "theirs" }
      try other.save()
    }
    try await merged.wait()
    await stack.context.perform {}
    #expect(merged.count == 1)
  }

  @Test(
    "automatic merging covers saves of siblings to the parent, and the parent's own merges",
    arguments: StoreKind.storesAndChildren.filter(\.isChild)
  )
  func children(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    nonisolated(unsafe) let note = stack.note("one")
    try stack.save()
    let parent = try #require(stack.context.parent)
    stack.context.automaticallyMergesChangesFromParent = true
    let sibling = NSManagedObjectContext(.privateQueue)
    sibling.parent = parent
    let merged = Posted(.NSManagedObjectContextDidMergeChangesObjectIDs, by: stack.context)
    try sibling.performAndWait {
      try stack.fetch(Note.self, in: sibling).forEach { $0.title = "sibling" }
      try sibling.save()
    }
    try await merged.wait()
    #expect(stack.context.performAndWait { note.title } == "sibling")
    try parent.performAndWait { try parent.save() }
    try await merged.wait(for: 2)

    parent.automaticallyMergesChangesFromParent = true
    let other = stack.newContext()
    try other.performAndWait {
      try stack.fetch(Note.self, in: other).forEach { $0.title = "other" }
      try other.save()
    }
    try await merged.wait(for: 3)
    #expect(stack.context.performAndWait { note.title } == "other")
  }
}
