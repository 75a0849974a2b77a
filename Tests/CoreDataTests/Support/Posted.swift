import Foundation
import Synchronization

/// Records the notifications of one name that an object posts, as long as this object exists.
final class Posted: @unchecked Sendable {
  private let notifications = Mutex<[Box]>([])
  private var observer: (any NSObjectProtocol)?

  private struct Box: @unchecked Sendable {
    let notification: Notification
  }

  init(_ name: Notification.Name, by object: Any?) {
    observer = NotificationCenter.default.addObserver(forName: name, object: object, queue: nil) {
      [weak self] notification in
      let box = Box(notification: notification)
      self?.notifications.withLock { $0.append(box) }
    }
  }

  deinit { observer.map(NotificationCenter.default.removeObserver) }

  var all: [Notification] { notifications.withLock { $0.map(\.notification) } }
  var last: Notification? { all.last }
  var count: Int { all.count }

  /// Waits until the given number of notifications were posted, for 10 s at most.
  func wait(for count: Int = 1) async throws {
    for _ in 0..<1000 where self.count < count { try await Task.sleep(for: .milliseconds(10)) }
  }
}

extension Notification {
  func objects<Object: Hashable>(_ key: String, as type: Object.Type = Object.self) -> Set<Object> {
    userInfo?[key] as? Set<Object> ?? []
  }
}
