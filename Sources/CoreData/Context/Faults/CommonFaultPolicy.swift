import Synchronization

/// The fault policy of a coordinator's new contexts.
///
/// Where none is set, a new context has one number to look at.
final class CommonFaultPolicy: Sendable {
  private let isOn = Atomic(false)
  private let present = Mutex<FaultPolicy>(.ignore)

  var policy: FaultPolicy {
    get { isOn.load(ordering: .acquiring) ? present.withLock { $0 } : .ignore }
    set {
      present.withLock { present in
        present = newValue
        isOn.store(newValue != .ignore, ordering: .releasing)
      }
    }
  }
}
