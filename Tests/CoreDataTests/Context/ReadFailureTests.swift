import CoreData
import Foundation
import Logging
import Synchronization
import Testing

@testable import CoreData

@Suite("Reads that fail where no error can be thrown")
struct ReadFailureTests {
  private let stack: Stack
  private let context: NSManagedObjectContext
  private let told = Told()

  /// Records the failures that the handler receives.
  private final class Told: Sendable {
    private let failures = Mutex<[ReadFailure]>([])
    var all: [ReadFailure] { failures.withLock { $0 } }
    var keys: [String?] { all.map(\.key) }
    func add(_ failure: ReadFailure) { failures.withLock { $0.append(failure) } }
  }

  init() throws {
    stack = try Stack(.sqlite)
    let category = stack.category("c")
    let note = stack.note("a", rating: 5, category, tags: [stack.tag("t")])
    let page = Page(context: stack.context)
    page.number = 1
    page.note = note
    stack.note("b", rating: 6, category)
    try stack.save()
    context = stack.newContext()
    context.readFailureHandling = .call { [told] in told.add($0) }
  }

  private func object(_ name: String = "Note", in context: NSManagedObjectContext? = nil) throws
    -> NSManagedObject
  {
    let objects = try stack.context.fetch(NSFetchRequest<NSManagedObject>(entityName: name))
    let first = try #require(objects.min { $0.key < $1.key })
    return (context ?? self.context).object(with: first.objectID)
  }

  @Test("a failing fault is reported at once, fails the next save, and is read when that is possible")
  func fault() throws {
    let note = try #require(try object() as? Note)
    let channel = try FailingChannel.install(in: context)
    #expect(note.title == nil)
    #expect(note.rating == 0)
    #expect(note.isFault)
    #expect(told.all.map(\.objectID) == [note.objectID, note.objectID])
    #expect(told.all.allSatisfy { ($0.error as NSError) === FailingChannel.error })
    let error = #expect(throws: NSError.self) { try context.save() }
    #expect(error === FailingChannel.error)
    channel.isFailing = false
    #expect(note.title == "a")
    #expect(note.rating == 5)
    #expect(told.all.count == 2)
    try context.save()
  }

  @Test("a read failure is logged as an error, with object, property and context")
  func logged() throws {
    #expect(LogRecorder.isRecording)
    context.name = "logged \(UUID())"
    let note = try #require(try object() as? Note)
    _ = try FailingChannel.install(in: context)
    _ = note.tags
    let found = LogRecorder.entries.filter { $0.metadata["context"] == context.name }
    let entry = try #require(found.first)
    #expect(found.count == 1)
    #expect(entry.label == "CoreData")
    #expect(entry.level == .error)
    #expect(entry.metadata["object"] == note.objectID.uriRepresentation().absoluteString)
    #expect(entry.metadata["key"] == "tags")
    #expect(entry.message.contains("the disk does not answer."))
  }

  @Test("relationships stay to be fetched, and are not taken for empty ones")
  func relationships() throws {
    let note = try #require(try object() as? Note)
    let channel = try FailingChannel.install(in: context)
    #expect(note.tags.isEmpty)
    #expect(note.pages.count == 0)
    #expect((note.value(forKey: "tags") as? NSSet)?.count == 0)
    #expect(note.hasFault(forRelationshipNamed: "tags"))
    #expect(told.keys == ["tags", "pages", "tags"])
    channel.isFailing = false
    #expect(note.tags.map(\.name) == ["t"])
    #expect(note.pages.count == 1)
  }

  @Test("a child context reports its parent's read failures, and throws them")
  func child() throws {
    context.readFailureHandling = nil
    stack.coordinator.readFailureHandling = .call { [told] in told.add($0) }
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = context
    let channel = try FailingChannel.install(in: context)
    let note = try #require(try object(in: child) as? Note)
    #expect(note.title == nil)
    #expect(note.tags.isEmpty)
    #expect(told.keys == [nil, "tags"])
    #expect(throws: NSError.self) { try child.existingObject(with: note.objectID) }
    #expect(throws: NSError.self) { try child.fetch(NSFetchRequest<Note>(entityName: "Note")) }
    #expect(throws: NSError.self) { try child.save() }
    channel.isFailing = false
    #expect(note.tags.map(\.name) == ["t"])
    #expect(note.title == "a")
    try child.save()
  }

