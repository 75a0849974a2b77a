import Foundation
import SQLiteDriver

extension ReaderSemaphore {
  /// The permits of a store in SQLite.
  ///
  /// - Parameters:
  ///   - count: the number of permits, at least 1.
  ///   - timeout: the time that a thread waits for one, in seconds; a second at least.
  init(count: Int, timeout: TimeInterval) {
    self.init(count: count, timeout: timeout) { seconds in
      DatabaseError(
        resultCode: .SQLITE_BUSY,
        message: "others of this process have been reading for \(seconds) seconds"
      )
    }
  }
}
