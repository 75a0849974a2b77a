import Foundation
import Synchronization

/// Work on a thread of its own. When it fails, the process ends: whoever leads it may wait for a line that will not come.
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

/// Something that is so from one moment on.
final class Flag: Sendable {
  private let value = Atomic(false)

  var isSet: Bool { value.load(ordering: .acquiring) }

  func set() { value.store(true, ordering: .releasing) }
}
