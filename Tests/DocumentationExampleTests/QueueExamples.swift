import CoreData
import Foundation
import Testing

@Suite("Examples of queues, deadlines and merging")
struct QueueExamples: NotebookExamples {
  let notebook: Notebook

  /// A deadline that even the slowest machine meets.
  private var requestDeadline: ContinuousClock.Instant { .now + .seconds(7_200) }

  init() throws { notebook = try Notebook(NSSQLiteStoreType) }

  @Test("work runs on its context's queue, in its turn")
  func perform() throws {
    // example: NSManagedObjectContext.swift open func perform(_ block
    context.perform {
      note.isPinned = false
      do {
        try context.save()
      } catch {
        print("the note stays pinned: \(error.localizedDescription)")
      }
    }
    // end
    #expect(context.performAndWait { !note.isPinned })
  }

  @Test("the caller waits for the work")
  func performAndWait() throws {
    // example: NSManagedObjectContext.swift open func performAndWait(_ block
    context.performAndWait {
      note.isPinned = false
    }
    // end
    #expect(context.updatedObjects == [note])
  }

  @Test("the caller waits for the result of the work")
  func performAndWaitWithResult() throws {
    // example: NSManagedObjectContext+Perform.swift func performAndWait<Result
    let titles = try context.performAndWait {
      try context.fetch(Note.fetchRequest()).map(\.title)
    }
    // end
    #expect(titles.count == 3)
  }

  @Test("a task is suspended until the work is done")
  func performInTask() async throws {
    // example: NSManagedObjectContext+Perform.swift func perform<Result
    let count = try await context.perform {
      Note(context: context).title = "Mend the fence"
      try context.save()
      return try context.count(for: Note.fetchRequest())
    }
    // end
    #expect(count == 4)
  }

  @Test("enqueued work runs after the waiting work")
  func schedule() async throws {
    // example: NSManagedObjectContext+Perform.swift enum ScheduledTaskType
    let rating = await context.perform(schedule: .enqueued) { note.rating }
    // end
    #expect(rating == 5)
  }

  @Test("work is done by its deadline")
  func deadline() async throws {
    // example: NSManagedObjectContext+Deadline.swift func perform<Result>(deadline
    let titles = try await context.perform(deadline: requestDeadline) {
      try context.fetch(NSFetchRequest<Note>(entityName: "Note")).map(\.title)
    }
    // end
    #expect(titles.count == 3)
  }

  @Test("work that writes is saved")
  func performWrite() async throws {
    // example: NSManagedObjectContext+Deadline.swift func performWrite<Result>
    try await context.performWrite(deadline: requestDeadline) {
      note.title = "Sow the broad beans"
    }
    // end
    #expect(try savedTitles().contains("Sow the broad beans"))
  }

  @Test("a save is done by its deadline")
  func saveByDeadline() async throws {
    // example: NSManagedObjectContext+Deadline.swift func save(deadline
    await context.perform { note.rating = 4 }
    try await context.save(deadline: requestDeadline)
    // end
    #expect(!context.hasChanges)
  }

  @Test("a background context writes and is saved")
  func performBackgroundWrite() async throws {
    // example: NSManagedObjectContext+Deadline.swift func performBackgroundWrite
    let id = try await container.performBackgroundWrite { context in
      let note = Note(context: context)
      note.title = "Sow the broad beans"
      try context.obtainPermanentIDs(for: [note])
      return note.objectID
    }
    // end
    #expect(context.object(with: id).value(forKey: "title") as? String == "Sow the broad beans")
  }

  @Test("a context merges what others save")
  func merging() async throws {
    // example: NSManagedObjectContext.swift var automaticallyMergesChangesFromParent
    context.automaticallyMergesChangesFromParent = true
    let id = note.objectID
    try await container.performBackgroundTask { background in
      let note = background.object(with: id) as? Note
      note?.title = "Prune the pear tree"
      try background.save()
    }
    let title = await context.perform { note.title }
    // end
    #expect(title == "Prune the pear tree")
  }

