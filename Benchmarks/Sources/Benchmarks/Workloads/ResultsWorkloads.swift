import CoreData
import Foundation
import Samples

/// Lists of many objects: one that a controller follows, and one of which only a part is shown.
struct ResultsWorkloads {
  let files: SampleFiles
  let rows: Int

  /// Inserts one object while a controller follows many, to be compared with fetching them again.
  func insertIntoResults() throws -> Workload {
    let count = 100_000
    let insertions = 20
    let store = try SampleStore(files.original(rows: rows))
    let request = NSFetchRequest<Sample>(entityName: "Sample")
    request.predicate = NSPredicate(format: "a0 < %@", Sample.value(count, 0))
    request.sortDescriptors = [NSSortDescriptor(key: "a0", ascending: true)]
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
    return Workload(
      title: "insert one object into \(count) fetched results, with its notifications",
      repetitions: insertions,
      contenders: [
        Contender("fetching them again") {
          for _ in 0..<insertions {
            let fetching = store.context()
            let found = try fetching.fetch(request).count
            precondition(found == count)
          }
        },
        Contender("NSFetchedResultsController", [.atMost(0.000_1), .times(0.02)]) {
          let before = delegate.changes
          for number in 0..<insertions {
            Sample(context: context).fill(count / insertions * number)
            context.processPendingChanges()
          }
          precondition(delegate.changes == before + insertions && controller.fetchedObjects != nil)
        },
        ResultsFloor.contender(count, insertions: insertions),
      ]
    )
  }

  /// Shows the first objects of a long list, with the values of all objects or of a batch.
  func firstOfMany() throws -> Workload {
    let store = try SampleStore(files.original(rows: rows))
    func read(_ count: Int, batchSize: Int) throws {
      let request = NSFetchRequest<Sample>(entityName: "Sample")
      request.fetchBatchSize = batchSize
      let context = store.context()
      let samples = try context.fetch(request)
      precondition(samples.prefix(count).reduce(0) { $0 &+ $1.sum } != 0)
    }
    return Workload(
      title: "fetch \(rows) objects and read the first 50",
      contenders: [
        Contender("all values at once") { try read(50, batchSize: 0) },
        Contender("fetchBatchSize 50", [.times(1)]) { try read(50, batchSize: 50) },
      ]
    )
  }
}
