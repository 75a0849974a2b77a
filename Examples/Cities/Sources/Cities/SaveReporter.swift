import CoreData

/// Prints the number of objects in each save of a context, as long as the reporter lives.
// The context saves only on the main thread, and nothing is written after the initializer.
final class SaveReporter: @unchecked Sendable {
  private var token: (any NSObjectProtocol)?

  init(of context: NSManagedObjectContext, tell: @escaping (String) -> Void) {
    nonisolated(unsafe) let tell = tell
    token = NotificationCenter.default.addObserver(
      forName: NSManagedObjectContext.didSaveObjectsNotification,
      object: context,
      queue: nil
    ) { tell(Self.summary(of: $0)) }
  }

  deinit { token.map(NotificationCenter.default.removeObserver) }

  private static func summary(of save: Notification) -> String {
    let kinds = [
      NSInsertedObjectsKey: "new", NSUpdatedObjectsKey: "changed", NSDeletedObjectsKey: "gone",
    ]
    let parts = kinds.compactMap { key, word in
      (save.userInfo?[key] as? Set<NSManagedObject>).map { "\($0.count) \(word)" }
    }
    return "saved: " + parts.sorted().joined(separator: ", ")
  }
}
