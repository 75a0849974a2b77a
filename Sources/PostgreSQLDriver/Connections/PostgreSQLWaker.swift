#if PostgreSQL
  import Foundation
  import Synchronization

  /// Ends the wait of a thread for a socket: a pipe that is made when it is needed first.
  final class PostgreSQLWaker: Sendable {
    private struct Ends {
      let reading, writing: Int32
    }

    private let ends = Mutex<Ends?>(nil)

    deinit {
      ends.withLock { ends in
        guard let ends else { return }
        close(ends.reading)
        close(ends.writing)
      }
    }

    /// The descriptor that becomes readable after ``wake()``.
    func descriptor() throws -> Int32 { try made().reading }

    /// Ends the current wait, or the next one. If the system has no free descriptors, the waiter has none either.
    func wake() {
      guard let ends = try? made() else { return }
      // A pipe that is full wakes as well.
      var byte: UInt8 = 1
      while write(ends.writing, &byte, 1) < 0, errno == EINTR {}
    }

    /// Forgets all calls of ``wake()`` until now.
    func reset() {
      guard let ends = ends.withLock({ $0 }) else { return }
      var bytes = [UInt8](repeating: 0, count: 64)
      while true {
        let count = read(ends.reading, &bytes, bytes.count)
        if count == bytes.count || (count < 0 && errno == EINTR) { continue }
        return
      }
    }

    private func made() throws -> Ends {
      try ends.withLock { ends in
        if let ends { return ends }
        var numbers: [Int32] = [0, 0]
        guard pipe(&numbers) == 0 else {
          throw PostgreSQLError(
            state: "58000",
            message: "A pipe could not be made: \(String(cString: strerror(errno)))."
          )
        }
        for number in numbers {
          _ = fcntl(number, F_SETFD, FD_CLOEXEC)
          _ = fcntl(number, F_SETFL, O_NONBLOCK)
        }
        let made = Ends(reading: numbers[0], writing: numbers[1])
        ends = made
        return made
      }
    }
  }
#endif
