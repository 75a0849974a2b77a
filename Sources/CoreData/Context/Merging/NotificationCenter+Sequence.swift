public import Foundation

extension NotificationCenter {
  /// The notifications with a name, in the order in which they are posted, for `for await`. Linux
  /// Foundation lacks this method.
  ///
  /// ```swift
  /// let saves = NotificationCenter.default.notifications(
  ///   named: .NSManagedObjectContextDidSave,
  ///   object: context
  /// )
  /// var saved = saves.makeAsyncIterator()
  /// try await context.perform {
  ///   note.isPinned = false
  ///   try context.save()
  /// }
  /// let updated = await saved.next()?.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject>
  /// print(updated?.count ?? 0)  // 1
  /// ```
  ///
  /// - Parameters:
  ///   - name: the name of the notifications.
  ///   - object: the object that posts them; `nil` for any object.
  public func notifications(named name: Notification.Name, object: (any AnyObject & Sendable)? = nil) -> Notifications {
    Notifications(center: self, name: name, object: object)
  }

  /// Notifications in the order in which they are posted. The sequence never ends on its own.
  ///
  /// Each iterator gets what is posted from the moment it is made, and keeps it until it is asked for.
  // Immutable, and notification centers are safe on any thread.
  public final class Notifications: AsyncSequence, @unchecked Sendable {
    public typealias Element = Notification
    public typealias Failure = Never

    private let center: NotificationCenter
    private let name: Notification.Name
    private let object: (any AnyObject & Sendable)?

    init(center: NotificationCenter, name: Notification.Name, object: (any AnyObject & Sendable)?) {
      self.center = center
      self.name = name
      self.object = object
    }

    /// Starts to listen.
    public func makeAsyncIterator() -> Iterator {
      let (stream, continuation) = AsyncStream.makeStream(of: UncheckedSendable<Notification>.self)
      let center = UncheckedSendable(self.center)
      let observer = UncheckedSendable(
        self.center.addObserver(forName: name, object: object, queue: nil) { notification in
          continuation.yield(UncheckedSendable(notification))
        }
      )
      continuation.onTermination = { _ in center.value.removeObserver(observer.value) }
      return Iterator(stream.makeAsyncIterator())
    }

    /// Waits for one notification after the other.
    public struct Iterator: AsyncIteratorProtocol {
      private var iterator: AsyncStream<UncheckedSendable<Notification>>.AsyncIterator

      init(_ iterator: AsyncStream<UncheckedSendable<Notification>>.AsyncIterator) { self.iterator = iterator }

      /// The next notification; `nil` when the task is cancelled.
      public mutating func next() async -> Notification? { await iterator.next()?.value }

      /// The next notification; `nil` when the task is cancelled.
      public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
        await iterator.next(isolation: actor)?.value
      }
    }
  }
}
