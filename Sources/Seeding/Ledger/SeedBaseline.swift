import Foundation

/// The values that a seed had for an entity's objects, as digests: a row for each object, of its key and of a value for
/// each property.
///
/// The rows are in one list, because a seed may have millions of them.
struct SeedBaseline: Sendable {
  /// Marks a property that the seed has not set.
  private static let nothing: UInt64 = 0

  private(set) var properties: [String] = []
  /// The rows: each has its key, and as many digests as there are properties.
  private var cells: [UInt64] = []
  /// The number of rows at the beginning whose keys ascend. A ledger has all of its rows in this order.
  private var sortedCount = 0
  /// The number of each later row by its key.
  private var laterRows: [UInt64: Int] = [:]

  private static let propertiesKey = "properties"
  private static let rowsKey = "rows"

  private var width: Int { properties.count + 1 }

  init() {}

  /// Nil if the property list does not describe a base.
  init?(plist: Any) {
    guard let plist = plist as? [String: Any], let names = plist[Self.propertiesKey] as? [String],
      !names.isEmpty, let data = plist[Self.rowsKey] as? Data
    else { return nil }
    properties = names
    guard data.count % (width * MemoryLayout<UInt64>.size) == 0 else { return nil }
    cells = PackedNumbers.read(data)
    let count = cells.count / width
    sortedCount = (1..<max(count, 1)).first { key(ofRow: $0 - 1) >= key(ofRow: $0) } ?? count
    // Other programs can write into the metadata, and the rows may be in any order.
    for row in sortedCount..<count { laterRows[key(ofRow: row)] = row }
  }

  var plist: [String: Any] {
    var rows = cells
    if !laterRows.isEmpty {
      rows.removeAll(keepingCapacity: true)
      for row in sortedRows() { rows += cells[(row * width)..<((row + 1) * width)] }
    }
    return [Self.propertiesKey: properties, Self.rowsKey: PackedNumbers.write(rows)]
  }

  var isEmpty: Bool { cells.isEmpty }

  private func key(ofRow row: Int) -> UInt64 { cells[row * width] }

  /// The numbers of the rows, in the order of their keys.
  private func sortedRows() -> [Int] {
    var rows: [Int] = []
    rows.reserveCapacity(sortedCount + laterRows.count)
    var first = 0
    for (key, row) in laterRows.sorted(by: { $0.key < $1.key }) {
      while first < sortedCount, self.key(ofRow: first) <= key {
        // A later row replaces an earlier one of the same key.
        if self.key(ofRow: first) < key { rows.append(first) }
        first += 1
      }
      rows.append(row)
    }
    return rows + (first..<sortedCount)
  }

  private func row(of key: UInt64) -> Int? {
    if let row = laterRows[key] { return row }
    var low = 0
    var high = sortedCount
    while low < high {
      let middle = (low + high) / 2
      if self.key(ofRow: middle) < key { low = middle + 1 } else { high = middle }
    }
    return low < sortedCount && self.key(ofRow: low) == key ? low : nil
  }

  /// The digest of the last value that the seed had for a property of the object with the key; nil if it is unknown.
  func digest(of property: String, ofObject key: UInt64) -> UInt64? {
    guard let row = row(of: key), let place = properties.firstIndex(of: property) else { return nil }
    let digest = cells[row * width + 1 + place]
    return digest == Self.nothing ? nil : digest
  }

  /// Sets the digests of an object's properties.
  /// - Parameter body: sets each by a call of `set`.
  mutating func setDigests(
    ofObject key: UInt64,
    _ body: (_ set: (_ digest: UInt64?, _ property: String) -> Void) -> Void
  ) {
    var known: Int?
    var next = 0
    body { digest, property in
      // Most records state the same properties in the same order.
      let place = next < properties.count && properties[next] == property ? next : place(of: property)
      next = place + 1
      let row = known ?? row(of: key) ?? addRow(key)
      known = row
      cells[row * width + 1 + place] = digest ?? Self.nothing
    }
  }

  private mutating func addRow(_ key: UInt64) -> Int {
    let row = cells.count / width
    laterRows[key] = row
    cells.append(key)
    for _ in properties { cells.append(Self.nothing) }
    return row
  }

  /// The column of a property. A new property adds a column to every row.
  private mutating func place(of property: String) -> Int {
    if let place = properties.firstIndex(of: property) { return place }
    var wider: [UInt64] = []
    wider.reserveCapacity(cells.count / width * (width + 1))
    for start in stride(from: 0, to: cells.count, by: width) {
      wider += cells[start..<(start + width)]
      wider.append(Self.nothing)
    }
    cells = wider
    properties.append(property)
    return properties.count - 1
  }

  /// The rows of these objects alone.
  func rows(of objects: DigestList) -> SeedBaseline {
    var rest = objects.digests[...]
    var base = self
    base.laterRows = [:]
    base.cells.removeAll(keepingCapacity: true)
    for row in sortedRows() {
      while let next = rest.first, next < key(ofRow: row) { rest.removeFirst() }
      if rest.first == key(ofRow: row) { base.cells += cells[(row * width)..<((row + 1) * width)] }
    }
    base.sortedCount = base.cells.count / width
    return base
  }
}

/// Numbers of 64 bits in bytes, the highest byte first.
enum PackedNumbers {
  /// The whole numbers at the beginning of any bytes.
  static func read(_ data: Data) -> [UInt64] {
    let size = MemoryLayout<UInt64>.size
    return data.withUnsafeBytes { bytes in
      (0..<bytes.count / size).map { number in
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: number * size, as: UInt64.self))
      }
    }
  }

  static func write(_ numbers: [UInt64]) -> Data {
    numbers.map { $0.bigEndian }.withUnsafeBytes { Data($0) }
  }
}
