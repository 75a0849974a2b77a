import Foundation

/// Tells observers of the steps of a migration.
struct MigrationLog {
  private let store: String
  private let observers: [StoreObserver]

  init(_ store: URL) {
    let path = store.path
    self.store = path
    observers = StoreObservers.all(of: path).filter(\.hearsMigrations)
  }

  /// The text is made only when somebody hears it.
  func report(_ step: @autoclosure () -> String) {
    if observers.isEmpty { return }
    let step = step()
    for observer in observers { observer.migrating(step, store) }
  }
}
