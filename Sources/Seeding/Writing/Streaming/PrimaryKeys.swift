#if !canImport(Darwin)
  /// A set of primary keys, with one bit per key for keys that are close together.
  struct PrimaryKeys {
    private var words: [Int64: UInt64] = [:]

    func contains(_ key: Int64) -> Bool {
      words[key >> 6].map { $0 & 1 << UInt64(key & 63) != 0 } ?? false
    }

    mutating func insert(_ key: Int64) { words[key >> 6, default: 0] |= 1 << UInt64(key & 63) }
  }
#endif
