import CoreData
import Foundation
import Samples

/// From notes to their categories and tags, with one query for all of them and with one for each.
extension Benchmarks {
  static let notes = 100_000

  static func prefetchedWalk(_ url: URL) throws -> Workload {
    let raw = try RawSQLite(url.path)
    let expected = NoteStore.tagsOfANote * notes
    var workload = Workload(
      name: "walk from \(notes) notes to category and tags, prefetched",
      raw: try Stopwatch.best {
        let found = try raw.walk()
        precondition(found == expected)
      }
    )
    let store = try NoteStore(url)
    let request = NSFetchRequest<BenchmarkNote>(entityName: "Note")
    request.relationshipKeyPathsForPrefetching = ["category", "tags"]
    let objects = try Stopwatch.best {
      let context = store.context()
      let found = try withExtendedLifetime(context) { try walk($0.fetch(request)) }
      precondition(found == expected)
    }
    workload.entries.append(("managed objects", objects, 3))
    return workload
  }

  static func singleWalk(_ url: URL) throws -> Workload {
    let raw = try RawSQLite(url.path)
    let count = notes / 10
    var workload = Workload(
      name: "walk from \(count) notes to category and tags, one query each",
      raw: try Stopwatch.best {
        let found = try raw.walkOneByOne(count)
        precondition(found == count * NoteStore.tagsOfANote)
      }
    )
    let store = try NoteStore(url)
    let request = NSFetchRequest<BenchmarkNote>(entityName: "Note")
    request.fetchLimit = count
    let objects = try Stopwatch.best {
      let context = store.context()
      let found = try withExtendedLifetime(context) { try walk($0.fetch(request)) }
      precondition(found == count * NoteStore.tagsOfANote)
    }
    workload.entries.append(("managed objects", objects, 2))
    return workload
  }

  /// Counts the tags with names of notes whose category has one.
  private static func walk(_ notes: [BenchmarkNote]) -> Int {
    var count = 0
    for note in notes where note.category?.name != nil {
      for tag in note.tags where tag.name != nil { count += 1 }
    }
    return count
  }

  /// New objects of a child go to their parent: to be compared with making them.
  static func childSave() throws -> Workload {
    let count = 10_000
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Sample.model)
    try coordinator.addPersistentStore(type: .inMemory, at: URL(fileURLWithPath: "/dev/null"))
    let parent = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    parent.persistentStoreCoordinator = coordinator
    func made() -> NSManagedObjectContext {
      parent.reset()
      let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      child.parent = parent
      for row in 0..<count { Sample(context: child).fill(row) }
      return child
    }
    var workload = Workload(
      name: "save \(count) new objects of a child into its parent; raw is making them",
      raw: try Stopwatch.best { _ = made() }
    )
    let save = try Stopwatch.best(prepare: made) { try $0.save() }
    workload.entries.append(("save()", save, 1))
    return workload
  }
}
