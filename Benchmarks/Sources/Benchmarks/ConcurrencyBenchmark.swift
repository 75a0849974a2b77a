import CoreData
import Foundation
import Samples
import Synchronization

/// Eight readers on one store, alone and beside a writer that saves without pause.
enum ConcurrencyBenchmark {
  private static let readers = 8
  private static let seconds = 5.0

  static func show(_ url: URL) throws {
    let store = try SampleStore(url)
    let alone = fetches(store, writing: false)
    let beside = fetches(store, writing: true)
    print(
      """

      \(readers) readers of one store, fetches of 50 objects in \(Int(seconds)) s
        alone \(alone.read), beside a writer \(beside.read) (\(beside.written) saves): \
      \(100 * beside.read / max(alone.read, 1)) % of the rate; bound 80 %
      """
    )
  }

  private static func fetches(_ store: SampleStore, writing: Bool) -> (read: Int, written: Int) {
    let end = Date(timeIntervalSinceNow: seconds)
    let read = Atomic(0)
    let written = Atomic(0)
    let work = DispatchGroup()
    for reader in 0..<readers {
      let context = store.context()
      start(work) {
        let request = NSFetchRequest<Sample>(entityName: "Sample")
        request.fetchLimit = 50
        request.fetchOffset = reader * 50
        while Date() < end {
          let sum = context.performAndWait {
            ((try? context.fetch(request)) ?? []).reduce(0) { $0 &+ $1.sum }
          }
          precondition(sum != 0)
          read.add(1, ordering: .relaxed)
        }
      }
    }
    if writing {
      let context = store.context()
      start(work) {
        let request = NSFetchRequest<Sample>(entityName: "Sample")
        request.fetchLimit = 1
        request.fetchOffset = 100_000
        while Date() < end {
          context.performAndWait {
            ((try? context.fetch(request)) ?? []).first?.a0 += 1
            try? context.save()
          }
          written.add(1, ordering: .relaxed)
        }
      }
    }
    work.wait()
    return (read.load(ordering: .relaxed), written.load(ordering: .relaxed))
  }

  private static func start(_ work: DispatchGroup, _ body: @escaping @Sendable () -> Void) {
    work.enter()
    let thread = Thread {
      body()
      work.leave()
    }
    thread.start()
  }
}
