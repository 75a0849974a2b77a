@testable import CoreData

/// An event that a task awaits. A task that blocked its thread instead would keep other tasks from running.
struct Signal: Sendable {
  private let event = SuspendedWait<Void>()

  func send() { event.resume(with: .success(())) }

  func wait() async { try? await event.untilResumed() }
}
