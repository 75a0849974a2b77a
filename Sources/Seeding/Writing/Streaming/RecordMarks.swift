#if !canImport(Darwin)

  /// A set of records by number, a bit each.
  struct RecordMarks {
    private var words: [UInt64] = []
    private(set) var count = 0

    var isEmpty: Bool { count == 0 }

    func contains(_ record: Int) -> Bool {
      let word = record >> 6
      return word < words.count && words[word] & (1 << UInt64(record & 63)) != 0
    }

    mutating func insert(_ record: Int) {
      let word = record >> 6
      if word >= words.count { words += repeatElement(0, count: word + 1 - words.count) }
      guard !contains(record) else { return }
      words[word] |= 1 << UInt64(record & 63)
      count += 1
    }

    mutating func remove(_ record: Int) {
      guard contains(record) else { return }
      words[record >> 6] &= ~(1 << UInt64(record & 63))
      count -= 1
    }
  }

#endif
