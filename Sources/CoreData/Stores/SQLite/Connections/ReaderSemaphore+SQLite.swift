import Foundation
import SQLiteDriver

extension ReaderSemaphore {
  /// The places of a store in SQLite.
  ///
  /// - Parameters:
  ///   - count: the number of places, at least 1.
  ///   - timeout: the time that a thread waits for one, in seconds; a second at least.
  convenience init(count: Int, timeout: TimeInterval) {
    self.init(count: count, timeout: timeout) { seconds in
      DatabaseError(
        resultCode: .SQLITE_BUSY,
        message: "others of this process have been reading for \(seconds) seconds"
      )
    }
  }
}
