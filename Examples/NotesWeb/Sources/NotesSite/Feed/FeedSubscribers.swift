import Synchronization

/// The open pages. Each page gets all events in its own stream.
package final class FeedSubscribers: Sendable {
  /// The greatest number of pages, because each one holds a connection.
  package static let most = 64

  private struct State {
    var streams: [Int: AsyncStream<FeedEvent>.Continuation] = [:]
    var last = 0
    var eventCount = 0
  }

  /// A random number for each launch.
  private let launch = String(UInt64.random(in: 0...(.max)), radix: 36)

  private let state = Mutex(State())

  /// The number of listening pages.
  package var count: Int { state.withLock { $0.streams.count } }

  /// The version of the sent events. If a page was made at another version than its stream begins with, it
  /// may have missed an event.
  package var version: String { state.withLock { "\(launch).\($0.eventCount)" } }

  /// Begins a stream; returns nil if there are too many.
  ///
  /// If a page reads slowly, the oldest events are dropped. The next event makes it fetch its contents again.
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
