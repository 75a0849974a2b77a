import Foundation

/// The values that a run states for an entity's objects, over those that earlier runs have stated.
///
/// Rows are added in the order of the records, and are put into the order of their keys at the end: a look-up for each
/// record would take longer than all else that is done for the ledger.
struct SeedBaselineDraft {
  /// The places in a row of the properties of a statement.
  private struct Places {
    let stated: StatedProperties
    let numbers: [Int]
    /// True if they are those of all properties, in their order.
    let isWhole: Bool
  }

  /// Places are kept of at most this number of statements.
  private static let mostPlaces = 64
  /// Marks a property that a row does not state. No value has this digest, but for one in 2⁶⁴.
  private static let unstated = UInt64.max
  /// Rows about the same objects are combined once there are more than this number, and than objects.
  private static let mostRows = 1 << 16

  /// What has been combined so far.
  private var base: SeedBaseline
  /// The properties of the base, followed by those that only later rows state.
  private var properties: [String]
  /// The later rows: each has its key, and as many digests as there are properties.
  private var cells: [UInt64] = []
  /// Of the statements of earlier records.
  private var known: [ObjectIdentifier: Places] = [:]
  /// Of the last statement. Most records state the same.
  private var last: Places?

  private var width: Int { properties.count + 1 }
  /// The number of the rows that are in memory.
  var rowCount: Int { base.count + cells.count / width }

  init(_ base: SeedBaseline = SeedBaseline()) {
    self.base = base
    properties = base.properties
  }

  /// Makes a draft of rows in any order. A later row replaces an earlier one of the same key.
  init(properties: [String], cells: [UInt64]) {
    self.init()
    self.properties = properties
    self.cells = cells
  }

  /// Adds what a record states about an object.
  /// - Parameter isStated: Tells by its place whether a property is stated after all; nil if all are.
  mutating func add(
    _ statement: LedgerStatement,
    ofObject key: UInt64,
    where isStated: ((_ place: Int) -> Bool)? = nil
  ) {
    let numbers = statement.digests.indices
    guard isStated.map({ isStated in numbers.contains { isStated($0) } }) ?? !numbers.isEmpty else { return }
    let places = places(of: statement.properties)
    cells.append(key)
    if places.isWhole, isStated == nil {
      cells += statement.digests
    } else {
      let start = cells.count
      cells += repeatElement(Self.unstated, count: properties.count)
      for number in numbers where isStated?(number) != false {
        cells[start + places.numbers[number]] = statement.digests[number]
      }
    }
    guard cells.count > Self.mostRows * width, cells.count / width > base.count else { return }
    base = baseline()
    cells.removeAll(keepingCapacity: true)
  }

  private mutating func places(of stated: StatedProperties) -> Places {
    if let last, last.stated === stated { return last }
    let found = known[ObjectIdentifier(stated)] ?? newPlaces(of: stated)
    last = found
    return found
  }

  private mutating func newPlaces(of stated: StatedProperties) -> Places {
    let new = stated.names.filter { !properties.contains($0) }
    if !new.isEmpty { widen(by: new) }
    // No row is whole any more that was before.
    if !new.isEmpty || known.count == Self.mostPlaces { known = [:] }
    let numbers = stated.names.compactMap { properties.firstIndex(of: $0) }
    let found = Places(stated: stated, numbers: numbers, isWhole: numbers.elementsEqual(properties.indices))
    known[ObjectIdentifier(stated)] = found
    return found
  }

  private mutating func widen(by names: [String]) {
    var wider: [UInt64] = []
    wider.reserveCapacity(cells.count / width * (width + names.count))
    for start in stride(from: 0, to: cells.count, by: width) {
      wider += cells[start..<(start + width)]
      wider += repeatElement(Self.unstated, count: names.count)
    }
    cells = wider
    properties += names
  }

  /// All rows, in the order of their keys.
  /// - Parameter known: The objects whose rows are wanted; nil for all.
  func baseline(of known: DigestList? = nil) -> SeedBaseline {
    // The rows of one key stay in their order.
    let later = stride(from: 0, to: cells.count, by: width).map { (key: cells[$0], start: $0 + 1) }
      .sorted { ($0.key, $0.start) < ($1.key, $1.start) }
    var nextLater = 0
    var nextKnown = 0
    let rows = [UInt64](unsafeUninitializedCapacity: (base.count + later.count) * width) { rows, count in
      func isWanted(_ key: UInt64) -> Bool {
        guard let known = known?.digests else { return true }
        while nextKnown < known.count, known[nextKnown] < key { nextKnown += 1 }
        return nextKnown < known.count && known[nextKnown] == key
      }
      /// Writes a row of the base, or a new one, with what later rows of its key state.
      func write(_ key: UInt64, base digests: ArraySlice<UInt64>) {
        rows[count] = key
        for place in properties.indices {
          rows[count + 1 + place] =
            place < digests.count ? digests[digests.startIndex + place] : SeedBaseline.nothing
        }
        while nextLater < later.count, later[nextLater].key == key {
          let start = later[nextLater].start
          for place in properties.indices where cells[start + place] != Self.unstated {
            rows[count + 1 + place] = cells[start + place]
          }
          nextLater += 1
        }
        // The next row overwrites one that is not wanted.
        if isWanted(key) { count += width }
      }
      for row in 0..<base.count {
        let key = base.key(ofRow: row)
        while nextLater < later.count, later[nextLater].key < key { write(later[nextLater].key, base: []) }
        write(key, base: base.digests(ofRow: row))
      }
      while nextLater < later.count { write(later[nextLater].key, base: []) }
    }
    return SeedBaseline(properties: properties, sortedCells: rows)
  }
}
