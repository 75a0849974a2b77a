import CRuntime
import Synchronization

/// A weak reference to an object that is retained and released very often.
///
/// After the first weak reference to an object, Swift keeps the object's reference counts in a side
/// table, and each retain and release takes three times as long from then on. This reference
/// refers to the object's ``WeakHandle`` instead, and costs the object nothing.
@propertyWrapper
struct WeakHandleReference<Object: WeakHandleOwner>: Sendable {
  private var weakHandle: WeakHandle?

  init(wrappedValue: Object?) { self.wrappedValue = wrappedValue }

  /// The object; `nil` once it is being deallocated.
  var wrappedValue: Object? {
    get { weakHandle?.object.map { unsafeDowncast($0, to: Object.self) } }
    set {
      weakHandle = newValue?.weakHandle
      if let newValue { weakHandle?.hold(newValue) }
    }
  }

  /// The reference itself: a copy of it still knows the name of an object that is gone.
  var projectedValue: Self {
    get { self }
    set { self = newValue }
  }

  /// The name that the object had when it was deallocated; `nil` while it is there, and for objects that leave no name.
  var formerName: String? { weakHandle?.formerName }
}

/// An object that other objects refer to weakly. It calls ``WeakHandle/letGo(name:)`` when it is deallocated.
protocol WeakHandleOwner: AnyObject {
  var weakHandle: WeakHandle { get }
}

/// The object through which weak references find their target. It may outlive the target, and does not keep it alive.
final class WeakHandle: Sendable {
  private let pointer = Mutex<UnsafeMutableRawPointer?>(nil)
  private let lastName = Mutex<String?>(nil)

  func hold(_ object: AnyObject) {
    let held = UInt(bitPattern: Unmanaged.passUnretained(object).toOpaque())
    pointer.withLock { $0 = UnsafeMutableRawPointer(bitPattern: held) }
  }

  /// Called as the object is deallocated.
  ///
  /// - Parameter name: what ``formerName`` returns from then on.
  func letGo(name: String? = nil) {
    pointer.withLock { $0 = nil }
    if let name { lastName.withLock { $0 = name } }
  }

  /// The name that the object left when it was deallocated.
  var formerName: String? { lastName.withLock { $0 } }

  /// The memory of the object is there as long as the lock is held: to be freed, the object has to let go first. One
  /// that is just being deallocated refuses to be retained.
  var object: AnyObject? {
    pointer.withLock { pointer in
      guard let pointer, let retained = swift_tryRetain(pointer) else { return nil }
      return Unmanaged<AnyObject>.fromOpaque(retained).takeRetainedValue()
    }
  }
}
