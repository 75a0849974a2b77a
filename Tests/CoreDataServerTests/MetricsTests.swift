import CoreData
import CoreDataServer
import Foundation
import MetricsTestKit
import TestSupport
import Testing

@Suite("Metrics of a coordinator's stores")
struct MetricsTests {
  private static func request(_ format: String = "TRUEPREDICATE") -> NSFetchRequest<NSManagedObject> {
    let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
    request.predicate = NSPredicate(format: format)
    return request
  }

  @Test("fetches, counts, groups, faults and relationships are timed, and their rows counted")
  func reading() async throws {
    let stack = try TelemetryStack()
    try await stack.addNotes(["a", "b", "c"])
    try await stack.container.performBackgroundTask { context throws in
      #expect(try context.fetch(Self.request("title != 'c'")).count == 2)
      #expect(try context.count(for: Self.request()) == 3)
      let groups = NSFetchRequest<NSDictionary>(entityName: "Note")
      groups.resultType = .dictionaryResultType
      groups.propertiesToFetch = ["title"]
      groups.propertiesToGroupBy = ["title"]
      #expect(try context.fetch(groups).count == 3)
    }
    #expect(stack.count(ofTimer: "coredata.fetch.duration") == 1)
    #expect(stack.count(ofTimer: "coredata.count.duration") == 1)
    #expect(stack.count(ofTimer: "coredata.aggregate.duration") == 1)
    #expect(stack.total("coredata.rows.read") == 2 + 1 + 3)
    #expect(stack.count(ofTimer: "coredata.fault.duration") == 0)

    try await stack.container.performBackgroundTask { context throws in
      let request = Self.request("title == 'a'")
      request.includesPropertyValues = false
      let note = try #require(try context.fetch(request).first)
      #expect(note.value(forKey: "title") as? String == "a")
      #expect((note.value(forKey: "tags") as? Set<NSManagedObject>)?.isEmpty == true)
    }
    #expect(stack.count(ofTimer: "coredata.fault.duration") == 1)
    #expect(stack.count(ofTimer: "coredata.relationship.duration") == 1)
  }

  @Test("saves and batches are timed, and their rows and transactions counted")
  func writing() async throws {
    let stack = try TelemetryStack()
    try await stack.addNotes(["a", "b"])
    #expect(stack.count(ofTimer: "coredata.save.duration") == 1)
    #expect(stack.total("coredata.rows.written") == 2)
    #expect(stack.total("coredata.transactions") == 1)
    #expect(stack.count(ofTimer: "coredata.write.wait", [("for", "turn")]) == 1)
    #expect(stack.count(ofTimer: "coredata.write.wait", [("for", "lock")]) == 1)

    try await stack.container.performBackgroundWrite { context in
      _ = try context.execute(
        NSBatchInsertRequest(entityName: "Note", objects: [["title": "c"], ["title": "d"], ["title": "e"]])
      )
      let update = NSBatchUpdateRequest(entityName: "Note")
      update.propertiesToUpdate = ["count": 1]
      _ = try context.execute(update)
      let fetch = NSFetchRequest<any NSFetchRequestResult>(entityName: "Note")
      fetch.predicate = NSPredicate(format: "title == 'a'")
      _ = try context.execute(NSBatchDeleteRequest(fetchRequest: fetch))
    }
    #expect(stack.count(ofTimer: "coredata.batchInsertion.duration") == 1)
    #expect(stack.count(ofTimer: "coredata.batchUpdate.duration") == 1)
    #expect(stack.count(ofTimer: "coredata.batchDeletion.duration") == 1)
    #expect(stack.total("coredata.rows.written") == 2 + 3 + 5 + 1)
    #expect(stack.total("coredata.transactions") == 4)
  }

  @Test("saves with conflicts or violated constraints are counted, whether or not they succeed")
  func conflicts() async throws {
    let stack = try TelemetryStack()
    try await stack.addNotes(["a"])
    await #expect(throws: CocoaError.self) { try await stack.addNotes(["a"]) }
    #expect(stack.total("coredata.conflicts") == 1)

    let (one, other) = (stack.container.newBackgroundContext(), stack.container.newBackgroundContext())
    for context in [one, other] {
      try await context.perform { try context.fetch(Self.request()).first?.setValue(1, forKey: "count") }
    }
    try await one.perform { try one.save() }
    try await other.perform {
      other.mergePolicy = NSMergePolicy.overwrite
      try other.save()
    }
    #expect(stack.total("coredata.conflicts") == 2)
    // The metric counts the one conflict that the merge policy did not resolve.
    #expect(stack.total("coredata.errors", [("work", "save")]) == 1)
    #expect(stack.count(ofTimer: "coredata.save.duration") == 4)
  }

