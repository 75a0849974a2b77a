import CMemory
import CoreData
import Foundation
import Samples

/// Checks whether the memory of a million objects is returned to the kernel.
enum ReleasedMemory {
  private static let count = 1_000_000

  static func show(_ files: SampleFiles) throws {
    let store = try SampleStore(files.original(rows: count))
    // The first fetch allocates memory that is allocated only once: the model's tables, and the connection
    // with its page cache.
    _ = try fetched(in: store.context())
    CMemoryTrim()
    let start = Memory()
    print("\n\(count) objects of 10 integers; MB resident and allocated at the start: \(start)")
    for use in uses { try show(use.name, start) { try use.run(store) } }
  }

  private static func show(_ name: String, _ start: Memory, _ run: () throws -> Memory) throws {
    var held = Memory()
    for _ in 0..<3 { held = try run() }
    let end = Memory()
    // After very many objects are released, their memory is returned with a delay.
    Thread.sleep(forTimeInterval: 1.5)
    print("  \(name): held \(held - start), released \(end - start), a second later \(Memory() - start)")
  }

  private typealias Use = (name: String, run: (SampleStore) throws -> Memory)

  private static var uses: [Use] {
    [
      ("fetched and read", { try fetched(in: $0.context()) }),
      ("in batches of 50, one batch read", { try fetched(in: $0.context(), batchSize: 50, reading: 50) }),
      ("in a context that is reset", resetContext),
      ("in a context that goes on", longLivedContext),
      ("in a child context", inChild),
      ("as dictionaries", dictionaries),
    ]
  }

  /// The memory in use while all objects are held.
  private static func fetched(
    in context: NSManagedObjectContext,
    batchSize: Int = 0,
    reading: Int = count
  ) throws -> Memory {
    let request = NSFetchRequest<Sample>(entityName: "Sample")
    request.fetchBatchSize = batchSize
    let samples = try context.fetch(request)
    precondition(samples.count == count && samples.prefix(reading).reduce(0) { $0 &+ $1.sum } != 0)
    return withExtendedLifetime((context, samples)) { Memory() }
  }

  private static func resetContext(_ store: SampleStore) throws -> Memory {
    let context = store.context()
    context.retainsRegisteredObjects = true
    let held = try fetched(in: context)
    context.reset()
    lasting = context
    return held
  }

  private static func longLivedContext(_ store: SampleStore) throws -> Memory {
    let context = store.context()
    let held = try fetched(in: context)
    lasting = context
    return held
  }

  private static func inChild(_ store: SampleStore) throws -> Memory {
    let child = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    let parent = store.context()
    child.parent = parent
    return try withExtendedLifetime(parent) { try fetched(in: child) }
  }

  private static func dictionaries(_ store: SampleStore) throws -> Memory {
    let request = NSFetchRequest<NSDictionary>(entityName: "Sample")
    request.resultType = .dictionaryResultType
    request.propertiesToFetch = ["a0"]
    let context = store.context()
    let found = try context.fetch(request)
    precondition(found.count == count)
    return withExtendedLifetime((context, found)) { Memory() }
  }

  /// The context of the last run, which is still there when the memory is measured.
  nonisolated(unsafe) private static var lasting: NSManagedObjectContext?
}
