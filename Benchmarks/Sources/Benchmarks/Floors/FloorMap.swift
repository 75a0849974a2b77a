import Synchronization

/// A map from keys to objects, which it does not retain. It prevents two objects for the same row.
///
/// An object removes itself on the thread that releases it last. Therefore the map has a lock.
final class FloorMap: @unchecked Sendable {
  private typealias Place = (key: Int64, object: UnsafeMutableRawPointer?)

  private let lock = Mutex(())
  private var places: UnsafeMutablePointer<Place>
  private var mask: Int
  private var count = 0

  init(capacity: Int = 16) {
    mask = Self.mask(for: capacity)
    places = Self.empty(mask)
  }

  deinit { places.deallocate() }

  func add(_ object: AnyObject, _ key: Int64) {
    lock.withLock { _ in
      if (count + 1) * 8 > (mask + 1) * 7 { grow() }
      places[place(of: key)] = (key, Unmanaged.passUnretained(object).toOpaque())
      count += 1
    }
  }

  func object(_ key: Int64) -> UnsafeMutableRawPointer? {
    lock.withLock { _ in places[place(of: key)].object }
  }

  /// Removes an object and keeps its key as a tombstone, because later keys of the same probe sequence may follow it.
  func remove(_ key: Int64) {
    lock.withLock { _ in
      let at = place(of: key)
      guard places[at].object != nil, places[at].object != Self.gone else { return }
      places[at].object = places[(at + 1) & mask].object == nil ? nil : Self.gone
    }
  }

  /// Marks the slot of a removed object.
  private static var gone: UnsafeMutableRawPointer? { UnsafeMutableRawPointer(bitPattern: 1) }

  /// The slot of a key, or the free slot for it.
  private func place(of key: Int64) -> Int {
    var at = Int(truncatingIfNeeded: key) & mask
    while places[at].object != nil, places[at].key != key { at = (at + 1) & mask }
    return at
  }

  private func grow() {
    let (old, oldMask) = (places, mask)
    mask = Self.mask(for: (oldMask + 1) * 2)
    places = Self.empty(mask)
    for index in 0...oldMask where old[index].object != nil && old[index].object != Self.gone {
      places[place(of: old[index].key)] = old[index]
    }
    old.deallocate()
  }

  private static func mask(for capacity: Int) -> Int {
    var size = 16
    while size * 7 < capacity * 8 { size *= 2 }
    return size - 1
  }

  private static func empty(_ mask: Int) -> UnsafeMutablePointer<Place> {
    let places = UnsafeMutablePointer<Place>.allocate(capacity: mask + 1)
    places.initialize(repeating: (0, nil), count: mask + 1)
    return places
  }
}
