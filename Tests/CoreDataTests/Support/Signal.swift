@testable import CoreData

/// An event that one task waits for. A task that blocks its thread instead would keep others from running.
struct Signal: Sendable {
  private let event = SuspendedWait<Void>()

  func send() { event.resume(with: .success(())) }

  func wait() async { try? await event.untilResumed() }
}
