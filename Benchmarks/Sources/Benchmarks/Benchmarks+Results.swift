import CoreData
import Foundation
import Samples

extension Benchmarks {
  /// One object is inserted where a controller follows many: to be compared with fetching them again.
  static func insertIntoResults(_ url: URL) throws -> Workload {
    let count = 100_000
    let store = try SampleStore(url)
    let request = NSFetchRequest<Sample>(entityName: "Sample")
    request.fetchLimit = 0
    request.predicate = NSPredicate(format: "a0 < %@", Sample.value(count, 0))
    request.sortDescriptors = [NSSortDescriptor(key: "a0", ascending: true)]
    var workload = Workload(
      name: "insert one object into \(count) fetched results; raw is the fetch of them",
      raw: try Stopwatch.best {
        let context = store.context()
        let found = try context.fetch(request).count
        precondition(found == count)
      }
    )
    let context = store.context()
    let delegate = CountingDelegate()
    let controller = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: context,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    controller.delegate = delegate
    try controller.performFetch()
    let insertion = try Stopwatch.best {
      let sample = Sample(context: context)
      sample.fill(count / 2)
      context.processPendingChanges()
    }
    precondition(delegate.insertions == Stopwatch.rounds)
    workload.entries.append(("NSFetchedResultsController", insertion, 0.02))
    return workload
  }

  /// The first objects of a long list are shown: with all values, and with those of their batch.
  static func firstOfMany(_ url: URL) throws -> Workload {
    let store = try SampleStore(url)
    let request = NSFetchRequest<Sample>(entityName: "Sample")
    func read(_ count: Int) throws -> (NSManagedObjectContext, [Sample]) {
      let context = store.context()
      let samples = try context.fetch(request)
      precondition(samples.prefix(count).reduce(0) { $0 &+ $1.sum } != 0)
      return (context, samples)
    }
    var workload = Workload(
      name: "fetch \(rows) objects and read the first 50; raw is all values at once",
      raw: try Stopwatch.best { _ = try read(50) }
    )
    let before = Memory().resident
    let whole = try read(50)
    let wholeMemory = Memory().resident - before
    request.fetchBatchSize = 50
    workload.entries.append(("fetchBatchSize 50", try Stopwatch.best { _ = try read(50) }, 1))
    let middle = Memory().resident
    let batches = try read(50)
    print("memory in bytes: \(wholeMemory) at once, \(Memory().resident - middle) in batches")
    withExtendedLifetime((whole, batches)) {}
    return workload
  }
}

/// Counts what a controller reports.
private final class CountingDelegate: NSObject, NSFetchedResultsControllerDelegate {
  var insertions = 0

  func controller(
    _ controller: NSFetchedResultsController<any NSFetchRequestResult>,
    didChange anObject: Any,
    at indexPath: IndexPath?,
    for type: NSFetchedResultsChangeType,
    newIndexPath: IndexPath?
  ) {
    insertions += 1
  }
}
