import Foundation
import SQLiteDriver
import Synchronization
import TestSupport
import Testing

@testable import CoreData
@testable import StoreExploration

@Suite struct ComparedStoresTests {
  private static let patient = Duration.seconds(86_400)

  private static func stores(_ kind: GardenKind = .sqlite) throws -> (GardenStore, GardenStore) {
    let (before, after) = (try GardenStore(kind), try GardenStore(kind))
    for (store, range) in [(before, 0..<50), (after, 10..<70)] {
      try store.write { context in
        for number in range {
          let identifier = UUID(uuidString: "00000000-0000-0000-0000-0000000001\(10 + number)")
          let title = store === after && number % 20 == 15 ? "New \(number)" : "Note \(number)"
          context.add("Note", ["identifier": identifier, "title": title])
        }
      }
    }
    return (before, after)
  }

  private static func compared(_ before: GardenStore, _ after: GardenStore, mostListed: Int = 1_000) throws
    -> ComparedStores
  {
    ComparedStores(
      comparison: try StoreComparison(from: before.coordinator, to: after.coordinator),
      model: after.coordinator.managedObjectModel,
      mostListed: mostListed
    )
  }

  @Test(arguments: GardenKind.allCases)
  func `A comparison in the background leaves numbers and lists`(kind: GardenKind) async throws {
    let (before, after) = try Self.stores(kind)
    let compared = try Self.compared(before, after)
    #expect(compared.report.stage == .notStarted && compared.report.number == 0)
    compared.start(after: 0)
    await compared.waitForEnd()
    let report = compared.report
    #expect(report.stage == .finished && report.counts.count == report.entityCount && report.end != nil)
    let counts = try #require(report.counts["Note"])
    #expect(counts.inserted == 20 && counts.deleted == 10 && counts.changed == 2 && counts.same == 38)
    let changed = try await compared.page(
      of: "Note",
      kind: .changed,
      offset: 0,
      limit: 10,
      within: Self.patient
    )
    #expect(changed.listedCount == 2)
    #expect(changed.objects.map(\.nameBefore) == ["Note 15", "Note 35"])
    #expect(changed.objects.map(\.nameAfter) == ["New 15", "New 35"])
    let title = try #require(changed.objects.first?.properties.first { $0.name == "title" })
    #expect(title.isDifferent && title.before == "\"Note 15\"" && title.after == "\"New 15\"")
    #expect(changed.objects.first?.properties.filter(\.isDifferent).count == 1)
    var names: [String?] = []
    for offset in stride(from: 0, to: 30, by: 7) {
      let page = try await compared.page(
        of: "Note",
        kind: .inserted,
        offset: offset,
        limit: 7,
        within: Self.patient
      )
      #expect(page.listedCount == 20 && page.objects.allSatisfy { $0.nameBefore == nil })
      names += page.objects.map(\.nameAfter)
    }
    #expect(names == (50..<70).map { $0 % 20 == 15 ? "New \($0)" : "Note \($0)" })
    let gone = try await compared.page(
      of: "Note",
      kind: .deleted,
      offset: 0,
      limit: 100,
      within: Self.patient
    )
    #expect(gone.objects.map(\.nameBefore) == (0..<10).map { "Note \($0)" })
  }

  @Test func `One request starts one comparison, however often it comes`() async throws {
    let (before, after) = try Self.stores()
    let compared = try Self.compared(before, after)
    for _ in 0..<3 { compared.start(after: 0) }
    compared.start(after: 5)
    await compared.waitForEnd()
    #expect(compared.report.number == 1)
    compared.start(after: 0)
    #expect(compared.report.number == 1 && compared.report.stage == .finished)
    compared.start(after: 1)
    #expect(compared.report.number == 2)
    await compared.waitForEnd()
    #expect(compared.report.stage == .finished && compared.report.counts["Note"]?.inserted == 20)
  }

  @Test func `More objects than are listed are counted all the same`() async throws {
    let (before, after) = try Self.stores()
    let compared = try Self.compared(before, after, mostListed: 15)
    compared.start(after: 0)
    await compared.waitForEnd()
    #expect(compared.report.counts["Note"]?.inserted == 20)
    var listed = 0
    for kind in ObjectDifference.Kind.allCases {
      listed += try await compared.page(of: "Note", kind: kind, offset: 0, limit: 0, within: Self.patient)
        .listedCount
    }
    #expect(listed == 15)
  }

