import CoreData
import Foundation
import NoteSeeds
import Samples

/// The workloads of `Benchmarks`, small enough for an instrument that slows them down fifty times.
enum SmallWorkloads {
  struct Workload: Sendable {
    let name: String
    /// Prepares the input of the work in a new file, and returns the work.
    let prepare: @Sendable (URL) throws -> () throws -> Void
  }

  static let all = [
    Workload(name: "fetch", prepare: fetching), Workload(name: "insert", prepare: insertion),
    Workload(name: "change", prepare: change), Workload(name: "delete", prepare: deletion),
    Workload(name: "key", prepare: byKey), Workload(name: "indexed", prepare: byIndexedAttribute),
    Workload(name: "prefetched", prepare: prefetchedWalk), Workload(name: "walk", prepare: singleWalk),
    Workload(name: "child", prepare: childSave), Workload(name: "batch-insert", prepare: batchInsertion),
    Workload(name: "open", prepare: opening), Workload(name: "values", prepare: valuesByName),
    Workload(name: "results", prepare: insertionIntoResults),
  ]

  private static let rows = 1_000
  private static let lookups = 200

  // MARK: - Objects of ten integers

  private static func fetching(_ url: URL) throws -> () throws -> Void {
    let store = try filledStore(url)
    // Opens the connection for the later fetch.
    _ = try store.context().count(for: NSFetchRequest<Sample>(entityName: "Sample"))
    let context = store.context()
    return {
      let sum = try context.fetch(NSFetchRequest<Sample>(entityName: "Sample")).reduce(0) { $0 &+ $1.sum }
      precondition(sum != 0)
    }
  }

  /// The same work as `fetch`, with values by the names of attributes.
  private static func valuesByName(_ url: URL) throws -> () throws -> Void {
    let store = try filledStore(url)
    _ = try store.context().count(for: NSFetchRequest<Sample>(entityName: "Sample"))
    let context = store.context()
    return {
      let samples = try context.fetch(NSFetchRequest<Sample>(entityName: "Sample"))
      precondition(samples.reduce(0) { $0 &+ $1.sumByKeys } != 0)
    }
  }

  private static func insertion(_ url: URL) throws -> () throws -> Void {
    let context = try SampleStore(url).context()
    return {
      for row in 0..<rows { Sample(context: context).fill(row) }
      try context.save()
    }
  }

  private static func change(_ url: URL) throws -> () throws -> Void {
    let context = try filledStore(url).context()
    let samples = try context.fetch(NSFetchRequest<Sample>(entityName: "Sample"))
    return {
      for (row, sample) in samples.enumerated() { sample.a0 = Int64(row + 7) }
      try context.save()
    }
  }

  private static func deletion(_ url: URL) throws -> () throws -> Void {
    let context = try filledStore(url).context()
    let samples = try context.fetch(NSFetchRequest<Sample>(entityName: "Sample"))
    return {
      for sample in samples { context.delete(sample) }
      try context.save()
    }
  }

  private static func byKey(_ url: URL) throws -> () throws -> Void {
    let store = try filledStore(url)
    let ids = try store.context().fetch(NSFetchRequest<Sample>(entityName: "Sample")).prefix(lookups).map(
      \.objectID
    )
    let context = store.context()
    return { for id in ids { _ = try context.existingObject(with: id) } }
  }

  private static func childSave(_ url: URL) throws -> () throws -> Void {
    let parent = try SampleStore(url).context()
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    child.parent = parent
    for row in 0..<rows { Sample(context: child).fill(row) }
    return { try child.save() }
  }

  private static func batchInsertion(_ url: URL) throws -> () throws -> Void {
    let context = try SampleStore(url).context()
    return {
      var row = 0
      let request = NSBatchInsertRequest(entity: Sample.entity()) { (values: NSMutableDictionary) in
        guard row < rows else { return true }
        for (column, key) in Sample.keys.enumerated() { values[key] = Sample.value(row, column) }
        row += 1
        return false
      }
      _ = try context.execute(request)
    }
  }

