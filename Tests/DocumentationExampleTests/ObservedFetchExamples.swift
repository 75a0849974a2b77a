import CoreData
import Foundation
import Observation
import Testing

/// A list of notes, on the queue of their context.
actor NoteLines {
  private let context: NSManagedObjectContext
  nonisolated var unownedExecutor: UnownedSerialExecutor { context.asUnownedSerialExecutor() }

  init(_ context: NSManagedObjectContext) { self.context = context }

  func follow(_ format: String) async throws -> [String] {
    let request = Note.fetchRequest()
    request.predicate = NSPredicate(format: format)
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    var titles: [String] = []
    // example: NSManagedObjectContext+Updates.swift updates<Object: NSManagedObject>(
    for try await update in context.updates(of: request) {
      print(update.results.map(\.title))
      break
    }
    // end
    for try await update in context.updates(of: request) {
      titles = update.results.map(\.title)
      break
    }
    return titles
  }
}

@Suite("Examples of observed fetches", .timeLimit(.minutes(10)))
struct ObservedFetchExamples: NotebookExamples {
  let notebook: Notebook

  init() throws { notebook = try Notebook() }

  private var request: NSFetchRequest<Note> {
    let request = Note.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    return request
  }

  @Test("objects are followed on the queue of their context")
  func objects() async throws {
    #expect(try await NoteLines(context).follow("author == nil") == ["Order compost"])
  }

  @Test("values are followed by any task")
  func values() async throws {
    // example: NSManagedObjectContext+Updates.swift updates<Object: NSManagedObject, Value: Sendable>(
    for try await update in context.updates(of: request, transform: \.title) {
      print(update.results)
      break
    }
    // end
    let first = try await context.updates(of: request, transform: \.title).first { _ in true }
    #expect(first?.results == ["Order compost", "Prune the apple tree", "Sow the peas"])
  }

  @Test("rows are kept up to date by differences")
  func differences() async throws {
    // example: FetchedUpdate.swift struct FetchedUpdate
    var rows: [NSManagedObjectID] = []
    for try await update in context.updates(of: request, transform: \.objectID) {
      if let difference = update.difference {
        rows = rows.applying(difference) ?? update.results
      } else {
        rows = update.results
      }
      print(rows.count)
      break
    }
    // end
    #expect(rows.count == 3)
  }

  @Test("observed results take another predicate and order while they are followed")
  func results() {
    context.performAndWait {
      // example: FetchedResults.swift class FetchedResults
      let results = FetchedResults(of: request, in: context)
      print(results.objects.map(\.title))

      results.predicate = NSPredicate(format: "isPinned == YES")
      results.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
      print(results.objects.count)  // 1
      // end
      #expect(results.objects == [note])
      #expect(results.sections.map(\.objects.count) == [1])
    }
  }

  @Test("results are fetched again after an error")
  func fetch() {
    context.performAndWait {
      let results = FetchedResults(of: request, in: context)
      // example: FetchedResults.swift func fetch
      if results.error != nil {
        results.fetch()
      }
      // end
      results.fetch()
      #expect(results.error == nil && results.objects.count == 3)
    }
  }

  // MARK: - The guide ObservedFetches.md

  @Test("a list is drawn again when its objects change")
  func list() {
    context.performAndWait {
      let list = ObservedNoteList(context)
      #expect(list.lines.count == 3)
      Note(context: context).title = "Mend the fence"
      context.processPendingChanges()
      #expect(list.lines.contains("Mend the fence") && list.isOutdated)
    }
  }

  @Test("a search changes the predicate and the order")
  func search() {
    context.performAndWait {
      let list = ObservedNoteList(context)
      let all = Set(list.lines)
      list.search("a")
      #expect(list.lines == all.filter { $0.localizedCaseInsensitiveContains("a") }.sorted(by: >))
    }
  }

  @Test("a store reports the saves of other processes with two options")
  func options() {
    let description = NSPersistentStoreDescription()
    followOthers(description)
    #expect(description.options.count >= 2)
  }

  @Test("an event stream has a line for each update")
  func events() async throws {
    let first = try await noteEvents(in: context).first { _ in true }
    #expect(first == "event: notes\ndata: 3\n\n")
  }

  @Test("a test waits for a value without sleeping")
  func waiting() async throws {
    let context = context
    let request = request
    await context.perform { Note(context: context).title = "Mend the fence" }
    let update = try await context.updates(of: request, transform: \.title).first { update in
      update.results.contains("Mend the fence")
    }
    #expect(update?.results.count == 4)
  }
}

/// A list that says when it is to be drawn again.
// Used on the queue of its context.
final class ObservedNoteList: @unchecked Sendable {
  private let results: FetchedResults<Note>
  private(set) var isOutdated = false

  init(_ context: NSManagedObjectContext) {
    let request = Note.fetchRequest()
    request.sortDescriptors = [NSSortDescriptor(key: "title", ascending: true)]
    results = FetchedResults(of: request, in: context)
  }

  /// Called on the queue of the context.
  func search(_ text: String) {
    results.predicate = NSPredicate(format: "title CONTAINS[cd] %@", text)
    results.sortDescriptors = [NSSortDescriptor(key: "title", ascending: false)]
    if let error = results.error { print(error.localizedDescription) }
  }

  var lines: [String] {
    withObservationTracking {
      results.objects.map(\.title)
    } onChange: { [weak self] in
      self?.isOutdated = true
    }
  }
}

/// Has a store report what other processes save, with their changes.
func followOthers(_ description: NSPersistentStoreDescription) {
  description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)
  description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)
}

/// The server-sent events of a list: the number of notes, now and after each change.
func noteEvents(in context: NSManagedObjectContext) -> some AsyncSequence<String, any Error> {
  let request = NSFetchRequest<Note>(entityName: "Note")
  return context.updates(of: request, transform: \.objectID).map { update in
    "event: notes\ndata: \(update.results.count)\n\n"
  }
}
