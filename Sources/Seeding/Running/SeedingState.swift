public import Observation
import Synchronization

/// The state of a seeding, for a screen that shows it and for a server that answers when it is ready.
///
/// ```swift
/// let seeding = SeedingState()
/// let count = Task {
///   for await value in seeding {
///     if case .done(let report) = value { return report.total.created }
///   }
///   return 0
/// }
/// try await Seeder(.bundle(.module, "plants.json")).run(in: container, state: seeding)
/// print(seeding.isDone, await count.value)  // true 2
/// ```
///
/// One state follows one run at a time; a run that is tried again goes on from `failed` to `running`. Its properties
/// are observable: `withObservationTracking`, and on Apple's platforms SwiftUI, read them again after a change. They
/// may be read on any thread, and change on the threads that seed.
public final class SeedingState: Observable, Sendable {
  /// The stage that a seeding is at.
  public enum Value: Hashable, Sendable {
    /// No run has begun.
    case idle

    /// A run is at work: it has done the fraction, from 0 to 1, and is in the phase.
    case running(fraction: Double, phase: SeedPhase)

    /// The last run has ended, and the store has the seeds. The report of a plan counts all its steps.
    case done(SeedReport)

    /// The last run has ended by an error.
    case failed(SeedError)
  }

  private struct Storage {
    var value = Value.idle
    var lastNumber = 0
    var followers: [Int: AsyncStream<Value>.Continuation] = [:]
  }

  private let storage = Mutex(Storage())
  private let registrar = ObservationRegistrar()

  /// Creates the state of a seeding that has not begun.
  public init() {}

  deinit {
    let followers = storage.withLock { Array($0.followers.values) }
    for follower in followers { follower.finish() }
  }

  /// The stage that the seeding is at.
  public var value: Value {
    registrar.access(self, keyPath: \.value)
    return storage.withLock { $0.value }
  }

  /// True when the store has the seeds, as the last run has ended without an error.
  public var isDone: Bool {
    if case .done = value { true } else { false }
  }

  /// True when the last run has ended, with an error or without.
  public var isFinished: Bool {
    switch value {
    case .done, .failed: true
    case .idle, .running: false
    }
  }

  /// The fraction of the work that is done: 0 before a run and after an error, 1 when all is done.
  public var fractionCompleted: Double {
    switch value {
    case .idle, .failed: 0
    case .running(let fraction, _): fraction
    case .done: 1
    }
  }

  func set(_ value: Value) {
    registrar.withMutation(of: self, keyPath: \.value) {
      storage.withLock { storage in
        storage.value = value
        for follower in storage.followers.values { follower.yield(value) }
      }
    }
  }
}

extension SeedingState: AsyncSequence {
  /// The stage that the seeding is at.
  public typealias Element = Value

  /// The iterator does not fail.
  public typealias Failure = Never

  /// Returns an iterator that gives the value of now, and then each change.
  ///
  /// A loop that is slower than the changes gets the last of them. It goes on after `done` and
  /// `failed`, because a run may be tried again, until the loop breaks or its task is cancelled.
  public func makeAsyncIterator() -> AsyncStream<Value>.Iterator {
    let (stream, follower) = AsyncStream.makeStream(of: Value.self, bufferingPolicy: .bufferingNewest(1))
    let number = storage.withLock { storage in
      storage.lastNumber += 1
      storage.followers[storage.lastNumber] = follower
      follower.yield(storage.value)
      return storage.lastNumber
    }
    follower.onTermination = { [weak self] _ in self?.removeFollower(number) }
    return stream.makeAsyncIterator()
  }

  private func removeFollower(_ number: Int) {
    // It is released outside of the lock, because its stream may end with it.
    let follower = storage.withLock { $0.followers.removeValue(forKey: number) }
    withExtendedLifetime(follower) {}
  }
}

// MARK: - Runs

/// The part of a state that a run updates: the whole state, or the part of one step of a plan.
struct SeedingPart: Sendable {
  let state: SeedingState
  /// The number of the step, from 0, of so many that count the same.
  var step = 0
  var steps = 1

  func report(_ fraction: Double, phase: SeedPhase) {
    state.set(.running(fraction: (Double(step) + fraction) / Double(max(steps, 1)), phase: phase))
  }
}

extension Optional<SeedingState> {
  /// Performs the work of a run, and reports its beginning and its outcome to the state.
  ///
  /// - Parameter report: Gives the report for the result of the work.
  func following<Result>(_ work: () throws -> Result, report: (Result) -> SeedReport) throws -> Result {
    self?.set(.running(fraction: 0, phase: .reading))
    do {
      let result = try work()
      self?.set(.done(report(result)))
      return result
    } catch {
      self?.set(.failed(SeedError.describing(error)))
      throw error
    }
  }

  /// The same for work that suspends.
  func following<Result>(
    isolation: isolated (any Actor)? = #isolation,
    _ work: () async throws -> Result,
    report: (Result) -> SeedReport
  ) async throws -> Result {
    self?.set(.running(fraction: 0, phase: .reading))
    do {
      let result = try await work()
      self?.set(.done(report(result)))
      return result
    } catch {
      self?.set(.failed(SeedError.describing(error)))
      throw error
    }
  }
}

extension SeedError {
  /// The error itself, or a seed error that describes it.
  static func describing(_ error: any Error) -> SeedError {
    error as? SeedError
      ?? SeedError(
        code: .storeFailed,
        problem: "the store could not be seeded: \(ErrorWords.describe(error))",
        remedy: "remove the cause and seed again",
        underlying: error
      )
  }
}
