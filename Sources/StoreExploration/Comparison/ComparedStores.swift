package import CoreData
import Foundation
import Synchronization

/// Compares two stores in the background. The caller can stop the comparison and read its result page by page.
///
/// The first store is the other one. The second store is the one that the browser shows. Two keys for each
/// differing object stay in memory, for up to ``mostListed`` objects. The counts have no limit.
package final class ComparedStores: Sendable {
  /// The greatest number of objects that the result lists.
  package static let mostListed = 500_000
  /// The greatest number of objects in the index. Larger entities need several passes.
  private static let mostAtOnce = 500_000
  /// The time limit for comparing an entity, in each store.
  private static let limit = Duration.seconds(4 * 3_600)

  /// The stages of a comparison.
  package enum Stage: Hashable, Sendable {
    case notStarted, running, finished, stopped
    /// An error ended it. The text describes the error.
    case failed(String)
  }

  /// The progress and the present result of a comparison.
  package struct Report: Sendable {
    /// The number of the comparison. It counts up from 1, and is 0 before the first comparison.
    package fileprivate(set) var number = 0
    package fileprivate(set) var stage = Stage.notStarted
    /// The entity that is being compared.
    package fileprivate(set) var progress: ComparisonProgress?
    /// The number of entities that are compared.
    package fileprivate(set) var entityCount = 0
    /// The counts of the finished entities, by name.
    package fileprivate(set) var counts: [String: ComparisonCounts] = [:]
    /// The time at which the comparison began.
    package fileprivate(set) var start: Date?
    /// The time at which it ended; `nil` until then.
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
  package convenience init(from first: NSPersistentStoreCoordinator, to second: NSPersistentStoreCoordinator) throws {
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

  /// How the objects of each entity are matched, by the entity's name.
  package var matchings: [String: ObjectMatching] {
    Dictionary(comparison.matchings.map { ($0.entity, $0) }, uniquingKeysWith: { $1 })
  }

  package var report: Report { state.withLock { $0.report } }

  // MARK: - Running

  /// Begins a comparison in the background.
  ///
  /// - Parameter former: the number of the latest comparison that the caller has seen. The call does nothing if
  ///   another comparison has begun since or one is running, so that a repeated request starts one comparison.
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

  /// Stops the comparison with this number, if it is running. Its result so far stays.
  package func stop(_ number: Int) {
    let task = state.withLock { state -> Task<Void, Never>? in
      guard state.report.number == number, state.report.stage == .running else { return nil }
      state.end(.stopped)
      return state.task
    }
    task?.cancel()
  }

  /// Waits until the running comparison ends. Returns at once if none is running.
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
      // An object that was deleted in the meantime has no keys.
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

  /// A part of the list of objects that differ.
  package struct Page: Sendable {
    package let objects: [ComparedObject]
    /// The number of all listed objects.
    package let listedCount: Int
  }

  /// A page of the objects of an entity that differ in one way, with their present values.
  ///
  /// - Parameters:
  ///   - offset: the number of objects on the pages before this one.
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

  /// One object in both stores, with its present values.
  package func object(_ keys: ComparedKeys, of entity: String, within time: Duration) async throws
    -> ComparedObject?
  {
    try await comparison.objects(of: entity, keys: [keys], within: time).first
  }
}
