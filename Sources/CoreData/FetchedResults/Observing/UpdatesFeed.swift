import Foundation
import Synchronization

/// Follows a request for one iterator of ``FetchedUpdates``.
///
/// The feed collects the changes that the context reports, and applies them in one step when the
/// iterator waits for an update. For a slow consumer it keeps a set of changed objects, but no results.
// A lock protects `state`. Everything else is used on the context's queue: `contextTold(_:)` is called there, and
// `deliver()` and `release()` are dispatched to it.
final class UpdatesFeed<Value>: ResultsFollower, @unchecked Sendable {
  private typealias Wait = SuspendedWait<FetchedUpdate<Value>?>

  private enum State {
    case idle
    case waiting(Wait, isAsked: Bool)
    case ended
  }

  private let state = Mutex(State.idle)
  private let context: NSManagedObjectContext
  private let request: any AnyFetchRequest
  private let value: (NSManagedObject) throws -> Value
  private var results: FollowedResults?
  private var history: HistoryFollower?
  private var collected = ToldChanges()
  /// The values of the results, as the last update had them.
  private var values: [Value] = []

  init(
    context: NSManagedObjectContext,
    request: any AnyFetchRequest,
    value: @escaping (NSManagedObject) throws -> Value
  ) {
    self.context = context
    self.request = request
    self.value = value
  }

  // MARK: - The consumer's side

  nonisolated(nonsending) func next() async throws -> FetchedUpdate<Value>? {
    if Task.isCancelled {
      end(with: .success(nil))
      return nil
    }
    let wait = Wait()
    let isWaiting = state.withLock { state in
      if case .ended = state { return false }
      state = .waiting(wait, isAsked: false)
      return true
    }
    if !isWaiting { return nil }
    ask()
    return try await withTaskCancellationHandler {
      try await wait.untilResumed()
    } onCancel: {
      end(with: .success(nil))
    }
  }

  /// Has an update made on the context's queue, where one is waited for.
  private func ask() {
    let isNew = state.withLock { state in
      guard case .waiting(let wait, isAsked: false) = state else { return false }
      state = .waiting(wait, isAsked: true)
      return true
    }
    // The context finishes its current work first, so that all changes of that work are in one update.
    if isNew { context.perform { [weak self] in self?.deliver() } }
  }

  /// Ends the sequence, and lets the consumer go.
  private func end(with outcome: Result<FetchedUpdate<Value>?, any Error>) {
    let wait = state.withLock { state -> Wait? in
      defer { state = .ended }
      if case .waiting(let wait, _) = state { return wait }
      return nil
    }
    wait?.resume(with: outcome)
    context.queue.async { [weak self] in self?.release() }
  }

  // MARK: - The context's side

  func contextTold(_ told: ToldChanges) {
    guard let results else { return }
    collected.add(told, atMost: max(Self.fewestCollected, values.count)) { results.follows($0.layout.entity) }
    if !collected.isEmpty { ask() }
  }

  /// So many changed objects may wait for a slow consumer, and as many as there are results if these are more.
  private static var fewestCollected: Int { 1000 }

  private func deliver() {
    let wait = state.withLock { state -> Wait? in
      guard case .waiting(let wait, _) = state else { return nil }
      state = .waiting(wait, isAsked: false)
      return wait
    }
    guard let wait else { return }
    do {
      guard let update = try makeUpdate() else { return }
      let isExpected = state.withLock { state in
        guard case .waiting = state else { return false }
        state = .idle
        return true
      }
      if isExpected { wait.resume(with: .success(update)) }
    } catch {
      end(with: .failure(error))
    }
  }

  /// - Returns: `nil` when the results are those of the last update.
  private func makeUpdate() throws -> FetchedUpdate<Value>? {
    // Changes that were made without `perform` are reported now.
    context.processChanges()
    guard let results else { return try makeFirstUpdate() }
    if collected.isEmpty { return nil }
    let told = collected
    collected = ToldChanges()
    guard let plan = try results.takeOver(told) else { return nil }
    if let edit = plan.edits[0] { try values.apply(edit, element: value) }
    return FetchedUpdate(results: values, difference: plan.changes.difference)
  }

  private func makeFirstUpdate() throws -> FetchedUpdate<Value> {
    if context.model == nil {
      throw StoreFailure.operation(
        "updates(of:) follows a context that has no persistent store coordinator any more; keep the coordinator, or the container."
      )
    }
    if request.resultType != .managedObjectResultType {
      throw StoreFailure.operation(
        """
        updates(of:) follows managed objects, and its request asks for another form; leave the request's resultType at \
        managedObjectResultType, and make other values by a transform.
        """
      )
    }
    let results = FollowedResults(
      request: request,
      context: context,
      sectionNameKeyPath: nil,
      cacheName: nil
    )
    results.follower = self
    // Before the fetch: what is saved in between is merged, if it is in the results already.
    history = context.followHistory()
    try CocoaError.ofPredicates { try results.performFetch() }
    self.results = results
    values = try (results.objects ?? []).map(value)
    return FetchedUpdate(results: values, difference: nil)
  }

  private func release() {
    (results, history) = (nil, nil)
    (collected, values) = (ToldChanges(), [])
  }
}
