public import Foundation
public import Predicates

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

  /// Something that the mirroring of a store does: here its set-up alone, which fails for want of
  /// an account.
  ///
  /// An event that goes on has no ``endDate``. Apple's documentation of
  /// `NSPersistentCloudKitContainer.Event`.
  // Immutable.
  public final class Event: NSObject, NSCopying, KeyValueCoding, @unchecked Sendable {
    /// The same while the event goes on and when it has ended.
    public let identifier: UUID
    /// The identity of the store.
    public let storeIdentifier: String
    public let type: EventType
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
