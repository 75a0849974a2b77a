import CoreData
import Foundation
import Synchronization
import TestSupport
import Testing

/// Several contexts that save, and controllers on another context that merges the saves later.
// Each test uses it on one thread at a time.
private final class Newsroom: @unchecked Sendable {
  private let stack: Stack
  private let writers: [NSManagedObjectContext]
  private let controllers: [NSFetchedResultsController<Note>]
  private let recorders: [ChangeRecorder]
  /// The saves that the controllers' context has not merged yet.
  private var unread: [Notification] = []
  private var observations: [any NSObjectProtocol] = []
  private var random: SplitMix
  private var count: Int32 = 0
  /// A log of the actions, to find the cause of a failure.
  private var log = ""

  init(_ kind: StoreKind, seed: UInt64) throws {
    stack = try Stack(kind)
    random = SplitMix(seed: seed)
    for number in 0..<Int.random(in: 0..<6, using: &random) {
      let note = stack.note("\(number)", rating: .random(in: 0..<10, using: &random))
      // A unique value makes the order total.
      note.setValue(-1 - number, forKey: "medium")
    }
    try stack.save()
    controllers = [
      try stack.controller("rating < 7", sort: ["title", "medium"]),
      try stack.controller(sort: ["rating", "title", "medium"], sections: "rating"),
    ]
    controllers[1].fetchRequest.fetchBatchSize = 2
    writers = (0..<4).map { [stack] _ in stack.newContext() }
    recorders = try controllers.map { controller in
      let recorder = ChangeRecorder(controller)
      try controller.performFetch()
      recorder.start(controller)
      return recorder
    }
    for writer in writers {
      writer.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
      observations.append(
        NotificationCenter.default.addObserver(
          forName: .NSManagedObjectContextDidSaveObjectIDs,
          object: writer,
          queue: nil
        ) { [unowned self] in unread.append($0) }
      )
    }
  }

  deinit { observations.forEach(NotificationCenter.default.removeObserver) }

  /// Runs saves of the writers and merges into the controllers' context in random order. At the end, all saves are merged.
  func run() throws {
    for _ in 0..<Int.random(in: 2..<12, using: &random) {
      switch Int.random(in: 0..<8, using: &random) {
      case 0..<4: try write()
      case 4..<6: read()
      case 6: try changeHere()
      default:
        for note in try stack.fetch(Note.self) where Bool.random(using: &random) {
          log += "look \(note.title ?? "nil") \(note.value(forKey: "medium") ?? 0); "
        }
      }
      compareCopies()
    }
    while !unread.isEmpty { read() }
    compareCopies()
    for controller in controllers {
      let request = controller.fetchRequest
      let expected = try stack.context.fetch(request)
      #expect(controller.fetchedObjects?.map(\.objectID) == expected.map(\.objectID), "\(log)")
      // The expected results are those of a context without previous state.
      if !stack.context.hasChanges {
        let stored = try stack.newContext().fetch(request)
        #expect(controller.fetchedObjects?.map(\.objectID) == stored.map(\.objectID))
        #expect(controller.titles == stored.map { $0.title ?? "" })
      }
    }
  }

  private func read() {
    if unread.isEmpty { return }
    log += "merge; "
    stack.context.mergeChanges(fromContextDidSave: unread.removeFirst())
  }

  private func write() throws {
    let writer = writers.randomElement(using: &random)!
    for _ in 0..<Int.random(in: 1...2, using: &random) { try change(writer) }
    do {
      try writer.save()
      log += "saved; "
    } catch {
      writer.rollback()
      log += "refused; "
    }
  }

  /// Changes notes in the controllers' context, and leaves the changes unsaved, discards them or saves them.
  private func changeHere() throws {
    try change(stack.context)
    switch Int.random(in: 0..<3, using: &random) {
    case 0:
      stack.context.processPendingChanges()
      log += "kept here; "
    case 1:
      stack.context.rollback()
      log += "rolled back here; "
    default:
      do {
        try stack.context.save()
        log += "saved here; "
      } catch {
        stack.context.rollback()
        log += "refused here: \((error as NSError).code); "
      }
    }
  }

  private func change(_ context: NSManagedObjectContext) throws {
    let notes = try stack.fetch(
      Note.self,
      sort: [NSSortDescriptor(key: "medium", ascending: true)],
      in: context
    )
    let note = notes.randomElement(using: &random)
    let kind = Int.random(in: 0..<6, using: &random)
    log += ["insert ", "insert ", "delete ", "delete ", "title ", "rating "][kind]
    log += "\(note?.value(forKey: "medium") ?? 0) "
    switch kind {
    case 0...1:
      let note = Note(context: context)
      count += 1
      note.title = "\(Int.random(in: 0..<9, using: &random))"
      note.rating = .random(in: 0..<10, using: &random)
      note.setValue(count, forKey: "medium")
    case 2...3: note.map(context.delete)
    case 4: note?.title = "\(Int.random(in: 0..<9, using: &random))"
    default: note?.rating = .random(in: 0..<10, using: &random)
    }
  }

