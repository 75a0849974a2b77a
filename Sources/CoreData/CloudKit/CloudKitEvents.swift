import Dispatch
import Foundation
import Synchronization

/// The events of a coordinator's stores, and the queue on which they are told of.
final class CloudKitEvents: Sendable {
  typealias Event = NSPersistentCloudKitContainer.Event

  private let events = Mutex<[Event]>([])
  private static let queue = DispatchQueue(label: "CoreData.CloudKit.events")

  /// The events in the order in which they began, each as it is now.
  var all: [Event] { events.withLock { $0 } }

  /// The error with which every event fails here.
  static var noAccount: NSError {
    CocoaError.coreData(
      noAccountCode,
      "Nobody is signed in to iCloud, which there is none of on this platform; the store is local."
    )
  }

  /// The code that Apple's framework has for a device without an account.
  private static let noAccountCode = 134400

  /// Begins and ends the set-up of a store.
  func setUp(_ storeIdentifier: String, of container: NSPersistentCloudKitContainer) {
    Self.queue.async {
      let begun = Event(.setup, storeIdentifier: storeIdentifier)
      self.events.withLock { $0.append(begun) }
      self.post(begun, container)
      let ended = Event(ended: begun, error: Self.noAccount)
      self.events.withLock { events in
        if let index = events.firstIndex(where: { $0 === begun }) { events[index] = ended }
      }
      self.post(ended, container)
    }
  }

  private func post(_ event: Event, _ container: NSPersistentCloudKitContainer) {
    NotificationCenter.default.post(
      name: NSPersistentCloudKitContainer.eventChangedNotification,
      object: container,
      userInfo: [NSPersistentCloudKitContainer.eventNotificationUserInfoKey: event]
    )
  }
}
