import Foundation

/// A table with weak keys or values. Entries with released objects are removed as the table grows.
final class NSMapTable<Key: AnyObject, Value: AnyObject> {
  private struct Entry {
    weak var key: Key?
    weak var value: Value?
    var heldKey: Key?
    var heldValue: Value?
  }

  private let holdsKeys: Bool
  private let lock = NSRecursiveLock()
  private var entries: [AnyHashable: Entry] = [:]
  private var nextPurge = 64

  private init(holdsKeys: Bool) { self.holdsKeys = holdsKeys }

  static func weakToStrongObjects() -> NSMapTable { NSMapTable(holdsKeys: false) }
  static func strongToWeakObjects() -> NSMapTable { NSMapTable(holdsKeys: true) }

  private func place(of key: Key?) -> AnyHashable? {
    guard let key else { return nil }
    return holdsKeys ? (key as? NSObject).map(AnyHashable.init) : AnyHashable(ObjectIdentifier(key))
  }

  func object(forKey key: Key?) -> Value? {
    lock.withLock {
      guard let place = place(of: key), let entry = entries[place], entry.key != nil else { return nil }
      return entry.value
    }
  }

  func setObject(_ value: Value?, forKey key: Key?) {
    lock.withLock {
      guard let place = place(of: key) else { return }
      purgeIfGrown()
      entries[place] = value.map {
        Entry(key: key, value: $0, heldKey: holdsKeys ? key : nil, heldValue: holdsKeys ? nil : $0)
      }
    }
  }

  func removeObject(forKey key: Key?) { setObject(nil, forKey: key) }

  func removeAllObjects() { lock.withLock { entries = [:] } }

  func objectEnumerator() -> NSEnumerator? {
    lock.withLock {
      NSArray(array: entries.values.filter { $0.key != nil }.compactMap(\.value)).objectEnumerator()
    }
  }

  private func purgeIfGrown() {
    guard entries.count >= nextPurge else { return }
    entries = entries.filter { $0.value.key != nil && $0.value.value != nil }
    nextPurge = max(64, 2 * entries.count)
  }
}
