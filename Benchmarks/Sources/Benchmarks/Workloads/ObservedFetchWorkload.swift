import CMemory
import CoreData
import Dispatch
import Foundation
import GRDB
import Samples

/// Inserts one object while many results are observed. It measures the time until the consumer has the new
/// results, and the memory of an observation.
struct ObservedFetchWorkload {
  private static let count = 100_000
  private static let insertions = 20

  let files: SampleFiles
  let rows: Int

  /// The time from an insertion to the consumer. Each contender commits to its own file.
  func latency() throws -> Workload {
    let context = try SampleStore(files.make(rows: rows)).context()
    let updates = ObservedSamples(context.updates(of: Self.request, transform: { $0.a0 }))
    let followed = SampleResults(context, Self.request)
    let observed = try ObservedStructs(
      GRDBFile.queue(files.make(rows: rows).path),
      below: Sample.value(Self.count, 0)
    )
    return Workload(
      title: "observe \(Self.count) results and get one insertion",
      measure: .time(.wall),
      repetitions: Self.insertions,
      contenders: [
        Contender("GRDB ValueObservation") {
          for number in 0..<Self.insertions { try observed.insert(Self.count / Self.insertions * number) }
        },
        Contender("NSFetchedResultsController") {
          for number in 0..<Self.insertions { try followed.insert(Self.count / Self.insertions * number) }
        },
        Contender("context.updates(of:transform:)", [.under("GRDB ValueObservation")]) {
          for number in 0..<Self.insertions {
            try context.performAndWait {
              Sample(context: context).fill(Self.count / Self.insertions * number)
              try context.save()
            }
            updates.waitForUpdate()
          }
        },
      ]
    )
  }

  /// The resident memory while results are observed.
  func memory() throws -> Workload {
    let url = try files.original(rows: rows)
    return Workload(
      title: "hold an observation of \(Self.count) results",
      measure: .megabytes,
      contenders: [
        Contender("GRDB ValueObservation") { _ in
          .init(
            value: try Self.megabytes {
              try ObservedStructs(GRDBFile.queue(url.path), below: Sample.value(Self.count, 0))
            }
          )
        },
        Contender("context.updates(of:transform:)") { _ in
          let store = try SampleStore(url)
          return .init(
            value: try Self.megabytes {
              ObservedSamples(store.context().updates(of: Self.request, transform: { $0.a0 }))
            }
          )
        },
      ]
    )
  }

  private static var request: NSFetchRequest<Sample> {
    let request = NSFetchRequest<Sample>(entityName: "Sample")
    request.predicate = NSPredicate(format: "a0 < %@", Sample.value(count, 0))
    request.sortDescriptors = [NSSortDescriptor(key: "a0", ascending: true)]
    return request
  }

  private static func megabytes<Held>(_ work: () throws -> Held) throws -> Double {
    _ = try work()
    CMemoryTrim()
    let start = Memory()
    let held = try work()
    return withExtendedLifetime(held) { Double((Memory() - start).resident) / 1e6 }
  }
}

/// A task that receives updates, and a thread that waits for them.
private final class ObservedSamples: Sendable {
  private let received = DispatchSemaphore(value: 0)
  private let task: Task<Void, any Error>

  /// Waits for the first update.
  init(_ updates: FetchedUpdates<Int64>) {
    let received = received
    task = Task { for try await _ in updates { received.signal() } }
    received.wait()
  }

  deinit { task.cancel() }

  func waitForUpdate() { received.wait() }
}

/// A fetched results controller with its own context.
private final class SampleResults {
  private let context: NSManagedObjectContext
  private let controller: NSFetchedResultsController<Sample>
  private let delegate = CountingDelegate()

  init(_ context: NSManagedObjectContext, _ request: NSFetchRequest<Sample>) {
    self.context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    self.context.persistentStoreCoordinator = context.persistentStoreCoordinator
    controller = NSFetchedResultsController(
      fetchRequest: request,
      managedObjectContext: self.context,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    controller.delegate = delegate
  }

  func insert(_ number: Int) throws {
    if controller.fetchedObjects == nil { try controller.performFetch() }
    let before = delegate.changes
    Sample(context: context).fill(number)
    try context.save()
    precondition(delegate.changes == before + 1)
  }
}

/// An observation of structs, and a thread that waits for its changes.
private final class ObservedStructs {
  private let queue: DatabaseQueue
  private let received = DispatchSemaphore(value: 0)
  private let observation: AnyDatabaseCancellable

  /// Waits for the first results.
  init(_ queue: DatabaseQueue, below bound: Int64) throws {
    self.queue = queue
    let received = received
    observation = ValueObservation.tracking { database in
      try SampleStruct.filter(Column("ZA0") < bound).order(Column("ZA0")).fetchAll(database)
    }.start(
      in: queue,
      scheduling: .async(onQueue: .global()),
      onError: { fatalError("the observation has failed: \($0)") },
      onChange: { _ in received.signal() }
    )
    received.wait()
  }

  func insert(_ number: Int) throws {
    try queue.write { database in
      var sample = SampleStruct(number: number)
      try sample.insert(database)
    }
    received.wait()
  }
}
