import Foundation
import Synchronization

/// The time that attributes derived by `now()` use as the time of a save.
package enum SaveClock {
  private static let stopped = Mutex<Date?>(nil)

  package static var now: Date { stopped.withLock { $0 } ?? Date() }

  /// Has all further saves of the process take place at one time, so that a store which is made twice is the same.
  package static func stop(at date: Date) { stopped.withLock { $0 = date } }
}
