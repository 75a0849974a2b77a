import Foundation

/// Objects by integer key: a Robin Hood hash table that does not own what it holds.
///
/// An object appears under its key from the time that it is registered until it is deallocated.
struct IdentityTable: ~Copyable {
  struct Entry {
    var key: Int64
    /// The object, which the table does not keep alive: it is removed when it is deallocated, and a
    /// caller that looks it up retains it before use. `nil` marks a free place.
    var object: UnsafeMutableRawPointer?
  }

  private static let leastCapacity = 16

  // Owned by the table alone, which cannot be copied and frees it in `deinit`.
  private var entries: UnsafeMutablePointer<Entry>
  private var mask: Int
  private(set) var count = 0
  /// 0 while keys are used nearly unchanged as hash values; otherwise the seed of the hash function.
  private var seed: UInt64 = 0

  init() {
    mask = Self.leastCapacity - 1
    entries = Self.emptyEntries(Self.leastCapacity)
  }

  deinit { free(entries) }

  /// The number of places, free ones included.
  var capacity: Int { mask + 1 }

  /// Zeroed memory. The kernel allocates the pages of a large table only when they are used.
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

  /// Stores an object under a key, and replaces the former object.
  mutating func set(_ object: UnsafeMutableRawPointer, for key: Int64) {
    if let place = place(of: key) {
      entries[place].object = object
      return
    }
    if (count + 1) * 4 > (mask + 1) * 3 { resize(to: (mask + 1) * 2) }
    let distance = insert(Entry(key: key, object: object))
    count += 1
    if distance > Self.largestDistance, seed == 0 { scatter() }
  }

  /// Puts all entries where scattered keys belong, from now on.
  private mutating func scatter() {
    seed = .random(in: 1...UInt64.max)
    resize(to: capacity)
  }

  /// Removes an object, unless another one is under its key by now. A table that has become almost empty shrinks.
  ///
  /// - Returns: the number of slots that were freed.
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

  /// Entries lie in the order of their home slots: an entry that is farther from its home moves a nearer one on.
  ///
  /// - Returns: the greatest distance from its home that one of the moved entries has now.
  @discardableResult
  private mutating func insert(_ entry: Entry) -> Int {
    var entry = entry
    var place = home(of: entry.key)
    var distance = 0
    var largest = 0
    while entries[place].object != nil {
      let other = self.distance(at: place)
      if other < distance {
        swap(&entry, &entries[place])
        largest = max(largest, distance)
        distance = other
      }
      place = (place + 1) & mask
      distance += 1
    }
    entries[place] = entry
    return max(largest, distance)
  }

  /// Moves the entries that follow a hole back, up to the first entry that is where it belongs.
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

  /// The greatest distance of an entry from its home, for tests.
  var farthest: Int { (0...mask).map { entries[$0].object == nil ? 0 : distance(at: $0) }.max() ?? 0 }

  /// The distance of an entry from its home, in places.
  @inline(__always)
  private func distance(at place: Int) -> Int { (place &- home(of: entries[place].key)) & mask }

  /// Keys are mostly consecutive: used unchanged as hash values they do not collide, and neighbours stay close in
  /// memory. The table hashes its keys when they turn out to collide, as keys in steps of a power of two do.
  @inline(__always)
  private func home(of key: Int64) -> Int {
    let bits = UInt64(bitPattern: key)
    if seed == 0 { return Int(truncatingIfNeeded: bits ^ (bits >> 20)) & mask }
    return Self.scattered(bits, seed: seed) & mask
  }

  /// The finalizer of MurmurHash3, in which each bit affects all others. Each table has a different
  /// seed, so that an attacker cannot choose keys that collide.
  private static func scattered(_ bits: UInt64, seed: UInt64) -> Int {
    var hash = bits ^ seed
    hash = (hash ^ (hash >> 33)) &* 0xff51_afd7_ed55_8ccd
    hash = (hash ^ (hash >> 33)) &* 0xc4ce_b9fe_1a85_ec53
    return Int(truncatingIfNeeded: hash ^ (hash >> 33))
  }

  /// The greatest distance of an entry from its home slot at which keys are still used unchanged.
  /// Consecutive keys never lie that far from their home slots.
  private static let largestDistance = 128
}