  @Test func `What has become of an object since is told`() async throws {
    let (before, after) = try Self.stores()
    let compared = try Self.compared(before, after)
    compared.start(after: 0)
    await compared.waitForEnd()
    try after.write { context in
      try context.one("Note", "title", "New 15")?.setValue("Note 15", forKey: "title")
      if let gone = try context.one("Note", "title", "New 35") { context.delete(gone) }
    }
    let page = try await compared.page(of: "Note", kind: .changed, offset: 0, limit: 10, within: Self.patient)
    #expect(page.objects.map(\.nameAfter) == ["Note 15", nil])
    #expect(page.objects.allSatisfy { $0.properties.allSatisfy { !$0.isDifferent } })
  }

  @Test func `A comparison that was stopped ends, keeps what it has found, and can be made anew`()
    async throws
  {
    let (before, after) = try Self.stores()
    let compared = try Self.compared(before, after)
    compared.stop(0)
    compared.stop(1)
    #expect(compared.report.stage == .notStarted)
    compared.start(after: 0)
    compared.stop(1)
    await compared.waitForEnd()
    // The comparison may have finished before it was stopped.
    #expect([.stopped, .finished].contains(compared.report.stage))
    compared.start(after: 1)
    await compared.waitForEnd()
    #expect(compared.report.number == 2 && compared.report.stage == .finished)
    #expect(compared.report.counts["Note"]?.changed == 2)
  }

  @Test func `A store that fails ends a comparison with its error, and keeps what was found before`()
    async throws
  {
    let (before, after) = try Self.stores()
    try SQLiteConnection(path: after.url.path).write { try $0.execute(sql: "DROP TABLE ZTAG") }
    let compared = try Self.compared(before, after)
    compared.start(after: 0)
    await compared.waitForEnd()
    let report = compared.report
    guard case .failed(let reason) = report.stage else {
      Issue.record("the comparison is \(report.stage)")
      return
    }
    #expect(reason.contains("ZTAG"))
    // Entities are compared in the order of their names, and the error is in the tags of notes.
    #expect(report.counts["Category"] != nil && report.counts["Note"] == nil && report.end != nil)
    // A failed comparison does not prevent the next one.
    compared.start(after: 1)
    await compared.waitForEnd()
    #expect(compared.report.number == 2 && compared.report.counts["Category"] != nil)
  }

  @Test func `The task of a comparison that is cancelled ends it`() async throws {
    let (before, after) = try Self.stores()
    let comparison = try StoreComparison(from: before.coordinator, to: after.coordinator)
    let task = Mutex<Task<[String: ComparisonCounts], any Error>?>(nil)
    let begun = AsyncStream.makeStream(of: Void.self)
    let run = Task {
      // Waits until the task that is to be cancelled is known.
      for await _ in begun.stream { break }
      return try await comparison.run(
        progress: { progress in
          if progress.entity == "Note" { task.withLock { $0 }?.cancel() }
        },
        { _ in }
      )
    }
    task.withLock { $0 = run }
    begun.continuation.yield()
    await #expect(throws: CancellationError.self) { _ = try await run.value }
  }

  @Test func `Progress goes up to the number of objects that were counted, in all passes`() async throws {
    let (before, after) = try Self.stores()
    for (most, passes) in [(1_000, 1), (20, 3)] {
      let comparison = try StoreComparison(
        from: before.coordinator,
        to: after.coordinator,
        keys: [:],
        mostAtOnce: most
      )
      let told = Mutex<[ComparisonProgress]>([])
      _ = try await comparison.run(
        entities: ["Note"],
        progress: { progress in told.withLock { $0.append(progress) } },
        { _ in }
      )
      let progress = told.withLock { $0 }
      #expect(progress.map(\.readCount) == progress.map(\.readCount).sorted())
      #expect(progress.first?.readCount == 0)
      #expect(progress.last?.readCount == passes * (50 + 60))
      #expect(Set(progress.map(\.expectedCount)) == [passes * (50 + 60)])
    }
  }
}
