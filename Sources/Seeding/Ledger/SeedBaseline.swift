import Foundation

/// The values that a seed had for an entity's objects, as digests: a row for each object, of its key and of a value for
/// each property. The keys ascend.
///
/// The rows are in one list, because a seed may have millions of them.
struct SeedBaseline: Sendable {
  /// Marks a property that the seed has not set.
  static let nothing: UInt64 = 0

  let properties: [String]
  /// The rows: each has its key, and as many digests as there are properties.
  let cells: [UInt64]

  private static let propertiesKey = "properties"
  private static let rowsKey = "rows"

  private var width: Int { properties.count + 1 }

  init() { self.init(properties: [], sortedCells: []) }

  init(properties: [String], sortedCells: [UInt64]) {
    self.properties = properties
    cells = sortedCells
  }

  /// Nil if the property list does not describe a base.
  init?(plist: Any) {
    guard let plist = plist as? [String: Any], let names = plist[Self.propertiesKey] as? [String],
      !names.isEmpty, let data = plist[Self.rowsKey] as? Data
    else { return nil }
    let width = names.count + 1
    guard data.count % (width * MemoryLayout<UInt64>.size) == 0 else { return nil }
    let cells = PackedNumbers.read(data)
    self.init(properties: names, sortedCells: cells)
    guard stride(from: width, to: cells.count, by: width).contains(where: { cells[$0 - width] >= cells[$0] })
    else { return }
    // Other programs can write into the metadata, and the rows may be in any order.
    self = SeedBaselineDraft(properties: names, cells: cells).baseline()
  }

  var plist: [String: Any] { [Self.propertiesKey: properties, Self.rowsKey: PackedNumbers.write(cells)] }

  var isEmpty: Bool { cells.isEmpty }
  var count: Int { cells.count / width }

  func key(ofRow row: Int) -> UInt64 { cells[row * width] }

  /// The digests of a row, in the order of the properties.
  func digests(ofRow row: Int) -> ArraySlice<UInt64> { cells[(row * width + 1)..<((row + 1) * width)] }

  private func row(of key: UInt64) -> Int? {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if self.key(ofRow: middle) < key { low = middle + 1 } else { high = middle }
    }
    return low < count && self.key(ofRow: low) == key ? low : nil
  }

  /// The digest of the last value that the seed had for a property of the object with the key; nil if it is unknown.
  func digest(of property: String, ofObject key: UInt64) -> UInt64? {
    guard let row = row(of: key), let place = properties.firstIndex(of: property) else { return nil }
    let digest = cells[row * width + 1 + place]
    return digest == Self.nothing ? nil : digest
  }
}

/// Numbers of 64 bits in bytes, the highest byte first.
enum PackedNumbers {
  private static let size = MemoryLayout<UInt64>.size

  /// The whole numbers at the beginning of any bytes.
  static func read(_ data: Data) -> [UInt64] {
    data.withUnsafeBytes { bytes in
      (0..<bytes.count / size).map { number in
        UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: number * size, as: UInt64.self))
      }
    }
  }

  static func write(_ numbers: [UInt64]) -> Data {
    var data = Data(count: numbers.count * size)
    data.withUnsafeMutableBytes { bytes in
      for (place, number) in numbers.enumerated() {
        bytes.storeBytes(of: number.bigEndian, toByteOffset: place * size, as: UInt64.self)
      }
    }
    return data
  }
}