  private static func insertionIntoResults(_ url: URL) throws -> () throws -> Void {
    let context = try filledStore(url).context()
    let request = NSFetchRequest<Sample>(entityName: "Sample")
    request.predicate = NSPredicate(format: "a0 < %@", Sample.value(rows, 0))
    request.sortDescriptors = [NSSortDescriptor(key: "a0", ascending: true)]
    let controller = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: context,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    let follower = CountingDelegate()
    controller.delegate = follower
    try controller.performFetch()
    return {
      for row in 0..<lookups {
        Sample(context: context).fill(rows / lookups * row)
        context.processPendingChanges()
      }
      precondition(follower.changes == lookups && controller.fetchedObjects?.count == rows + lookups)
    }
  }

  private static func filledStore(_ url: URL) throws -> SampleStore {
    try SampleStore.fill(url, count: rows)
    return try SampleStore(url)
  }

  // MARK: - Notes with a category and tags

  private static func byIndexedAttribute(_ url: URL) throws -> () throws -> Void {
    let context = try notes(url)
    return {
      for number in 0..<lookups {
        let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
        request.predicate = NSPredicate(format: "title == %@", "note \(number)")
        let found = try context.fetch(request)
        precondition(found.count == 1)
      }
    }
  }

  private static func prefetchedWalk(_ url: URL) throws -> () throws -> Void {
    let context = try notes(url)
    return {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.relationshipKeyPathsForPrefetching = ["category", "tags"]
      walk(try context.fetch(request))
    }
  }

  private static func singleWalk(_ url: URL) throws -> () throws -> Void {
    let context = try notes(url)
    return {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.fetchLimit = lookups
      walk(try context.fetch(request))
    }
  }

  private static func walk(_ notes: [NSManagedObject]) {
    var names = 0
    for note in notes {
      let category: NSManagedObject? = note.managedValue("category")
      guard let name: String = category?.managedValue("name"), !name.isEmpty else { continue }
      let tags: Set<NSManagedObject> = note.managedValue("tags")
      for tag in tags where (tag.managedValue("name") as String?) != nil { names += 1 }
    }
    precondition(names == notes.count * 3)
  }

  /// A context of a store of notes, which does not contain any of them yet.
  private static func notes(_ url: URL) throws -> NSManagedObjectContext {
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: NotesModel.make(indexed: ["title"]))
    try coordinator.addPersistentStore(type: .sqlite, at: url)
    func context() -> NSManagedObjectContext {
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = coordinator
      return context
    }
    let writer = context()
    func named(_ entity: String, _ number: Int) -> NSManagedObject {
      let object = NSEntityDescription.insertNewObject(forEntityName: entity, into: writer)
      object.setValue("\(entity) \(number)", forKey: "name")
      return object
    }
    let categories = (0..<10).map { named("Category", $0) }
    let tags = (0..<100).map { named("Tag", $0) }
    for number in 0..<rows {
      let note = NSEntityDescription.insertNewObject(forEntityName: "Note", into: writer)
      note.setValue("note \(number)", forKey: "title")
      note.setValue(categories[number % categories.count], forKey: "category")
      note.setValue(Set((0..<3).map { tags[(number * 7 + $0 * 31) % tags.count] }), forKey: "tags")
    }
    try writer.save()
    return context()
  }

  // MARK: - A store of many entities

  private static func opening(_ url: URL) throws -> () throws -> Void {
    let model = ManyEntities.make()
    let made = NSPersistentStoreCoordinator(managedObjectModel: model)
    try made.remove(made.addPersistentStore(type: .sqlite, at: url))
    return {
      let coordinator = NSPersistentStoreCoordinator(managedObjectModel: model)
      try coordinator.remove(coordinator.addPersistentStore(type: .sqlite, at: url))
    }
  }
}
