import Synchronization

/// The elements that several tasks and threads have added, in order.
final class Recorder<Element: Sendable>: Sendable {
  private let all = Mutex<[Element]>([])

  var elements: [Element] { all.withLock { $0 } }

  func add(_ element: Element) { all.withLock { $0.append(element) } }
}
