import Foundation

/// The observers of a progress. It is polled ten times a second.
private final class ProgressTimers {
  var byObserver: [ObjectIdentifier: any DispatchSourceTimer] = [:]
}

nonisolated(unsafe) private let timers = NSMapTable<AnyObject, ProgressTimers>.weakToStrongObjects()

extension Progress {
  func addObserver(
    _ observer: KeyValueObserver,
    forKeyPath keyPath: String,
    options: NSKeyValueObservingOptions,
    context: UnsafeMutableRawPointer?
  ) {
    let timer = DispatchSource.makeTimerSource()
    var fraction = -1.0
    timer.schedule(deadline: .now(), repeating: 0.1)
    timer.setEventHandler { [weak self, weak observer] in
      guard let self, let observer, fraction != fractionCompleted else { return }
      fraction = fractionCompleted
      observer.observeValue(forKeyPath: keyPath, of: self, change: nil, context: nil)
    }
    let own = timers.object(forKey: self) ?? ProgressTimers()
    own.byObserver[ObjectIdentifier(observer)] = timer
    timers.setObject(own, forKey: self)
    timer.resume()
  }

  func removeObserver(_ observer: KeyValueObserver, forKeyPath keyPath: String) {
    timers.object(forKey: self)?.byObserver.removeValue(forKey: ObjectIdentifier(observer))?.cancel()
  }
}
