import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Updates by the saves of other contexts", .timeLimit(.minutes(10)))
struct UpdatesOfOthersTests {
  private static var options: [String: NSObject] {
    [
      NSPersistentHistoryTrackingKey: NSNumber(value: true),
      NSPersistentStoreRemoteChangeNotificationPostOptionKey: NSNumber(value: true),
    ]
  }

  private func context(_ store: TrackedStore, _ options: [String: NSObject] = options) throws
    -> NSManagedObjectContext
  {
    let context = NSManagedObjectContext(.privateQueue)
    context.persistentStoreCoordinator = try store.coordinator(options)
    return context
  }

  private func titles(in context: NSManagedObjectContext) -> FetchedUpdates<String> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    return context.updates(of: request) { $0.title ?? "" }
  }

  @Test("a merge is an update", arguments: [StoreKind.inMemory, .sqlite])
  func merge(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    try await stack.saveNotes(["a", "b"])
    var updates = try stack.titleUpdates().makeAsyncIterator()
    _ = try await updates.next()
    try await stack.work { $0.context.automaticallyMergesChangesFromParent = true }
    try await stack.newContext().saveNotes(inserting: ["c"], renaming: ["a": "z"], deleting: ["b"])
    #expect(try await updates.next()?.results == ["c", "z"])
  }

  @Test(
    "a child context hears what its parent's other children save",
    arguments: [StoreKind.childOfInMemory, .childOfSQLite]
  )
  func siblings(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    var updates = try stack.titleUpdates().makeAsyncIterator()
    _ = try await updates.next()
    try await stack.work { $0.context.automaticallyMergesChangesFromParent = true }
    try await stack.sibling().saveNotes(inserting: ["a"])
    #expect(try await updates.next()?.results == ["a"])
  }

  @Test("what another process saves is merged from the history", arguments: StoreKind.sharedByPrograms)
  func otherProcess(_ kind: StoreKind) async throws {
    let store = try TrackedStore(kind)
    let (own, other) = (try context(store), try context(store))
    try await other.saveNotes(inserting: ["a", "b"])
    var updates = titles(in: own).makeAsyncIterator()
    #expect(try await updates.next()?.results == ["a", "b"])
    try await other.saveNotes(inserting: ["c"], renaming: ["a": "z"], deleting: ["b"])
    let update = try #require(try await updates.next())
    #expect(update.results == ["c", "z"])
    #expect(update.difference?.removals.count == 2 && update.difference?.insertions.count == 2)
  }

  @Test("a child context hears of another process too", arguments: StoreKind.sharedByPrograms)
  func childContext(_ kind: StoreKind) async throws {
    let store = try TrackedStore(kind)
    let (parent, other) = (try context(store), try context(store))
    let child = NSManagedObjectContext(.privateQueue)
    child.parent = parent
    var updates = titles(in: child).makeAsyncIterator()
    _ = try await updates.next()
    try await other.saveNotes(inserting: ["a"])
    #expect(try await updates.next()?.results == ["a"])
  }

  @Test("unsaved changes of the context stay when others save", arguments: StoreKind.sharedByPrograms)
  func unsaved(_ kind: StoreKind) async throws {
    let store = try TrackedStore(kind)
    let (own, other) = (try context(store), try context(store))
    var updates = titles(in: own).makeAsyncIterator()
    _ = try await updates.next()
    await own.perform { Note(context: own).title = "mine" }
    #expect(try await updates.next()?.results == ["mine"])
    try await other.saveNotes(inserting: ["theirs"])
    #expect(try await updates.next()?.results == ["mine", "theirs"])
  }

  @Test("the context's own save is not merged again from the history", arguments: StoreKind.sharedByPrograms)
  func ownSaves(_ kind: StoreKind) async throws {
    let store = try TrackedStore(kind)
    let (own, other) = (try context(store), try context(store))
    var updates = titles(in: own).makeAsyncIterator()
    _ = try await updates.next()
    let merged = Posted(.NSManagedObjectContextDidMergeChangesObjectIDs, by: own)
    try await own.saveNotes(inserting: ["mine"])
    #expect(try await updates.next()?.results == ["mine"])
    try await other.saveNotes(inserting: ["theirs"])
    let update = try #require(try await updates.next())
    #expect(update.results == ["mine", "theirs"] && update.difference?.count == 1)
    #expect(merged.count == 1)
  }

  @Test("all is fetched again when the history was deleted", arguments: StoreKind.sharedByPrograms)
  func deletedHistory(_ kind: StoreKind) async throws {
    let store = try TrackedStore(kind)
    let (own, other) = (try context(store), try context(store))
    var updates = titles(in: own).makeAsyncIterator()
    _ = try await updates.next()
    // The context's queue is blocked, so it reads the history only after all of it was deleted.
    try own.wait {
      try other.wait {
        Note(context: other).title = "a"
        try other.save()
        try other.execute(NSPersistentHistoryChangeRequest.deleteHistory(before: Date.distantFuture))
      }
    }
    #expect(try await updates.next()?.results == ["a"])
  }

  @Test("a store without a history is fetched from again", arguments: StoreKind.sharedByPrograms)
  func withoutHistory(_ kind: StoreKind) async throws {
    let store = try TrackedStore(kind)
    let options = [NSPersistentStoreRemoteChangeNotificationPostOptionKey: NSNumber(value: true)]
    let (own, other) = (try context(store, options), try context(store, options))
    try await other.saveNotes(inserting: ["a"])
    var updates = titles(in: own).makeAsyncIterator()
    #expect(try await updates.next()?.results == ["a"])
    try await other.saveNotes(inserting: ["b"], renaming: ["a": "z"])
    // A notification about the earlier commit may arrive now and refetch all notes.
    var update = try await updates.next()
    while let found = update?.results, found == ["a"] { update = try await updates.next() }
    #expect(update?.results == ["b", "z"])
  }

  @Test("observed fetches of one context share what follows the history, and it goes with the last")
  func shared() async throws {
    let store = try TrackedStore()
    let context = try context(store)
    var (one, other): (FetchedUpdates<String>.AsyncIterator?, FetchedUpdates<String>.AsyncIterator?) =
      (titles(in: context).makeAsyncIterator(), titles(in: context).makeAsyncIterator())
    _ = try await one?.next()
    let first = await context.perform { context.historyFollower.map(ObjectIdentifier.init) }
    _ = try await other?.next()
    let second = await context.perform { context.historyFollower.map(ObjectIdentifier.init) }
    #expect(first != nil && first == second)
    (one, other) = (nil, nil)
    await context.perform { #expect(context.historyFollower == nil) }
    withExtendedLifetime(store) {}
  }
}
