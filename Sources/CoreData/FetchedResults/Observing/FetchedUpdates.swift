/// The results of a request as an asynchronous sequence: those of now, and those after each change.
///
/// ``NSManagedObjectContext/updates(of:)`` and ``NSManagedObjectContext/updates(of:transform:)`` make
/// it. Each iterator fetches at the first call of `next()`, and then follows the context automatically.
///
/// * Changes that follow each other while the consumer is at work make one update: only the newest
///   results are kept, however slow the consumer is.
/// * The sequence ends with the task that iterates.
/// * It throws when the request cannot be carried out or an object cannot be read, and ends by that.
///   The caller may begin another iteration.
public struct FetchedUpdates<Value>: AsyncSequence, Sendable {
  /// The results at one time.
  public typealias Element = FetchedUpdate<Value>

  /// The errors of a fetch, of reading and of the transform.
  public typealias Failure = any Error

  private let context: NSManagedObjectContext
  // A copy of the caller's request, which is not changed.
  nonisolated(unsafe) private let request: any AnyFetchRequest
  private let value: @Sendable (NSManagedObject) throws -> Value

  init(
    context: NSManagedObjectContext,
    request: any AnyFetchRequest,
    value: @escaping @Sendable (NSManagedObject) throws -> Value
  ) {
    self.context = context
    self.request = request
    self.value = value
  }

  /// Makes an iterator, which fetches when it is asked for the first update.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(UpdatesFeed(context: context, request: request, value: value))
  }

  /// Waits for one update after the other.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let feed: UpdatesFeed<Value>

    init(_ feed: UpdatesFeed<Value>) { self.feed = feed }

    /// The next update; `nil` when the task is cancelled, and after an error.
    ///
    /// - Throws: an error in `NSCocoaErrorDomain` when the request cannot be carried out or an object
    ///   cannot be read, and what the transform throws.
    public mutating func next() async throws -> FetchedUpdate<Value>? { try await feed.next() }

    /// The next update, on the caller's actor; `nil` when the task is cancelled, and after an error.
    ///
    /// - Throws: an error in `NSCocoaErrorDomain` when the request cannot be carried out or an object
    ///   cannot be read, and what the transform throws.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> FetchedUpdate<Value>? {
      try await feed.next()
    }
  }
}
