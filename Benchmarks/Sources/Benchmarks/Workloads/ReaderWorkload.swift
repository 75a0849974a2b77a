import CoreData
import Foundation
import Samples
import Synchronization

/// Eight readers of one store, alone and concurrently with a writer that saves without pause.
struct ReaderWorkload {
  private static let readers = 8
  private static let seconds = 3.0

  let files: SampleFiles
  let rows: Int

  func make() throws -> Workload {
    let store = try SampleStore(files.make(rows: rows))
    return Workload(
      title: "\(Self.readers) readers of one store, fetches of 50 objects in a second",
      measure: .rate,
      contenders: [
        Contender("alone") { _ in .init(value: try Self.rate(of: store, isWritten: false)) },
        Contender("beside a writer", [.atLeastTimes(0.85)]) { _ in
          .init(value: try Self.rate(of: store, isWritten: true))
        },
      ]
    )
  }

  /// - Returns: the number of fetches per second of all readers.
  private static func rate(of store: SampleStore, isWritten: Bool) throws -> Double {
    let end = Stopwatch.wall.seconds + seconds
    let tally = Tally()
    let threads = DispatchGroup()
    func start(_ round: @escaping @Sendable () throws -> Void) {
      threads.enter()
      let thread = Thread {
        do {
          while Stopwatch.wall.seconds < end { try round() }
        } catch {
          tally.failure.withLock { $0 = error }
        }
        threads.leave()
      }
      thread.start()
    }
    for reader in 0..<readers {
      let context = store.context()
      start {
        try context.performAndWait { try read(reader * 50, in: context) }
        tally.fetches.add(1, ordering: .relaxed)
      }
    }
    if isWritten {
      let context = store.context()
      start { try context.performAndWait { try write(in: context) } }
    }
    let beginning = Stopwatch.wall.seconds
    threads.wait()
    if let failure = tally.failure.withLock({ $0 }) { throw failure }
    return Double(tally.fetches.load(ordering: .relaxed)) / (Stopwatch.wall.seconds - beginning)
  }

  private static func read(_ offset: Int, in context: NSManagedObjectContext) throws {
    let request = NSFetchRequest<Sample>(entityName: "Sample")
    request.fetchLimit = 50
    request.fetchOffset = offset
    let sum = try context.fetch(request).reduce(0) { $0 &+ $1.sum }
    precondition(sum != 0)
  }

  private static func write(in context: NSManagedObjectContext) throws {
    let request = NSFetchRequest<Sample>(entityName: "Sample")
    request.fetchLimit = 1
    request.fetchOffset = 100_000
    try context.fetch(request).first?.a0 += 1
    try context.save()
  }
}

/// The values that the threads of a round share.
private final class Tally: Sendable {
  let fetches = Atomic(0)
  /// The last error of a thread.
  let failure = Mutex<(any Error)?>(nil)
}
