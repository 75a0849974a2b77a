#if PostgreSQL
  import Foundation

  /// Waits for sockets and pipes.
  enum PostgreSQLSocket {
    /// What a descriptor is waited for.
    struct Events: OptionSet {
      let rawValue: Int16
      static let reading = Events(rawValue: Int16(POLLIN))
      static let writing = Events(rawValue: Int16(POLLOUT))
    }

    /// Waits until a descriptor is ready, or has an error, or a moment has come.
    ///
    /// - Returns: what is ready, by descriptor; nothing when the moment came first.
    static func wait(
      _ descriptors: [(number: Int32, events: Events)],
      until limit: ContinuousClock.Instant?
    ) -> [Int32: Events] {
      var polled = descriptors.map { pollfd(fd: $0.number, events: $0.events.rawValue, revents: 0) }
      while true {
        let count = poll(&polled, nfds_t(polled.count), milliseconds(until: limit))
        // A signal has come, or the system has no memory for a moment.
        if count < 0 { continue }
        if count > 0 { break }
        if let limit, limit <= .now { break }
      }
      var ready: [Int32: Events] = [:]
      for one in polled where one.revents != 0 {
        // Whoever reads or writes finds out what an error is.
        let isFailure = one.revents & Int16(POLLIN | POLLOUT) == 0
        ready[one.fd] = isFailure ? [.reading, .writing] : Events(rawValue: one.revents)
      }
      return ready
    }

    /// The time that is left, for `poll`; without end for `nil`.
    private static func milliseconds(until limit: ContinuousClock.Instant?) -> Int32 {
      guard let limit else { return -1 }
      let (seconds, attoseconds) = max(.zero, limit - .now).components
      if seconds >= Int64(Int32.max / 1000) { return Int32.max }
      // Rounded up, so that there are no short waits at the end.
      return Int32(seconds * 1000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000)
    }
  }
#endif
