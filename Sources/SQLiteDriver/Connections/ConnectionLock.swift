import Foundation

/// A lock that knows which thread owns it.
// The memory of the mutex keeps its address as long as the lock exists, as the system's functions require.
final class ConnectionLock: @unchecked Sendable {
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)

  init() {
    var attributes = pthread_mutexattr_t()
    pthread_mutexattr_init(&attributes)
    // The mutex reports an error to a thread that locks it twice, instead of a deadlock.
    pthread_mutexattr_settype(&attributes, Int32(PTHREAD_MUTEX_ERRORCHECK))
    pthread_mutex_init(mutex, &attributes)
    pthread_mutexattr_destroy(&attributes)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Takes the lock, and waits for the thread that owns it.
  ///
  /// - Returns: false when this thread already owns the lock.
  func lock() -> Bool {
    switch pthread_mutex_lock(mutex) {
    case 0: true
    case EDEADLK: false
    case let code: fatalError("A lock cannot be taken: \(String(cString: strerror(code)))")
    }
  }

  /// Releases the lock, which this thread owns.
  func unlock() { pthread_mutex_unlock(mutex) }
}
