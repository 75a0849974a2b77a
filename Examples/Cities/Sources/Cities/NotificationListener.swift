import CoreData

/// Prints what contexts announce when they save.
final class NotificationListener: NSObject {

  private let say: (String) -> Void
  private var observer: (any NSObjectProtocol)?

  init(_ say: @escaping (String) -> Void) {
    self.say = say
    super.init()
    observer = NotificationCenter.default.addObserver(
      forName: .NSManagedObjectContextDidSave,
      object: nil,
      queue: nil
    ) { [unowned self] notification in
      handleDidSaveNotification(notification)
    }
  }

  func stop() {
    if let observer {
      NotificationCenter.default.removeObserver(observer)
    }
  }

  private func handleDidSaveNotification(_ notification: Notification) {
    let changes = [
      ("inserted", NSInsertedObjectsKey),
      ("updated", NSUpdatedObjectsKey),
      ("deleted", NSDeletedObjectsKey),
    ]
    let counts = changes.map { word, key in
      "\((notification.userInfo?[key] as? Set<NSManagedObject>)?.count ?? 0) \(word)"
    }

    say("did save notification received: " + counts.joined(separator: ", "))
  }
}
