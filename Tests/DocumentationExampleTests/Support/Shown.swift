import Synchronization

/// What an example has shown to its user, by calling it as a function.
final class Shown<Value: Sendable>: Sendable {
  private let all = Mutex<[Value]>([])

  var values: [Value] { all.withLock { $0 } }

  func callAsFunction(_ value: Value) { all.withLock { $0.append(value) } }
}