  private func compareCopies() {
    for (recorder, controller) in zip(recorders, controllers) { #expect(recorder.isCopyOf(controller)) }
  }
}

@Suite("Fetched results and the saves of other contexts")
struct RandomMergesTests {
  @Test(
    "fetched results equal those of a new fetch after any order of saves and merges",
    arguments: [StoreKind.sqlite, .inMemory]
  )
  func randomOrders(_ kind: StoreKind) throws {
    for seed in 1...UInt64(Soak.rounds(250)) {
      try Newsroom(kind, seed: seed).run()
    }
  }

  /// A controller of all notes, whose context has merged nothing, and a context that saves.
  private func scene(_ kind: StoreKind, _ titles: [String]) throws -> (
    Stack, NSFetchedResultsController<Note>, ChangeRecorder, NSManagedObjectContext
  ) {
    let stack = try Stack(kind)
    for title in titles { stack.note(title) }
    try stack.save()
    stack.context.reset()
    let controller = try stack.controller("title BEGINSWITH 'n'")
    let recorder = ChangeRecorder(controller)
    try controller.performFetch()
    recorder.start(controller)
    let writer = stack.sibling()
    stack.context.automaticallyMergesChangesFromParent = true
    return (stack, controller, recorder, writer)
  }

  @Test(
    "an object changed and deleted before its context merged either is removed from the results",
    arguments: StoreKind.storesAndChildren
  )
  func changedAndDeleted(_ kind: StoreKind) throws {
    let (stack, controller, recorder, writer) = try scene(kind, ["n1", "n2"])
    try stack.context.performAndWait {
      let note = try #require(try stack.fetch(Note.self, "title == 'n1'", in: writer).first)
      note.title = "n3"
      try writer.save()
      writer.delete(note)
      try writer.save()
    }
    stack.context.performAndWait {}
    #expect(controller.titles == ["n2"])
    #expect(recorder.isCopyOf(controller))
    #expect(recorder.told.count { if case .object(_, _, .delete, _) = $0 { true } else { false } } == 1)
  }

  @Test(
    "an object inserted and deleted before its context merged either is not in the results",
    arguments: StoreKind.storesAndChildren
  )
  func insertedAndDeleted(_ kind: StoreKind) throws {
    let (stack, controller, recorder, writer) = try scene(kind, ["n1"])
    try stack.context.performAndWait {
      let note = Note(context: writer)
      note.title = "n2"
      try writer.save()
      writer.delete(note)
      try writer.save()
    }
    stack.context.performAndWait {}
    #expect(controller.titles == ["n1"])
    #expect(recorder.isCopyOf(controller))
  }

  @Test(
    "gain an object that its context did not have, and that a change of others made match",
    arguments: StoreKind.storesAndChildren
  )
  func unknownObject(_ kind: StoreKind) throws {
    let (stack, controller, recorder, writer) = try scene(kind, ["n1", "other"])
    let note = try #require(try stack.fetch(Note.self, "title == 'other'", in: writer).first)
    note.title = "n0"
    try writer.save()
    stack.context.performAndWait {}
    #expect(controller.titles == ["n0", "n1"])
    #expect(recorder.isCopyOf(controller))
  }

  @Test(
    "fetched results follow the order of objects whose values were never read",
    arguments: StoreKind.storesAndChildren
  )
  func unusedFault(_ kind: StoreKind) throws {
    let (stack, controller, recorder, writer) = try scene(kind, ["n1", "n2", "n3"])
    let note = try #require(try stack.fetch(Note.self, "title == 'n1'", in: writer).first)
    note.title = "n9"
    try writer.save()
    stack.context.performAndWait {}
    #expect(controller.titles == ["n2", "n3", "n9"])
    #expect(recorder.isCopyOf(controller))
  }

  @Test("fetched results are complete after threads have written", arguments: [StoreKind.sqlite, .inMemory])
  func severalThreads(_ kind: StoreKind) async throws {
    let stack = try Stack(kind)
    nonisolated(unsafe) let controller = try stack.controller(sort: ["title", "medium"])
    let recorder = ChangeRecorder(controller)
    try stack.context.performAndWait {
      try controller.performFetch()
      recorder.start(controller)
    }
    stack.context.automaticallyMergesChangesFromParent = true
    let writers = (0..<4).map { _ in stack.newContext() }
    await withTaskGroup(of: Void.self) { group in
      for (number, writer) in writers.enumerated() {
        writer.mergePolicy = NSMergePolicy.mergeByPropertyObjectTrump
        group.addTask {
          for round in 0..<Soak.rounds(30) {
            await writer.perform { Self.write(writer, number, round) }
          }
        }
      }
    }
    // The merges were scheduled on the context's queue before this block, so they are complete after it.
    await stack.context.perform {}
    try stack.context.performAndWait {
      #expect(recorder.isCopyOf(controller))
      let stored = try stack.newContext().fetch(controller.fetchRequest)
      #expect(controller.fetchedObjects?.map(\.objectID) == stored.map(\.objectID))
    }
  }

  private static func write(_ context: NSManagedObjectContext, _ writer: Int, _ round: Int) {
    let notes = (try? context.fetch(NSFetchRequest<Note>(entityName: "Note"))) ?? []
    notes.randomElement()?.title = "\(round % 7)"
    if round % 3 == 0 { notes.randomElement().map(context.delete) }
    let note = Note(context: context)
    note.title = "\(round % 5)"
    note.setValue(writer * 10_000 + round, forKey: "medium")
    do { try context.save() } catch { context.rollback() }
  }
}
