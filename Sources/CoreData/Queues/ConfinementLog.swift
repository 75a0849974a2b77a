import Foundation
import Logging
import Synchronization

/// The log of uses of contexts outside of their queues.
///
/// A place is a member of the context, or an entity whose object was used. It is logged once in a
/// process: a server would log the same mistake for each request.
enum ConfinementLog {
  private static let logged = Mutex<Set<String>>([])
  /// Names of entities come from models, of which a program may make any number.
  private static let mostPlaces = 1000
  /// Held until a place has been written: other threads go on, and may stop the program, after it.
  /// Recursive because a log handler may use a context itself.
  private static let writing = NSRecursiveLock()

  /// The places that have been logged.
  static var places: Set<String> { logged.withLock { $0 } }

  /// Logs a use, before the context's state is touched: the program may stop right after it.
  static func record(_ place: String, of context: String, queue: String, remedy: String) {
    writing.lock()
    defer { writing.unlock() }
    let isNew = logged.withLock { places in
      if places.count == mostPlaces { return false }
      return places.insert(place).inserted
    }
    if !isNew { return }
    // The logger is made each time, so that it uses the program's log handler even if the program
    // sets up its logging later.
    Logger(label: "CoreData").error(
      """
      \(context) belongs to \(queue), and \(place) was used outside of it by \(user), where other code may use the \
      context at the same time: values can be lost, and the program can stop. \(remedy) Pass objects on by their \
      objectID. COREDATA_CONCURRENCY_DEBUG=1 in the environment stops the program where this happens, 0 switches the \
      check off.
      """,
      metadata: ["place": "\(place)"]
    )
  }

  private static var user: String {
    switch ContextUser.current {
    case .mainQueue: "the main thread"
    case .task: "a task"
    case .thread: "another thread"
    }
  }
}
