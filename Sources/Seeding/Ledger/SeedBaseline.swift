import Foundation

/// The values that a seed had for an entity's objects, as digests: a row for each object, of its
/// key and of a value for each property.
///
/// The rows lie one after the other in one list, because a seed may have millions of them.
struct SeedBaseline: Sendable {
  /// Marks a property that the seed has not set.
  private static let nothing: UInt64 = 0

  private(set) var properties: [String] = []
  /// The rows: for each key as many digests as there are properties.
  private var cells: [UInt64] = []
  /// The number of each key's row.
  private var rows: [UInt64: Int] = [:]

  private static let propertiesKey = "properties"
  private static let rowsKey = "rows"

  init() {}

  /// Nil if the property list does not describe a base.
  init?(plist: Any) {
    guard let plist = plist as? [String: Any], let names = plist[Self.propertiesKey] as? [String],
      !names.isEmpty, let data = plist[Self.rowsKey] as? Data
    else { return nil }
    let width = names.count + 1
    guard data.count % (width * MemoryLayout<UInt64>.size) == 0 else { return nil }
    let numbers = PackedNumbers.read(data)
    properties = names
    cells.reserveCapacity(numbers.count / width * names.count)
    rows.reserveCapacity(numbers.count / width)
    for start in stride(from: 0, to: numbers.count, by: width) {
      rows[numbers[start]] = start / width
      cells += numbers[(start + 1)..<(start + width)]
    }
  }

  var plist: [String: Any] {
    var numbers: [UInt64] = []
    numbers.reserveCapacity(rows.count * (properties.count + 1))
    for (key, row) in rows.sorted(by: { $0.key < $1.key }) {
      numbers.append(key)
      numbers += cells[(row * properties.count)..<((row + 1) * properties.count)]
    }
    return [Self.propertiesKey: properties, Self.rowsKey: PackedNumbers.write(numbers)]
  }

  var isEmpty: Bool { rows.isEmpty }

  /// The digest of the last value that the seed had for a property of the object with the key; nil if it is unknown.
  func digest(of property: String, ofObject key: UInt64) -> UInt64? {
    guard let row = rows[key], let place = properties.firstIndex(of: property) else { return nil }
    let digest = cells[row * properties.count + place]
    return digest == Self.nothing ? nil : digest
  }

  /// Sets the digests of an object's properties.
  /// - Parameter body: sets each by a call of `set`.
  mutating func setDigests(
    ofObject key: UInt64,
    _ body: (_ set: (_ digest: UInt64?, _ property: String) -> Void) -> Void
  ) {
    var known: Int?
    body { digest, property in
      let place = place(of: property)
      let row = known ?? rows[key] ?? addRow(key)
      known = row
      cells[row * properties.count + place] = digest ?? Self.nothing
    }
  }

  private mutating func addRow(_ key: UInt64) -> Int {
    let row = cells.count / properties.count
    rows[key] = row
    cells += repeatElement(Self.nothing, count: properties.count)
    return row
  }

  /// The column of a property. A new property adds a column to every row.
  private mutating func place(of property: String) -> Int {
    if let place = properties.firstIndex(of: property) { return place }
    let width = properties.count
    properties.append(property)
    guard !cells.isEmpty else { return width }
    var wider: [UInt64] = []
    wider.reserveCapacity(cells.count / width * (width + 1))
    for start in stride(from: 0, to: cells.count, by: width) {
      wider += cells[start..<(start + width)]
      wider.append(Self.nothing)
    }
    cells = wider
    return width
  }

  /// The rows of some objects alone.
  func filter(_ isIncluded: (UInt64) -> Bool) -> SeedBaseline {
    let width = properties.count
    var base = SeedBaseline()
    base.properties = properties
    for (key, row) in rows where isIncluded(key) {
      base.rows[key] = base.rows.count
      base.cells += cells[(row * width)..<((row + 1) * width)]
    }
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
    numbers.map(\.bigEndian).withUnsafeBytes { Data($0) }
  }
}
