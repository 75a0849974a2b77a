#if PostgreSQL
  import Foundation
  import PostgreSQLDriver

  /// An array of numbers in binary form, which neither side has to make text of: a head of 20 bytes, and each
  /// element with its length before it, as the server's `array_send` gives arrays out.
  struct PostgreSQLNumberArray {
    private static let oids: [String: UInt32] = [
      "bigint": PostgreSQLType.int8, "integer": PostgreSQLType.int4, "smallint": PostgreSQLType.int2,
      "boolean": PostgreSQLType.bool, "double precision": PostgreSQLType.float8,
    ]

    private let oid: UInt32
    private var elements: [UInt8] = []
    private var count = 0
    private var hasNull = false

    /// - Parameter type: the type of the elements, as a statement names it.
    /// - Returns: `nil` for a type of other values.
    init?(type: String) {
      guard let oid = Self.oids[type] else { return nil }
      self.oid = oid
    }

    /// Adds an element.
    ///
    /// - Returns: false for a value that the type does not have, which is not added.
    mutating func append(_ value: SQLValue) -> Bool {
      switch (oid, value) {
      case (PostgreSQLType.int8, .integer(let number)): append(number)
      case (PostgreSQLType.float8, .real(let number)): append(number.bitPattern)
      case (PostgreSQLType.float8, .integer(let number)): append(Double(number).bitPattern)
      case (PostgreSQLType.int4, .integer(let number)):
        guard let number = Int32(exactly: number) else { return false }
        append(number)
      case (PostgreSQLType.int2, .integer(let number)):
        guard let number = Int16(exactly: number) else { return false }
        append(number)
      case (PostgreSQLType.bool, .integer(let number)): append(UInt8(number == 0 ? 0 : 1))
      case (_, .null):
        hasNull = true
        Self.append(Int32(-1), to: &elements)
      default: return false
      }
      count += 1
      return true
    }

    private mutating func append(_ value: some FixedWidthInteger) {
      Self.append(Int32(value.bitWidth / 8), to: &elements)
      Self.append(value, to: &elements)
    }

    private static func append(_ value: some FixedWidthInteger, to bytes: inout [UInt8]) {
      withUnsafeBytes(of: value.bigEndian) { bytes.append(contentsOf: $0) }
    }

    /// The array as the server reads it.
    var data: Data {
      var head: [UInt8] = []
      // The dimensions, whether there are nulls, the type, and the length and the first index of a dimension.
      let fields = [count == 0 ? 0 : 1, hasNull ? 1 : 0, oid] + (count == 0 ? [] : [UInt32(count), 1])
      for field in fields { Self.append(field, to: &head) }
      return Data(head) + elements
    }

    /// The elements, in their order.
    var values: [SQLValue] {
      elements.withUnsafeBytes { bytes in
        var place = 0
        return (0..<count).map { _ in
          let length = Int(Int32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: Int32.self)))
          place += 4
          if length < 0 { return .null }
          defer { place += length }
          let cell = PostgreSQLCell(
            bytes: UnsafeRawBufferPointer(rebasing: bytes[place..<place + length]),
            type: oid
          )
          if oid == PostgreSQLType.float8 { return cell.real.map(SQLValue.real) ?? .null }
          return cell.integer.map(SQLValue.integer) ?? .null
        }
      }
    }
  }
#endif