  @Test("an invalid save counts as one that ended with an error")
  func validation() async throws {
    let stack = try TelemetryStack()
    await #expect(throws: CocoaError.self) {
      try await stack.addNotes([String(repeating: "a", count: 1_001)])
    }
    #expect(stack.total("coredata.errors", [("work", "save")]) == 1)
    #expect(stack.total("coredata.transactions") == 0)
  }

  @Test("telemetry that is attached to stores that are open hears of them")
  func attachedLater() async throws {
    let stack = try TelemetryStack()
    stack.coordinator.setMonitor(nil)
    try await stack.addNotes(["a"])
    #expect(stack.total("coredata.transactions") == 0)
    stack.telemetry.attach(to: stack.coordinator)
    try await stack.addNotes(["b"])
    #expect(stack.total("coredata.transactions") == 1)
    #expect(stack.count(ofTimer: "coredata.write.wait", [("for", "lock")]) == 1)
  }

  @Test("reads of a store that serializes reads and writes do not count as waits of writers")
  func inMemory() async throws {
    let stack = try TelemetryStack(at: URL(fileURLWithPath: "/dev/null"))
    try await stack.addNotes(["a"])
    #expect(try await stack.noteCount() == 1)
    #expect(stack.count(ofTimer: "coredata.write.wait", [("for", "turn")]) == 1)
  }

  @Test("work that ends with an error is counted by its kind")
  func errors() async throws {
    let stack = try TelemetryStack()
    await #expect(throws: (any Error).self) {
      try await stack.container.performBackgroundTask { context throws in
        _ = try context.fetch(Self.request("title MATCHES '('"))
      }
    }
    #expect(stack.total("coredata.errors", [("work", "fetch")]) == 1)
    #expect(stack.total("coredata.errors", [("work", "save")]) == 0)
  }

  @Test("reads and saves in a transaction and at a pinned generation are measured too")
  func otherChannels() async throws {
    let stack = try TelemetryStack()
    try await stack.addNotes(["a"])
    try stack.coordinator.performTransaction { context in
      #expect(try context.fetch(Self.request()).count == 1)
      NSEntityDescription.insertNewObject(forEntityName: "Note", into: context).setValue("b", forKey: "title")
      try context.save()
    }
    #expect(stack.count(ofTimer: "coredata.fetch.duration") == 1)
    #expect(stack.count(ofTimer: "coredata.save.duration") == 2)
    #expect(stack.total("coredata.transactions") == 2)

    let pinned = stack.container.newBackgroundContext()
    try await pinned.perform {
      try pinned.setQueryGenerationFrom(.current)
      #expect(try pinned.fetch(Self.request()).count == 2)
    }
    #expect(stack.count(ofTimer: "coredata.fetch.duration") == 2)
    stack.telemetry.recordActivity(of: stack.coordinator)
    #expect(try stack.gauge("coredata.generations.held") == 1)
    #expect(try #require(try stack.gauge("coredata.generations.age")) > 0)
    #expect(try #require(try stack.gauge("coredata.log.bytes")) > 0)
    #expect(try stack.gauge("coredata.writers.waiting") == 0)
    #expect(try stack.gauge("coredata.readers.busy") == 0)
  }

  @Test("a child's fetch is measured once, by the topmost context")
  func children() async throws {
    let stack = try TelemetryStack()
    try await stack.addNotes(["a"])
    let parent = stack.container.newBackgroundContext()
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = parent
    try await child.perform {
      try child.fetch(Self.request()).first?.setValue("b", forKey: "title")
      try child.save()
    }
    #expect(stack.count(ofTimer: "coredata.fetch.duration") == 1)
    #expect(stack.count(ofTimer: "coredata.save.duration") == 1)
    try await parent.perform { try parent.save() }
    #expect(stack.count(ofTimer: "coredata.save.duration") == 2)
  }

  @Test("a migration is timed")
  func migration() throws {
    let folder = try TestFolder()
    let old = try TelemetryStack(in: folder)
    #expect(old.count(ofTimer: "coredata.migration.duration") == 0)
    for store in old.coordinator.persistentStores { try old.coordinator.remove(store) }
    let new = try TelemetryStack(in: folder, attributes: ["text", "author"])
    #expect(new.count(ofTimer: "coredata.migration.duration") == 1)
  }

  @Test("telemetry that another one has replaced hears nothing any more")
  func replaced() async throws {
    let stack = try TelemetryStack()
    let metrics = TestMetrics()
    StoreTelemetry(name: "other", metrics: metrics, tracer: nil).attach(to: stack.coordinator)
    try await stack.addNotes(["a"])
    #expect(stack.count(ofTimer: "coredata.save.duration") == 0)
    #expect(stack.total("coredata.transactions") == 0)
    #expect(metrics.counterTotal(label: "coredata.transactions") == 1)
  }
}
