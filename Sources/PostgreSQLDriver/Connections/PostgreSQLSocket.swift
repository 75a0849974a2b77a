#if PostgreSQL
  import Foundation

  /// Waits for sockets and pipes.
  enum PostgreSQLSocket {
    /// The events that a thread waits for on a descriptor.
    struct Events: OptionSet {
      let rawValue: Int16
      static let reading = Events(rawValue: Int16(POLLIN))
      static let writing = Events(rawValue: Int16(POLLOUT))
    }

    /// Waits until a descriptor is ready or has an error, or until a deadline.
    ///
    /// - Returns: the events; `nil` at the deadline.
    static func wait(_ number: Int32, events: Events, until limit: ContinuousClock.Instant?) -> Events? {
      var polled = pollfd(fd: number, events: events.rawValue, revents: 0)
      return poll(&polled, count: 1, until: limit) ? ready(polled) : nil
    }

    /// Waits until one of several descriptors is ready or has an error, or until a deadline.
    ///
    /// - Returns: the events, by descriptor; empty at the deadline.
    static func wait(
      _ descriptors: [(number: Int32, events: Events)],
      until limit: ContinuousClock.Instant?
    ) -> [Int32: Events] {
      var polled = descriptors.map { pollfd(fd: $0.number, events: $0.events.rawValue, revents: 0) }
      guard poll(&polled, count: polled.count, until: limit) else { return [:] }
      return Dictionary(uniqueKeysWithValues: polled.filter { $0.revents != 0 }.map { ($0.fd, ready($0)) })
    }

    /// - Returns: false when the moment came first.
    private static func poll(
      _ polled: UnsafeMutablePointer<pollfd>,
      count: Int,
      until limit: ContinuousClock.Instant?
    ) -> Bool {
      while true {
        let found = Foundation.poll(polled, nfds_t(count), milliseconds(until: limit))
        if found > 0 { return true }
        // Otherwise a signal has arrived, or the system was out of memory for a moment.
        if found == 0, let limit, limit <= .now { return false }
      }
    }

    /// The thread that reads or writes next learns what the error is.
    private static func ready(_ polled: pollfd) -> Events {
      let isFailure = polled.revents & Int16(POLLIN | POLLOUT) == 0
      return isFailure ? [.reading, .writing] : Events(rawValue: polled.revents)
    }

    /// The time that is left, for `poll`; without end for `nil`.
    private static func milliseconds(until limit: ContinuousClock.Instant?) -> Int32 {
      guard let limit else { return -1 }
      let (seconds, attoseconds) = max(.zero, limit - .now).components
      if seconds >= Int64(Int32.max / 1000) { return Int32.max }
      // Rounded up, to avoid short waits at the end.
      return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
  }
#endif
