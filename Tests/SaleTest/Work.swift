import Foundation
import Synchronization

/// Work on its own thread. If it fails, the process ends, because the controlling process may wait for a line
/// that will never come.
final class Work: Sendable {
  private let end = DispatchSemaphore(value: 0)

  init(_ work: @escaping @Sendable () throws -> Void) {
    let thread = Thread { [end] in
      do {
        try work()
      } catch {
        FileHandle.standardError.write(Data("\(error)\n".utf8))
        exit(1)
      }
      end.signal()
    }
    thread.start()
  }

  func wait() { end.wait() }
}

/// A flag that can be set once.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}
