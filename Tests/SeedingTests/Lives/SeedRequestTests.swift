import CoreData
import Foundation
import Synchronization
import Testing

@testable import Seeding

@Suite("Requests of a seeding to its store")
struct SeedRequestTests {
  /// Counts the requests to the stores of a coordinator by kind.
  private final class RequestCounter: StoreMonitor {
    private let kinds = Mutex<[StoreWork.Kind: Int]>([:])

    var counts: [StoreWork.Kind: Int] { kinds.withLock { $0 } }

    func begin(_ work: StoreWork) -> (StoreWorkOutcome) -> Void {
      kinds.withLock { $0[work.kind, default: 0] += 1 }
      return { _ in }
    }

    func waited(_ time: Duration, for subject: StoreWait) {}

    func committed() {}

    func carrier() -> (any TaskCarrier)? { nil }
  }

  /// Seeds notes with three tags each, and then seeds them again with other contents.
  /// - Returns: The requests of the second seeding, by kind.
  private func requests(notes count: Int, way: SeedWay, mode: SeedMode) throws -> [StoreWork.Kind: Int] {
    let store = try way.store()
    let tags = (0..<4).map { "{\"name\": \"\($0)\"}" }.joined(separator: ", ")
    func seed(_ contents: String) -> String {
      let notes = (0..<count).map { number in
        let tags = (0..<3).map { "\"\((number + $0) % 4)\"" }.joined(separator: ", ")
        return "{\"title\": \"\(number)\", \"contents\": \"\(contents)\", \"tags\": [\(tags)]}"
      }
      return "{\"tags\": [\(tags)], \"notes\": [\(notes.joined(separator: ", "))]}"
    }
    try way.seed(store, ["seed.json": seed("one")], mode: mode)
    let counter = RequestCounter()
    store.coordinator.setMonitor(counter)
    let report = try way.seed(store, ["seed.json": seed("two")], mode: mode)
    store.coordinator.setMonitor(nil)
    #expect(report.description == "Note: \(count) updated\nTag: 4 unchanged")
    return counter.counts
  }

  @Test(
    "the number of requests does not depend on the number of objects that are seeded again",
    // The parent of a context reads each object that its child changes on its own.
    arguments: [SeedWay.oneSave, .transaction],
    [SeedMode.upsert, .merge]
  )
  func seededAgain(way: SeedWay, mode: SeedMode) throws {
    let few = try requests(notes: 3, way: way, mode: mode)
    #expect(few[.save] == 1)
    #expect(try requests(notes: 30, way: way, mode: mode) == few)
  }
}
