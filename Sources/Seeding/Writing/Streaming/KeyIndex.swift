#if !canImport(Darwin)

  /// A natural key as 128 bits, which no two keys of a run share in practice: of a million keys,
  /// with a probability of 10⁻²⁷. It holds within one process.
  struct KeyHash: Hashable {
    fileprivate let high: UInt64
    fileprivate let low: UInt64

    init(_ key: some Hashable) {
      var first = Hasher()
      first.combine(key)
      high = UInt64(bitPattern: Int64(first.finalize()))
      var second = Hasher()
      second.combine(high)
      second.combine(key)
      low = UInt64(bitPattern: Int64(second.finalize()))
    }

    /// Half of the bits tell nearly all keys apart.
    func hash(into hasher: inout Hasher) { hasher.combine(high) }
  }

  /// The object with a natural key: its entity, its primary key, and whether this run has found it.
  struct KeyEntry: Hashable {
    /// The primary keys that an entry can represent. Only a damaged store has others.
    private static let primaryKeys: Range<Int64> = 1..<(1 << 45)

    fileprivate let bits: UInt64

    /// Makes an entry of an object.
    /// - Parameters:
    ///   - primaryKey: from 1 to 2⁴⁵.
    ///   - entity: the entity's number in the model.
    /// - Throws: A `SeedError` for a primary key that only a damaged store has.
    init(primaryKey: Int64, entity: Int, isSeen: Bool) throws(SeedError) {
      guard Self.primaryKeys.contains(primaryKey) else {
        throw SeedError(
          code: .storeFailed,
          problem: "an object in the store has the primary key \(primaryKey), which no sound store has",
          remedy: "look for what is wrong by \"perennial check\""
        )
      }
      bits = UInt64(primaryKey) << 18 | UInt64(entity) << 2 | (isSeen ? 2 : 0) | 1
    }

    fileprivate init(bits: UInt64) { self.bits = bits }

    /// The entry of a key that several objects have, so that the key cannot identify one of them.
    static let several = KeyEntry(bits: 1)

    var primaryKey: Int64 { Int64(bits >> 18) }
    var entity: Int { Int(bits >> 2 & 0xFFFF) }

    /// True when a record of this run has the key.
    var isSeen: Bool { bits & 2 != 0 }

    var seen: KeyEntry { KeyEntry(bits: bits | 2) }
  }

  /// From natural keys to objects, in 24 bytes each: a million objects' keys take 40 MB.
  struct KeyIndex {
    private struct Slot {
      var high: UInt64 = 0
      var low: UInt64 = 0
      /// 0 where the slot is free.
      var entry: UInt64 = 0
    }

    private var slots = [Slot](repeating: Slot(), count: 64)
    private(set) var count = 0

    subscript(hash: KeyHash) -> KeyEntry? {
      get {
        let entry = slots[place(of: hash)].entry
        return entry == 0 ? nil : KeyEntry(bits: entry)
      }
      set {
        guard let newValue else { return }
        put(newValue, hash: hash, at: place(of: hash))
      }
    }

    /// Adds an object under its key. A second object makes the key ambiguous.
    mutating func add(_ entry: KeyEntry, hash: KeyHash) {
      let place = place(of: hash)
      put(slots[place].entry == 0 ? entry : .several, hash: hash, at: place)
    }

    private mutating func put(_ entry: KeyEntry, hash: KeyHash, at place: Int) {
      var place = place
      if slots[place].entry == 0 {
        count += 1
        if count > slots.count / 5 * 4 {
          grow()
          place = self.place(of: hash)
        }
      }
      slots[place] = Slot(high: hash.high, low: hash.low, entry: entry.bits)
    }

    /// The slot with the hash, or the free slot where it belongs.
    private func place(of hash: KeyHash) -> Int {
      slots.withUnsafeBufferPointer { slots in
        var place = Int(hash.high.multipliedFullWidth(by: UInt64(slots.count)).high)
        while slots[place].entry != 0, slots[place].high != hash.high || slots[place].low != hash.low {
          place += 1
          if place == slots.count { place = 0 }
        }
        return place
      }
    }

    private mutating func grow() {
      let old = slots
      slots = [Slot](repeating: Slot(), count: old.count + old.count / 2)
      for slot in old where slot.entry != 0 { slots[place(of: KeyHash(high: slot.high, low: slot.low))] = slot }
    }
  }

  extension KeyHash {
    fileprivate init(high: UInt64, low: UInt64) {
      self.high = high
      self.low = low
    }
  }

#endif
