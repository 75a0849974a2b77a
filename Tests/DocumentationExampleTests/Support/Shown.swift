import Synchronization

/// Records the values that an example shows to its user. The example calls it as a function.
final class Shown<Value: Sendable>: Sendable {
  private let all = Mutex<[Value]>([])

  var values: [Value] { all.withLock { $0 } }

  func callAsFunction(_ value: Value) { all.withLock { $0.append(value) } }
}
