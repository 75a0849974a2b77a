import CoreData
import Foundation
import Observation
import Synchronization
import Testing

@testable import Seeding

@Suite("The state of a seeding")
struct SeedingStateTests {
  private static func data(_ json: String, _ name: String = "seed.json") -> SeedSource {
    .data(Data(json.utf8), name: name)
  }

  private static let tags = data("{\"tags\": [{\"name\": \"News\"}, {\"name\": \"Tips\"}]}", "tags.json")
  private static let broken = data("{\"tags\": [{\"nam\": \"News\"}]}", "broken.json")

  @Test("a seeding state goes from idle to done, with the run's report", arguments: TestStore.Kind.allCases)
  func done(_ kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    let state = SeedingState()
    #expect(state.value == .idle)
    let report = try Seeder(Self.tags).runAndWait(in: store.coordinator, state: state)
    #expect(state.value == .done(report))
    #expect(state.isDone && state.isFinished && state.fractionCompleted == 1)
  }

  @Test("a failed run leaves its error in the state, and the next run continues from there")
  func failed() throws {
    let store = try TestStore()
    let state = SeedingState()
    let thrown = #expect(throws: SeedError.self) {
      try Seeder(Self.broken).runAndWait(in: store.coordinator, state: state)
    }
    let error = try #require(thrown)
    #expect(state.value == .failed(error))
    #expect(!state.isDone && state.isFinished && state.fractionCompleted == 0)
    try Seeder(Self.tags).runAndWait(in: store.coordinator, state: state)
    #expect(state.isDone)
  }

  @Test("a store that is read-only gives a failed state, too")
  func noStore() {
    let state = SeedingState()
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: TestModel.notes())
    #expect(throws: SeedError.self) { try Seeder(Self.tags).runAndWait(in: coordinator, state: state) }
    guard case .failed(let error) = state.value else {
      Issue.record("the state is \(state.value)")
      return
    }
    #expect(error.code == .noStore)
  }

  @Test("a state's observer is called for the beginning, each phase, progress within 0 and 1, and the end")
  func values() throws {
    let store = try TestStore(.sqlite)
    let state = SeedingState()
    let observed = ObservedValues(state)
    let tags = (0..<10_000).map { "{\"name\": \"\($0)\"}" }.joined(separator: ",")
    try Seeder(Self.data("{\"tags\": [\(tags)]}")).runAndWait(in: store.coordinator, state: state)
    let values = observed.all + [state.value]
    #expect(values.first == .idle)
    let running = values.compactMap { value -> (fraction: Double, phase: SeedPhase)? in
      guard case .running(let fraction, let phase) = value else { return nil }
      return (fraction, phase)
    }
    #expect(running.count == values.count - 2)
    #expect(Set(running.map { $0.phase }) == [.reading, .waiting, .writing, .saving])
    let fractions = running.map { $0.fraction }
    #expect(fractions.allSatisfy { (0..<1).contains($0) } && fractions == fractions.sorted())
    #expect(fractions.contains { $0 > 0.5 })
    guard case .done(let report)? = values.last else {
      Issue.record("the last value is \(String(describing: values.last))")
      return
    }
    #expect(report.total.created == 10_000)
  }

  @Test(
    "a loop over a state gets the current value and the final one, even if it starts late",
    .timeLimit(.minutes(10))
  )
  func sequence() async throws {
    let store = try TestStore()
    let state = SeedingState()
    var early = state.makeAsyncIterator()
    let first = await early.next()
    let report = try Seeder(Self.tags).runAndWait(in: store.coordinator, state: state)
    let second = await early.next()
    #expect(first == .idle && second == .done(report))
    var late = state.makeAsyncIterator()
    let only = await late.next()
    #expect(only == .done(report))
  }

  @Test("a loop over a state ends with its task, and with the state", .timeLimit(.minutes(10)))
  func sequenceEnds() async {
    let state = SeedingState()
    let loop = Task {
      var count = 0
      for await _ in state { count += 1 }
      return count
    }
    loop.cancel()
    let count = await loop.value
    #expect(count <= 1)
    var iterator = SeedingState().makeAsyncIterator()
    let first = await iterator.next()
    let second = await iterator.next()
    #expect(first == .idle && second == nil)
  }

  @Test(
    "a plan's state is done after its last step, and every step has the same weight",
    arguments: TestStore.Kind.allCases
  )
  func plan(_ kind: TestStore.Kind) throws {
    let store = try TestStore(kind)
    let state = SeedingState()
    let observed = ObservedValues(state)
    let plan = SeedPlan(
      .init("tags", Self.tags),
      .init("notes", Self.data("{\"notes\": [{\"title\": \"A\"}]}", "notes.json"))
    )
    try plan.runAndWait(in: store.coordinator, state: state)
    guard case .done(let report) = state.value else {
      Issue.record("the state is \(state.value)")
      return
    }
    #expect(report.seeds.map(\.name) == ["tags.json", "notes.json"])
    #expect(report.entities["Tag"]?.created == 2 && report.entities["Note"]?.created == 1)
    let fractions = observed.all.compactMap { value -> Double? in
      if case .running(let fraction, _) = value { fraction } else { nil }
    }
    #expect(fractions == fractions.sorted() && fractions.contains { $0 >= 0.5 })
  }

  @Test("the plan's state names a step that fails")
  func planFails() throws {
    let store = try TestStore()
    let state = SeedingState()
    let plan = SeedPlan(.init("tags", Self.tags), .init("broken", Self.broken))
    #expect(throws: SeedError.self) { try plan.runAndWait(in: store.coordinator, state: state) }
    guard case .failed(let error) = state.value else {
      Issue.record("the state is \(state.value)")
      return
    }
    #expect(error.step == "broken" && error.code == .unknownKey)
  }

  @Test("an operation has a state, which a cancellation before its start ends")
  func operation() throws {
    let store = try TestStore()
    let operation = SeedOperation(with: store.newContext(), seed: Self.tags)
    #expect(operation.state.value == .idle)
    operation.start()
    #expect(operation.state.isDone)
    let cancelled = SeedOperation(with: store.newContext(), seed: Self.tags)
    cancelled.cancel()
    cancelled.start()
    guard case .failed(let error) = cancelled.state.value else {
      Issue.record("the state is \(cancelled.state.value)")
      return
    }
    #expect(error.code == .cancelled)
  }
}

/// The values of a state before each of its changes.
private final class ObservedValues: Sendable {
  private let values = Mutex<[SeedingState.Value]>([])
  private let state: SeedingState

  init(_ state: SeedingState) {
    self.state = state
    follow()
  }

  var all: [SeedingState.Value] { values.withLock { $0 } }

  private func follow() {
    // An observer is called once, before the change.
    withObservationTracking {
      _ = state.value
    } onChange: { [weak self] in
      self?.record()
    }
  }

  private func record() {
    let value = state.value
    values.withLock { $0.append(value) }
    follow()
  }
}
