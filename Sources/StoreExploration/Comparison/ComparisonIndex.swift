/// The objects of one entity in the first store: the digest of their key, the digest of their
/// content and their primary key, 32 bytes for each.
struct ComparisonIndex {
  struct Entry {
    let key: ComparisonDigest
    let content: UInt64
    /// The primary key.
    let object: Int64
  }

  private var entries: [Entry] = []
  private var isMatched: [Bool] = []
  /// The number of objects that have the key of another.
  private(set) var ambiguousCount = 0

  mutating func append(_ entry: Entry) { entries.append(entry) }

  /// Called when all are there. Those with the same key stay in the order of their primary keys.
  mutating func sort() {
    entries.sort { ($0.key, $0.object) < ($1.key, $1.object) }
    isMatched = Array(repeating: false, count: entries.count)
    for (entry, next) in zip(entries, entries.dropFirst()) where entry.key == next.key { ambiguousCount += 1 }
  }

  /// Takes the first object of a key that has not been taken yet.
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

  /// The primary keys of the objects that nobody has taken, in order.
  var unmatched: [Int64] {
    entries.indices.filter { !isMatched[$0] }.map { entries[$0].object }.sorted()
  }
}
