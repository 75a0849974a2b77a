import Foundation

/// Objects by integer key: a Robin Hood hash table that does not own what it holds.
///
/// An object appears under its key from the time that it is registered until it is deallocated.
struct IdentityTable: ~Copyable {
  struct Entry {
    var key: Int64
    var object: UnsafeMutableRawPointer?
  }

  private static let leastCapacity = 16

  private var entries: UnsafeMutablePointer<Entry>
  private var mask: Int
  private(set) var count = 0

  init() {
    mask = Self.leastCapacity - 1
    entries = Self.emptyEntries(Self.leastCapacity)
  }

  deinit { free(entries) }

  /// How many places there are.
  var capacity: Int { mask + 1 }

  /// Zeros, which the kernel makes of the pages of a large table only as they are used.
  private static func emptyEntries(_ capacity: Int) -> UnsafeMutablePointer<Entry> {
    guard let memory = calloc(capacity, MemoryLayout<Entry>.stride) else {
      fatalError("There is no memory for an identity map of \(capacity) places.")
    }
    return memory.bindMemory(to: Entry.self, capacity: capacity)
  }

  mutating func reserve(_ additional: Int) {
    let wanted = (count + additional) * 2
    guard wanted > self.capacity else { return }
    var capacity = self.capacity
    while capacity < wanted { capacity *= 2 }
    resize(to: capacity)
  }

  subscript(key: Int64) -> UnsafeMutableRawPointer? {
    @inline(__always) get {
      var place = home(of: key)
      var distance = 0
      while let object = entries[place].object {
        if entries[place].key == key { return object }
        if self.distance(at: place) < distance { return nil }
        place = (place + 1) & mask
        distance += 1
      }
      return nil
    }
  }

  /// Puts an object under a key, in the place of what was there.
  mutating func set(_ object: UnsafeMutableRawPointer, for key: Int64) {
    if let place = place(of: key) {
      entries[place].object = object
      return
    }
    if (count + 1) * 4 > (mask + 1) * 3 { resize(to: (mask + 1) * 2) }
    insert(Entry(key: key, object: object))
    count += 1
  }

  /// Removes an object, unless another one is under its key by now. A table that has become almost empty shrinks.
  ///
  /// - Returns: how many places were given up.
  @discardableResult
  mutating func remove(_ object: UnsafeMutableRawPointer, for key: Int64) -> Int {
    guard let place = place(of: key), entries[place].object == object else { return 0 }
    close(place)
    count -= 1
    guard count * 8 < capacity, capacity > Self.leastCapacity else { return 0 }
    let before = capacity
    resize(to: capacity / 4)
    return before - capacity
  }

  func forEach(_ body: (UnsafeMutableRawPointer) -> Void) {
    for place in 0...mask {
      if let object = entries[place].object { body(object) }
    }
  }

  private func place(of key: Int64) -> Int? {
    var place = home(of: key)
    var distance = 0
    while entries[place].object != nil {
      if entries[place].key == key { return place }
      if self.distance(at: place) < distance { return nil }
      place = (place + 1) & mask
      distance += 1
    }
    return nil
  }

  /// Entries lie in the order of their homes: one that is farther from its home pushes a nearer one on.
  private mutating func insert(_ entry: Entry) {
    var entry = entry
    var place = home(of: entry.key)
    var distance = 0
    while entries[place].object != nil {
      let other = self.distance(at: place)
      if other < distance {
        swap(&entry, &entries[place])
        distance = other
      }
      place = (place + 1) & mask
      distance += 1
    }
    entries[place] = entry
  }

  /// Moves the entries behind a hole back, up to the first that is where it belongs.
  private mutating func close(_ hole: Int) {
    var hole = hole
    var place = (hole + 1) & mask
    while entries[place].object != nil, distance(at: place) > 0 {
      entries[hole] = entries[place]
      hole = place
      place = (place + 1) & mask
    }
    entries[hole].object = nil
  }

  private mutating func resize(to newCapacity: Int) {
    let old = entries
    let oldCapacity = capacity
    let resized = max(newCapacity, Self.leastCapacity)
    entries = Self.emptyEntries(resized)
    mask = resized - 1
    for index in 0..<oldCapacity where old[index].object != nil { insert(old[index]) }
    free(old)
  }

  /// How far an entry is from its home.
  @inline(__always)
  private func distance(at place: Int) -> Int { (place &- home(of: entries[place].key)) & mask }

  /// Keys are mostly consecutive: taken as they are they do not collide, and stay near in memory.
  @inline(__always)
  private func home(of key: Int64) -> Int {
    let bits = UInt64(bitPattern: key)
    return Int(truncatingIfNeeded: bits ^ (bits >> 20)) & mask
  }
}