  @Test("existingObject, fetches and counts throw, and leave nothing for the next save to throw")
  func thrown() async throws {
    let note = try object()
    let channel = try FailingChannel.install(in: context)
    #expect(throws: NSError.self) { try context.existingObject(with: note.objectID) }
    #expect(throws: NSError.self) { try context.fetch(NSFetchRequest<Note>(entityName: "Note")) }
    #expect(throws: NSError.self) { try context.count(for: NSFetchRequest<Note>(entityName: "Note")) }
    let reader = context
    await #expect(throws: NSError.self) {
      try await reader.perform { try reader.fetch(NSFetchRequest<Note>(entityName: "Note")).count }
    }
    #expect(told.all.isEmpty)
    try context.save()
    channel.isFailing = false
    #expect(try context.existingObject(with: note.objectID) === note)
  }

  @Test("an object that could not be read is not found as an existing one")
  func existingAfterFailure() throws {
    let note = try #require(try object() as? Note)
    let channel = try FailingChannel.install(in: context)
    #expect(note.title == nil)
    #expect(throws: NSError.self) { try context.existingObject(with: note.objectID) }
    channel.isFailing = false
    #expect(try (context.existingObject(with: note.objectID) as? Note)?.title == "a")
  }

  @Test("a batch of faults stays one, and is fetched when it can be")
  func batches() throws {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.fetchBatchSize = 10
    request.sortDescriptors = [.byTitle]
    let notes = try context.fetch(request)
    let channel = try FailingChannel.install(in: context)
    #expect(notes.map(\.title) == [nil, nil])
    #expect(told.all.map(\.objectID) == notes.map(\.objectID))
    channel.isFailing = false
    #expect(notes.map(\.title) == ["a", "b"])
  }

  @Test("a deletion waits with its delete rules until they can be applied: no save goes without them")
  func deletion() throws {
    for page in try stack.fetch(Page.self) { stack.context.delete(page) }
    try stack.save()
    let category = try object("Category")
    let channel = try FailingChannel.install(in: context)
    context.delete(category)
    for _ in 0..<3 { #expect(throws: NSError.self) { try context.save() } }
    channel.isFailing = false
    try context.save()
    #expect(try stack.newContext().count(for: NSFetchRequest<Note>(entityName: "Note")) == 0)
  }

  @Test("a new object in an ordered relationship that cannot be read is not saved as the only one")
  func ordered() throws {
    let note = try #require(try object() as? Note)
    let channel = try FailingChannel.install(in: context)
    let page = Page(context: context)
    page.number = 2
    page.note = note
    for _ in 0..<2 { #expect(throws: NSError.self) { try context.save() } }
    channel.isFailing = false
    try context.save()
    let saved = try #require(try stack.fetch(Note.self, "title == 'a'", in: stack.newContext()).first)
    #expect(saved.pages.compactMap { ($0 as? Page)?.number } == [1, 2])
  }

  @Test("values set in an unreadable object are saved alone, whatever the merge policy")
  func overwriting() throws {
    let note = try #require(try object() as? Note)
    let channel = try FailingChannel.install(in: context)
    context.mergePolicy = NSMergePolicy.overwrite
    note.rating = 9
    #expect(throws: NSError.self) { try context.save() }
    channel.isFailing = false
    try context.save()
    let saved = try #require(try stack.fetch(Note.self, "rating == 9", in: stack.newContext()).first)
    #expect(saved.title == "a")
    #expect(saved.category?.name == "c")
  }

  @Test("refreshing, fetched results and fetched properties report a failed read, and keep their values")
  func others() throws {
    let note = try #require(try object() as? Note)
    note.rating = 7
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: "title != nil")
    request.sortDescriptors = [.byTitle]
    let controller = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: context,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    let delegate = SilentDelegate()
    controller.delegate = delegate
    try controller.performFetch()
    let channel = try FailingChannel.install(in: context)
    context.refresh(note, mergeChanges: true)
    #expect(note.title == "a")
    #expect(told.all.count == 1)
    let other = try #require(controller.fetchedObjects?.last)
    context.refresh(other, mergeChanges: false)
    context.processPendingChanges()
    #expect(told.all.count > 1)
    #expect(controller.fetchedObjects?.count == 2)
    channel.isFailing = false
    note.rating = 8
    context.processPendingChanges()
    #expect(controller.fetchedObjects?.map(\.title) == ["a", "b"])
  }

  @Test("a program that only reads learns of failed reads by throwReadFailure()")
  func readOnly() throws {
    let note = try #require(try object() as? Note)
    try context.throwReadFailure()
    let channel = try FailingChannel.install(in: context)
    _ = note.title
    #expect(throws: NSError.self) { try context.throwReadFailure() }
    try context.throwReadFailure()
    channel.isFailing = false
  }

  @Test("a strict context stops the program with a message")
  func strict() async {
    await #expect(processExitsWith: .failure) {
      let stack = try Stack(.sqlite)
      let note = stack.note("a")
      try stack.save()
      let context = stack.newContext()
      stack.coordinator.readFailureHandling = .stop
      let fault = try #require(context.object(with: note.objectID) as? Note)
      _ = try FailingChannel.install(in: context)
      _ = fault.title
      exit(0)
    }
  }
}

private final class SilentDelegate: NSObject, NSFetchedResultsControllerDelegate {}
