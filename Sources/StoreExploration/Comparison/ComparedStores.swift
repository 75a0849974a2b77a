package import CoreData
import Foundation
import Synchronization

/// Two stores that somebody compares now and then: the comparison goes on in the background, can be
/// stopped, and leaves a result that is told page by page.
///
/// The first store is the other one, the second the one that is looked at. Of each object that differs, two
/// keys stay in memory, for up to ``mostListed`` objects; all are counted.
package final class ComparedStores: Sendable {
  /// The greatest number of objects that the result lists.
  package static let mostListed = 500_000
  /// The greatest number of objects of the index; larger entities are compared in passes.
  private static let mostAtOnce = 500_000
  /// The time that the comparison of an entity may take in each store.
  private static let limit = Duration.seconds(4 * 3_600)

  /// The stages of a comparison.
  package enum Stage: Hashable, Sendable {
    case notStarted, running, finished, stopped
    /// An error ended it, which is told in words.
    case failed(String)
  }

  /// What a comparison has found so far.
  package struct Report: Sendable {
    /// The number of the comparison, which counts up; 0 before the first.
    package fileprivate(set) var number = 0
    package fileprivate(set) var stage = Stage.notStarted
    /// The entity that is being compared.
    package fileprivate(set) var progress: ComparisonProgress?
    /// The number of entities that are compared.
    package fileprivate(set) var entityCount = 0
    /// The numbers of the entities that are done, by name.
    package fileprivate(set) var counts: [String: ComparisonCounts] = [:]
    /// The time at which the comparison began.
    package fileprivate(set) var start: Date?
    /// The time at which it ended; `nil` before.
    package fileprivate(set) var end: Date?
  }

  /// Objects of one entity that differ in one way.
  private struct List: Hashable {
    let entity: String
    let kind: ObjectDifference.Kind
  }

  private struct State {
    var report = Report()
    var listed: [List: [ComparedKeys]] = [:]
    var listedCount = 0
    var task: Task<Void, Never>?

    func isRunning(_ number: Int) -> Bool { report.number == number && report.stage == .running }

    mutating func end(_ stage: Stage) {
      report.stage = stage
      report.progress = nil
      report.end = Date()
    }
  }

  private let comparison: StoreComparison
  private let entities: [String]
  private let mostListed: Int
  private let state = Mutex(State())

  /// - Throws: an `ExplorationFailure` when the stores' models differ.
  package convenience init(
    from first: NSPersistentStoreCoordinator,
    to second: NSPersistentStoreCoordinator
  ) throws {
    try self.init(
      comparison: StoreComparison(from: first, to: second, keys: [:], mostAtOnce: Self.mostAtOnce),
      model: second.managedObjectModel,
      mostListed: Self.mostListed
    )
  }

  init(comparison: StoreComparison, model: NSManagedObjectModel, mostListed: Int) {
    self.comparison = comparison
    self.mostListed = mostListed
    entities = model.entities.filter { !$0.isAbstract }.compactMap(\.name).sorted()
  }

  deinit { state.withLock { $0.task }?.cancel() }

  /// The ways in which objects are matched, by the names of entities.
  package var matchings: [String: ObjectMatching] {
    Dictionary(comparison.matchings.map { ($0.entity, $0) }, uniquingKeysWith: { $1 })
  }

  package var report: Report { state.withLock { $0.report } }

  // MARK: - Running

  /// Begins a comparison in the background.
  ///
  /// - Parameter former: the number of the comparison that the one who asks has seen. When another has been
  ///   started since, or one is running, nothing happens: a request that comes twice starts one.
  package func start(after former: Int) {
    state.withLock { state in
      guard state.report.number == former, state.report.stage != .running else { return }
      let number = former + 1
      state = State()
      state.report.number = number
      state.report.stage = .running
      state.report.entityCount = entities.count
      state.report.start = Date()
      let (comparison, entities) = (comparison, entities)
      state.task = Task { [weak self] in
        do {
          for entity in entities {
            let counts = try await comparison.run(
              entities: [entity],
              within: Self.limit,
              progress: { [weak self] in self?.tell($0, of: number) },
              { [weak self] in try self?.list($0, of: number) }
            )
            self?.add(counts, of: number)
          }
          self?.end(.finished, of: number)
        } catch {
          self?.end(Self.stage(after: error), of: number)
        }
      }
    }
  }

  private static func stage(after error: any Error) -> Stage {
    if error is CancellationError { return .stopped }
    if let failure = error as? ExplorationFailure { return .failed(failure.description) }
    return .failed((error as NSError).localizedDescription)
  }

  /// Stops the comparison of a number, if that is running. What it has found stays.
  package func stop(_ number: Int) {
    let task = state.withLock { state -> Task<Void, Never>? in
      guard state.report.number == number, state.report.stage == .running else { return nil }
      state.end(.stopped)
      return state.task
    }
    task?.cancel()
  }

  /// Returns when the comparison that is running, if any, has ended.
  package func waitForEnd() async { await state.withLock { $0.task }?.value }

  private func tell(_ progress: ComparisonProgress, of number: Int) {
    state.withLock { state in
      if state.isRunning(number) { state.report.progress = progress }
    }
  }

  private func list(_ difference: ObjectDifference, of number: Int) throws {
    let keys = ComparedKeys(before: difference.before?.key, after: difference.after?.key)
    let goesOn = state.withLock { state in
      guard state.isRunning(number) else { return false }
      // An object that has gone meanwhile has no keys.
      guard state.listedCount < mostListed, keys.before != nil || keys.after != nil else { return true }
      state.listed[List(entity: difference.entity, kind: difference.kind), default: []].append(keys)
      state.listedCount += 1
      return true
    }
    if !goesOn { throw CancellationError() }
  }

  private func add(_ counts: [String: ComparisonCounts], of number: Int) {
    state.withLock { state in
      if state.isRunning(number) { state.report.counts.merge(counts) { $1 } }
    }
  }

  private func end(_ stage: Stage, of number: Int) {
    state.withLock { state in
      if state.isRunning(number) { state.end(stage) }
    }
  }

  // MARK: - The result

  /// A part of a list of objects that differ.
  package struct Page: Sendable {
    package let objects: [ComparedObject]
    /// The number of objects that are listed in all.
    package let listedCount: Int
  }

  /// A page of the objects of an entity that differ in one way, as they are now.
  ///
  /// - Parameters:
  ///   - offset: the number of objects on the pages before.
  ///   - limit: the largest number of objects on the page.
  ///   - time: the time that each store may take.
  package func page(
    of entity: String,
    kind: ObjectDifference.Kind,
    offset: Int,
    limit: Int,
    within time: Duration
  ) async throws -> Page {
    let (keys, count) = state.withLock { state in
      let all = state.listed[List(entity: entity, kind: kind)] ?? []
      return (Array(all.dropFirst(max(0, offset)).prefix(max(0, limit))), all.count)
    }
    return Page(objects: try await comparison.objects(of: entity, keys: keys, within: time), listedCount: count)
  }

  /// One object of both stores, as it is now.
  package func object(_ keys: ComparedKeys, of entity: String, within time: Duration) async throws
    -> ComparedObject?
  {
    try await comparison.objects(of: entity, keys: [keys], within: time).first
  }
}
