import CMemory
import CoreData
import Foundation
import GRDB
import Samples

/// The memory of many objects while all of them are held.
struct MemoryWorkload {
  let files: SampleFiles
  let count: Int

  func make() throws -> Workload {
    let url = try files.original(rows: count)
    return Workload(
      title: "hold \(count) objects of 10 integers",
      measure: .megabytes,
      contenders: [
        Contender("GRDB struct") { _ in
          let queue = try GRDBFile.queue(url.path)
          return .init(value: try Self.megabytes { try queue.read { try SampleStruct.fetchAll($0) } })
        },
        objects("managed objects", [.atMost(150)], url, batchSize: 0, reading: count),
        objects("in batches of 50, one read", [.atMost(90)], url, batchSize: 50, reading: 50),
      ] + SampleFloors(files: files, count: count).hold(url) { make in try Self.megabytes(make) }
    )
  }

  private func objects(_ name: String, _ bounds: [Bound], _ url: URL, batchSize: Int, reading: Int)
    -> Contender
  {
    Contender(name, bounds) { _ in
      let store = try SampleStore(url)
      let megabytes = try Self.megabytes {
        let context = store.context()
        let request = NSFetchRequest<Sample>(entityName: "Sample")
        request.fetchBatchSize = batchSize
        let samples = try context.fetch(request)
        precondition(samples.prefix(reading).reduce(0) { $0 &+ $1.sum } != 0)
        return (context, samples)
      }
      return .init(value: megabytes)
    }
  }

  /// The resident memory while the result of some work is held.
  ///
  /// The work also runs once before, so that memory that is allocated only once is not part of the figure,
  /// such as the connection's page cache.
  private static func megabytes<Held>(_ work: () throws -> Held) throws -> Double {
    _ = try work()
    CMemoryTrim()
    let start = Memory()
    let held = try work()
    return withExtendedLifetime(held) { Double((Memory() - start).resident) / 1e6 }
  }
}
