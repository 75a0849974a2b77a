import Synchronization

/// The pages that are open, each of which gets all events as a stream of its own.
package final class FeedSubscribers: Sendable {
  /// More pages are not served: each holds a connection.
  package static let most = 64

  private struct State {
    var streams: [Int: AsyncStream<FeedEvent>.Continuation] = [:]
    var last = 0
    var eventCount = 0
  }

  /// Another one at each launch.
  private let launch = String(UInt64.random(in: 0...(.max)), radix: 36)

  private let state = Mutex(State())

  /// The number of pages that listen.
  package var count: Int { state.withLock { $0.streams.count } }

  /// What was told until now, in a word. A page that was made at another word than its stream begins with may
  /// have missed something.
  package var version: String { state.withLock { "\(launch).\($0.eventCount)" } }

  /// Begins a stream; nil when there are too many.
  ///
  /// A page that reads slowly misses the oldest events: it fetches anew what it shows when it sees one.
  package func subscribe() -> AsyncStream<FeedEvent>? {
    state.withLock { state in
      guard state.streams.count < Self.most else { return nil }
      let (stream, continuation) = AsyncStream.makeStream(
        of: FeedEvent.self,
        bufferingPolicy: .bufferingNewest(32)
      )
      state.last += 1
      let number = state.last
      state.streams[number] = continuation
      continuation.onTermination = { [weak self] _ in
        self?.state.withLock { _ = $0.streams.removeValue(forKey: number) }
      }
      return stream
    }
  }

  func send(_ event: FeedEvent) {
    let streams = state.withLock { state in
      state.eventCount += 1
      return Array(state.streams.values)
    }
    for stream in streams { stream.yield(event) }
  }
}
