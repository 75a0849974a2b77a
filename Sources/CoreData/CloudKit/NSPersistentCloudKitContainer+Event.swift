import Dispatch
public import Foundation
public import Predicates
import Synchronization

extension NSPersistentCloudKitContainer {
  /// Posted when an event begins and when it ends, on a queue of its own. The object is the
  /// container, and the user info has the event under ``eventNotificationUserInfoKey``.
  public class var eventChangedNotification: Notification.Name {
    Notification.Name("NSPersistentCloudKitContainerEventChangedNotification")
  }

  /// The key of the ``Event`` in the notification's user info.
  public class var eventNotificationUserInfoKey: String { "event" }

  /// The kinds of events.
  public enum EventType: Int, Sendable {
    /// A store is made ready to be mirrored.
    case setup = 0
    /// Changes come from CloudKit.
    case `import` = 1
    /// Changes go to CloudKit.
    case export = 2
  }

  /// Something that the mirroring of a store does: here its set-up alone, which fails for want of an account.
  ///
  /// An event that goes on has no ``endDate``. Apple's documentation of `NSPersistentCloudKitContainer.Event`.
  // Immutable.
  public final class Event: NSObject, NSCopying, KeyValueCoding, @unchecked Sendable {
    /// The same while the event goes on and when it has ended.
    public let identifier: UUID
    /// The identity of the store.
    public let storeIdentifier: String
    /// The kind of the event: what was to be done with the store.
    public let type: EventType
    /// The time when the event began.
    public let startDate: Date
    /// The time when the event ended; `nil` while it goes on.
    public let endDate: Date?
    /// A Boolean value that is true when the event has ended and did what it was to do.
    public let succeeded: Bool
    /// The error with which the event failed; `nil` while it goes on, and when it succeeded.
    public let error: (any Error)?

    init(_ type: EventType, storeIdentifier: String, startDate: Date = Date()) {
      identifier = UUID()
      self.type = type
      self.storeIdentifier = storeIdentifier
      self.startDate = startDate
      endDate = nil
      succeeded = false
      error = nil
    }

    /// An event that has ended.
    init(ended event: Event, endDate: Date = Date(), error: (any Error)?) {
      identifier = event.identifier
      storeIdentifier = event.storeIdentifier
      type = event.type
      startDate = event.startDate
      self.endDate = endDate
      succeeded = error == nil
      self.error = error
    }

    /// The event itself, which nothing changes.
    public func copy(with zone: NSZone? = nil) -> Any { self }

    public func value(forKey key: String) -> Any? { try? checkedValue(forKey: key) }

    /// The value of a property of the event, as predicates ask for it.
    ///
    /// - Throws: an error for a key that an event does not have.
    public func checkedValue(forKey key: String) throws -> Any? {
      switch key {
      case "identifier": identifier
      case "storeIdentifier": storeIdentifier
      case "type", "cloudKitEventType": NSNumber(value: type.rawValue)
      case "startDate": startDate
      case "endDate": endDate
      case "succeeded": NSNumber(value: succeeded)
      default:
        throw CocoaError.coreData(
          NSCoreDataError,
          message:
            "an event has no property \(key); it has endDate, identifier, startDate, storeIdentifier, succeeded and type."
        )
      }
    }

    public override var description: String {
      ObjectHead.text(
        self,
        [
          ("type", "\(type)"), ("storeIdentifier", storeIdentifier),
          ("startDate", DescriptionNode.text(of: startDate)), ("endDate", endDate.map(DescriptionNode.text)),
          ("succeeded", succeeded ? "YES" : "NO"), ("error", error.map { "\($0)" }),
        ]
      )
    }
  }
}

/// The events of a coordinator's stores, and the queue on which their notifications are posted.
final class CloudKitEvents: Sendable {
  typealias Event = NSPersistentCloudKitContainer.Event

  private let events = Mutex<[Event]>([])
  private static let queue = DispatchQueue(label: "CoreData.CloudKit.events")

  /// The events in the order in which they began, each in its present state.
  var all: [Event] { events.withLock { $0 } }

  /// The error with which every event fails here.
  static var noAccount: NSError {
    CocoaError.coreData(
      noAccountCode,
      message: "No account is signed in to iCloud, because this platform has no iCloud; the store is local."
    )
  }

  /// The code that Apple's framework has for a device without an account.
  private static let noAccountCode = 134400

  /// Begins and ends the set-up of a store.
  func setUp(_ storeIdentifier: String, of container: NSPersistentCloudKitContainer) {
    Self.queue.async {
      let begun = Event(.setup, storeIdentifier: storeIdentifier)
      self.events.withLock { $0.append(begun) }
      self.post(begun, container: container)
      let ended = Event(ended: begun, error: Self.noAccount)
      self.events.withLock { events in
        if let index = events.firstIndex(where: { $0 === begun }) { events[index] = ended }
      }
      self.post(ended, container: container)
    }
  }

  private func post(_ event: Event, container: NSPersistentCloudKitContainer) {
    NotificationCenter.default.post(
      name: NSPersistentCloudKitContainer.eventChangedNotification,
      object: container,
      userInfo: [NSPersistentCloudKitContainer.eventNotificationUserInfoKey: event]
    )
  }
}