  @Test("a context merges the changes in a notification")
  func mergeNotification() throws {
    let id = note.objectID
    // example: NSManagedObjectContext+Merge.swift func mergeChanges(fromContextDidSave
    let background = container.newBackgroundContext()
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave,
      object: background,
      queue: nil
    ) { notification in
      context.mergeChanges(fromContextDidSave: notification)
    }
    // end
    defer { NotificationCenter.default.removeObserver(observer) }
    try background.performAndWait {
      (background.object(with: id) as? Note)?.title = "Prune the pear tree"
      try background.save()
    }
    #expect(note.title == "Prune the pear tree")
  }

  @Test("contexts merge changes that were made elsewhere")
  func mergeRemoteChanges() throws {
    let (other, id) = (container.newBackgroundContext(), note.objectID)
    #expect(!note.title.isEmpty)
    try other.performAndWait {
      (other.object(with: id) as? Note)?.title = "Prune the pear tree"
      try other.save()
    }
    // example: NSManagedObjectContext+Merge.swift static func mergeChanges(
    let changes = [NSUpdatedObjectsKey: [note.objectID]]
    NSManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: [context])
    // end
    #expect(note.title == "Prune the pear tree")
  }

  @Test("a save returns the inserted objects")
  func didSave() throws {
    let show = Shown<Int>()
    // example: NSManagedObjectContext+Notifications.swift let NSManagedObjectContextDidSave =
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave,
      object: context,
      queue: nil
    ) { notification in
      let inserted = notification.userInfo?[NSInsertedObjectsKey] as? Set<NSManagedObject>
      show(inserted?.count ?? 0)
    }
    // end
    defer { NotificationCenter.default.removeObserver(observer) }
    Note(context: context).title = "Mend the fence"
    try context.save()
    #expect(show.values == [1])
  }

  @Test("IDs of saved objects can be used by any thread")
  func didSaveObjectIDs() throws {
    let show = Shown<Set<NSManagedObjectID>>()
    // example: NSManagedObjectContext+Notifications.swift NSManagedObjectContextDidSaveObjectIDs
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSaveObjectIDs,
      object: context,
      queue: nil
    ) { notification in
      let updated = notification.userInfo?[NSUpdatedObjectIDsKey] as? Set<NSManagedObjectID>
      show(updated ?? [])
    }
    // end
    defer { NotificationCenter.default.removeObserver(observer) }
    note.rating = 4
    try context.save()
    #expect(show.values == [[note.objectID]])
  }

  @Test("changes are reported before they are saved")
  func objectsDidChange() throws {
    let show = Shown<Int>()
    // example: NSManagedObjectContext+Notifications.swift NSManagedObjectContextObjectsDidChange
    let observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextObjectsDidChange,
      object: context,
      queue: nil
    ) { notification in
      let updated = notification.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject>
      show(updated?.count ?? 0)
    }
    // end
    defer { NotificationCenter.default.removeObserver(observer) }
    note.rating = 4
    context.processPendingChanges()
    #expect(show.values == [1])
  }

  @Test("notifications are waited for")
  func notifications() async throws {
    // example: NotificationCenter+Sequence.swift func notifications(
    let saves = NotificationCenter.default.notifications(
      named: .NSManagedObjectContextDidSave,
      object: context
    )
    var saved = saves.makeAsyncIterator()
    try await context.perform {
      note.isPinned = false
      try context.save()
    }
    let updated = await saved.next()?.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject>
    print(updated?.count ?? 0)  // 1
    // end
    #expect(updated?.count == 1)
  }

  @Test("a pinned context reads its own state")
  func queryGeneration() throws {
    // example: NSManagedObjectContext+QueryGeneration.swift func setQueryGenerationFrom
    let report = container.newBackgroundContext()
    try report.setQueryGenerationFrom(.current)
    let before = try report.count(for: Note.fetchRequest())

    Note(context: context).title = "Mend the fence"
    try context.save()
    let after = try report.count(for: Note.fetchRequest())
    print(before == after)  // true
    // end
    #expect(before == 3 && after == 3)
  }
}
