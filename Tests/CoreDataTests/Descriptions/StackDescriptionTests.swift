import Foundation
import Testing

@testable import CoreData

@Suite("Descriptions of stacks and their history")
struct StackDescriptionTests {
  @Test(
    "contexts, coordinators, containers, stores and their descriptions print their class and contents"
  )
  func stacks() throws {
    let stack = try Stack(.sqlite)
    #expect(masked(stack.context) == "<NSManagedObjectContext: 0x…>")
    stack.context.name = "import"
    #expect(masked(stack.context) == "<NSManagedObjectContext: 0x…> (name: import)")
    #expect(masked(stack.coordinator) == "<NSPersistentStoreCoordinator: 0x…>")
    #expect(
      masked(stack.coordinator.persistentStores) == "[<SQLiteStore: 0x…> (URL: file:///…/store.sqlite)]"
    )
    let description = NSPersistentStoreDescription(url: URL(fileURLWithPath: "/a/Notes.sqlite"))
    #expect(
      masked(description) == "<NSPersistentStoreDescription: 0x…> (type: SQLite, url: file:///…/Notes.sqlite)"
    )
    let container = NSPersistentContainer(name: "Notes", managedObjectModel: TestModel.shared)
    #expect(masked(container) == "<NSPersistentContainer: 0x…> (name: Notes)")
    #expect(masked(NSQueryGenerationToken.current) == "<NSQueryGenerationToken: 0x…> (generation: current)")
  }

  @Test("transactions, changes, tokens and requests of the history print their contents")
  func history() throws {
    let tracked = try TrackedStore()
    let context = try tracked.context("import", author: "me")
    let note = Note(context: context)
    note.title = "One"
    try context.save()
    note.rating = 9
    try context.save()
    let request = NSPersistentHistoryChangeRequest.fetchHistory(after: nil as NSPersistentHistoryToken?)
    let result = try #require(try context.execute(request) as? NSPersistentHistoryResult)
    let transactions = try #require(result.result as? [NSPersistentHistoryTransaction])
    let last = try #require(transactions.last)
    let text = masked(last)
    #expect(
      text.hasPrefix(
        "<NSPersistentHistoryTransaction: 0x…> (transactionNumber: 2; storeID: STORE; timestamp: "
      )
    )
    #expect(text.contains(" +0000; author: me; contextName: import; bundleID: "))
    #expect(
      text.hasSuffix("changes: (\n    \"2: update of rating 0x… <x-coredata://STORE/Note/p1>\"\n))")
    )
    #expect(
      masked(try #require(last.changes?.first)) == """
        <NSPersistentHistoryChange: 0x…> (changeID: 2; changeType: update; \
        changedObjectID: 0x… <x-coredata://STORE/Note/p1>; updatedProperties: (
            rating
        ))
        """
    )
    #expect(masked(last.token) == "<NSPersistentHistoryToken - {\n    \"STORE\" = 2;\n}>")
    #expect(
      masked(request)
        == "<NSPersistentHistoryChangeRequest: 0x…> (fetchHistory after: the beginning; resultType: transactionsAndChanges)"
    )
    let deletion = NSPersistentHistoryChangeRequest.deleteHistory(
      before: Date(timeIntervalSinceReferenceDate: 0)
    )
    #expect(masked(deletion).contains("(deleteHistory before: 2001-01-01 00:00:00 +0000; "))
    #expect(
      masked(result).hasPrefix(
        "<NSPersistentHistoryResult: 0x…> (resultType: transactionsAndChanges; result: (\n"
      )
    )
  }

  @Test("sections of fetched results print their name and their size")
  func sections() throws {
    let stack = try Stack(.inMemory)
    stack.note("One", rating: 2)
    stack.note("Two", rating: 2)
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.sortDescriptors = [NSSortDescriptor(key: "rating", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: stack.context,
      sectionNameKeyPath: "rating",
      cacheName: nil
    )
    try controller.performFetch()
    #expect(
      masked(try #require(controller.sections?.first))
        == "<FetchedSectionInfo: 0x…> (name: 2; numberOfObjects: 2)"
    )
    #expect(
      masked(controller).hasPrefix("<NSFetchedResultsController: 0x…> (fetchRequest: <NSFetchRequest: 0x…>")
    )
  }

  @Test("a change set prints its objects with what changed of them")
  func changeSets() throws {
    let stack = try Stack(.inMemory)
    let recorder = RecordingChannel(try stack.context.connectedChannel())
    stack.context.channel = recorder
    let category = stack.category("All")
    try stack.save()
    #expect(
      masked(recorder.printed.last ?? "") == #"""
        ChangeSet inserted (
            Category/t… {
                badge = nil;
                name = All;
            }
        ), updated (
        ), deleted (
        )
        """#
    )
    #expect(masked(recorder.outcomes.last ?? "").hasPrefix("saved, permanent references (\n    \"t"))
    category.name = "Some"
    try stack.save()
    #expect(
      recorder.printed.last?.contains("updated (\n    Category/p1 {\n        name = Some;\n    }\n)") == true
    )
    stack.context.delete(category)
    try stack.save()
    #expect(recorder.printed.last?.hasSuffix("deleted (\n    Category/p1\n)") == true)
  }
}

/// A channel between a context and its coordinator that records what is saved.
private final class RecordingChannel: ObjectChannel {
  private let channel: any ObjectChannel
  var printed: [String] = []
  var outcomes: [String] = []

  init(_ channel: any ObjectChannel) { self.channel = channel }

  func commit(_ changes: ChangeSet) throws -> CommitOutcome {
    printed.append("\(changes)")
    let outcome = try channel.commit(changes)
    outcomes.append("\(outcome)")
    return outcome
  }

  func fetch(_ query: FetchQuery) throws -> [FetchedRow] { try channel.fetch(query) }
  func count(_ query: FetchQuery) throws -> Int { try channel.count(query) }

  func row(of reference: ObjectReference, layout: EntityLayout) throws -> FetchedRow? {
    try channel.row(of: reference, layout: layout)
  }

  func destinations(of relationship: Int, from reference: ObjectReference, layout: EntityLayout) throws
    -> [ObjectReference]
  {
    try channel.destinations(of: relationship, from: reference, layout: layout)
  }

  func permanentReferences(for objects: [NewObject]) throws -> [ObjectReference] {
    try channel.permanentReferences(for: objects)
  }

  func deleteAll(_ deletion: BatchDeletion) throws -> BatchOutcome { try channel.deleteAll(deletion) }
  func insertAll(_ insertion: BatchInsertion) throws -> BatchOutcome { try channel.insertAll(insertion) }
  func updateAll(_ update: BatchUpdate) throws -> BatchOutcome { try channel.updateAll(update) }
}
