/// Objects by integer key: an open-addressed hash table that does not own what it holds.
///
/// An object appears under its key from the time that it is registered until it is deallocated.
struct IdentityTable: ~Copyable {
  struct Entry {
    var key: Int64
    var object: UnsafeMutableRawPointer?
  }

  private var entries: UnsafeMutablePointer<Entry>
  private var mask: Int
  private(set) var count = 0

  init() {
    mask = 15
    entries = .allocate(capacity: 16)
    entries.initialize(repeating: Entry(key: 0, object: nil), count: 16)
  }

  deinit { entries.deallocate() }

  mutating func reserve(_ additional: Int) {
    let wanted = (count + additional) * 2
    guard wanted > mask + 1 else { return }
    var capacity = mask + 1
    while capacity < wanted { capacity *= 2 }
    grow(to: capacity)
  }

  subscript(key: Int64) -> UnsafeMutableRawPointer? {
    @inline(__always) get {
      var place = slot(for: key)
      while let object = entries[place].object {
        if entries[place].key == key { return object }
        place = (place + 1) & mask
      }
      return nil
    }
  }

  /// Puts an object under a key, in the place of what was there.
  mutating func set(_ object: UnsafeMutableRawPointer, for key: Int64) {
    if (count + 1) * 4 > (mask + 1) * 3 { grow(to: (mask + 1) * 2) }
    var place = slot(for: key)
    while entries[place].object != nil {
      if entries[place].key == key {
        entries[place].object = object
        return
      }
      place = (place + 1) & mask
    }
    entries[place] = Entry(key: key, object: object)
    count += 1
  }

  /// Removes an object, unless another one is under its key by now.
  mutating func remove(_ object: UnsafeMutableRawPointer, for key: Int64) {
    var place = slot(for: key)
    while let present = entries[place].object {
      if entries[place].key == key {
        guard present == object else { return }
        close(place)
        count -= 1
        return
      }
      place = (place + 1) & mask
    }
  }

  func forEach(_ body: (UnsafeMutableRawPointer) -> Void) {
    for place in 0...mask {
      if let object = entries[place].object { body(object) }
    }
  }

  /// Moves later entries of the same run back, so that no look-up stops early.
  private mutating func close(_ hole: Int) {
    var hole = hole
    var place = (hole + 1) & mask
    while entries[place].object != nil {
      let home = slot(for: entries[place].key)
      if (place &- home) & mask >= (place &- hole) & mask {
        entries[hole] = entries[place]
        hole = place
      }
      place = (place + 1) & mask
    }
    entries[hole].object = nil
  }

  private mutating func grow(to capacity: Int) {
    let old = entries
    let oldCapacity = mask + 1
    entries = .allocate(capacity: capacity)
    entries.initialize(repeating: Entry(key: 0, object: nil), count: capacity)
    mask = capacity - 1
    for index in 0..<oldCapacity where old[index].object != nil {
      var place = slot(for: old[index].key)
      while entries[place].object != nil { place = (place + 1) & mask }
      entries[place] = old[index]
    }
    old.deallocate()
  }

  /// Keys are mostly consecutive: taken as they are they spread without collisions and stay near in memory.
  @inline(__always)
  private func slot(for key: Int64) -> Int {
    let bits = UInt64(bitPattern: key)
    return Int(truncatingIfNeeded: bits ^ (bits >> 20)) & mask
  }
}
