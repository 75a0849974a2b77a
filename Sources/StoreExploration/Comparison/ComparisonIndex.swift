/// The objects of one entity in the first store. Each has the digest of its key, the digest of its content,
/// and its primary key: 32 bytes.
struct ComparisonIndex {
  struct Entry {
    let key: ComparisonDigest
    let content: UInt64
    /// The primary key.
    let object: Int64
  }

  private var entries: [Entry] = []
  private var isMatched: [Bool] = []
  /// The number of objects that have the same key as another object.
  private(set) var ambiguousCount = 0

  mutating func append(_ entry: Entry) { entries.append(entry) }

  /// Sorts the entries after the last one is added. Objects with the same key are in the order of their primary keys.
  mutating func sort() {
    entries.sort { ($0.key, $0.object) < ($1.key, $1.object) }
    isMatched = Array(repeating: false, count: entries.count)
    for (entry, next) in zip(entries, entries.dropFirst()) where entry.key == next.key { ambiguousCount += 1 }
  }

  /// Returns the first unmatched object with a key, and marks it as matched.
  mutating func match(_ key: ComparisonDigest) -> Entry? {
    var (low, high) = (0, entries.count)
    while low < high {
      let middle = low + (high - low) / 2
      if entries[middle].key < key { low = middle + 1 } else { high = middle }
    }
    while low < entries.count, entries[low].key == key {
      if !isMatched[low] {
        isMatched[low] = true
        return entries[low]
      }
      low += 1
    }
    return nil
  }

  /// The primary keys of the unmatched objects, in order.
  var unmatched: [Int64] {
    entries.indices.filter { !isMatched[$0] }.map { entries[$0].object }.sorted()
  }
}
