import Foundation
import Synchronization

/// Receives the events of stores: for the program's log, the command's log, or a test that records them.
package struct StoreObserver: Sendable {
  /// The details that the log of each statement has; `nil` if statements are not logged.
  package var details: StatementDetails?
  var hearsMigrations = false
  /// Called with the path of a database when a connection to it is opened; with an empty text for one in memory.
  package var opened: @Sendable (_ store: String) -> Void = { _ in }
  /// Called when a statement has ended, on the thread that executed it, with its connection still
  /// busy. It must not use the store.
  package var executed: @Sendable (ExecutedStatement) -> Void = { _ in }
  /// Called with one line on a step of a migration and the path of its store.
  var migrating: @Sendable (_ step: String, _ store: String) -> Void = { _, _ in }
  /// Called with the path of a database when a connection to it has waited for another connection's
  /// lock for a second. The call happens once for each wait, on the thread that waits. `nil` if
  /// waits are not logged. The function must not use the store.
  var waiting: (@Sendable (_ store: String) -> Void)?
}

/// The observers of this process. Connections ask for theirs when they are opened, and migrations
/// when they begin, so that a statement has nothing to ask.
package enum StoreObservers {
  /// An observer's place, to be left again.
  struct Registration: Sendable {
    fileprivate let number: Int
  }

  private struct Entry {
    let number: Int
    /// A text that the paths of the observer's stores contain; `nil` for all stores.
    let place: String?
    let observer: StoreObserver
  }

  private struct State {
    var last = 0
    var entries: [Entry] = []

    mutating func add(_ observer: StoreObserver, place: String?) -> Registration {
      last += 1
      entries.append(Entry(number: last, place: place, observer: observer))
      return Registration(number: last)
    }
  }

  private static let state = Mutex<State>(
    {
      var state = State()
      let log = DebugLog(.ofProgram)
      if !log.settings.isOff { _ = state.add(log.observer, place: nil) }
      return state
    }()
  )

  /// Tells an observer of all that is done from now on, by connections that are opened from now on.
  ///
  /// - Parameter place: a text that the paths of its stores contain, such as their folder; `nil` for all stores.
  static func add(_ observer: StoreObserver, in place: String? = nil) -> Registration {
    state.withLock { $0.add(observer, place: place) }
  }

  /// Stops reporting new connections to an observer. Open connections go on reporting to it.
  static func remove(_ registration: Registration) {
    state.withLock { state in state.entries.removeAll { $0.number == registration.number } }
  }

  package static func all(of path: String) -> [StoreObserver] {
    state.withLock { state in
      state.entries.filter { $0.place.map(path.contains) ?? true }.map(\.observer)
    }
  }
}

/// Tells observers of the steps of a migration.
package struct MigrationLog {
  private let store: String
  private let observers: [StoreObserver]

  package init(_ store: URL) {
    self.store = store.storeName
    observers = StoreObservers.all(of: store.storeName).filter(\.hearsMigrations)
  }

  /// The text is made only when an observer receives it.
  package func report(_ step: @autoclosure () -> String) {
    if observers.isEmpty { return }
    let step = step()
    for observer in observers { observer.migrating(step, store) }
  }
}
