#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// An array of numbers in binary form, which neither side has to make text of: a head of 20 bytes, and each
  /// element with its length before it, as the server's `array_send` gives arrays out.
  struct PostgreSQLNumberArray {
    /// The numbers of the types of elements, and the bytes that elements of them have.
    private static let types: [String: (oid: UInt32, width: Int)] = [
      "bigint": (PostgreSQLType.int8, 8), "integer": (PostgreSQLType.int4, 4),
      "smallint": (PostgreSQLType.int2, 2), "boolean": (PostgreSQLType.bool, 1),
      "double precision": (PostgreSQLType.float8, 8),
    ]

    private let oid: UInt32
    /// The bytes of an element.
    private let width: Int
    /// The bits of the elements, 0 for null.
    private var elements: [Int64] = []
    /// The indices of the elements that are null, in their order.
    private var nulls: [Int] = []

    /// - Parameter type: the type of the elements, as a statement names it.
    /// - Returns: `nil` for a type of other values.
    init?(type: String) {
      guard let (oid, width) = Self.types[type] else { return nil }
      (self.oid, self.width) = (oid, width)
    }

    /// Adds an element.
    ///
    /// - Returns: false for a value that the type cannot represent, which is not added.
    mutating func append(_ value: SQLValue) -> Bool {
      switch (oid, value) {
      case (PostgreSQLType.int8, .integer(let number)): elements.append(number)
      case (PostgreSQLType.float8, .real(let number)): append(number)
      case (PostgreSQLType.float8, .integer(let number)): append(Double(number))
      case (PostgreSQLType.int4, .integer(let number)) where Int32(exactly: number) != nil,
        (PostgreSQLType.int2, .integer(let number)) where Int16(exactly: number) != nil:
        elements.append(number)
      case (PostgreSQLType.bool, .integer(let number)): elements.append(number == 0 ? 0 : 1)
      case (_, .null):
        nulls.append(elements.count)
        elements.append(0)
      default: return false
      }
      return true
    }

    private mutating func append(_ value: Double) { elements.append(Int64(bitPattern: value.bitPattern)) }

    /// The array as the server reads it.
    var data: Data {
      // The header of the array: the number of dimensions, whether there are nulls, the type, and the length
      // and the first index of a dimension.
      let dimension = elements.isEmpty ? [] : [UInt32(elements.count), 1]
      let head = [elements.isEmpty ? 0 : 1, nulls.isEmpty ? 0 : 1, oid] + dimension
      var data = Data(count: head.count * 4 + elements.count * (4 + width) - nulls.count * width)
      data.withUnsafeMutableBytes { bytes in
        var place = 0
        func store(_ value: some FixedWidthInteger) {
          bytes.storeBytes(of: value.bigEndian, toByteOffset: place, as: type(of: value))
          place += value.bitWidth / 8
        }
        for field in head { store(field) }
        var nulls = nulls[...]
        for (index, element) in elements.enumerated() {
          if nulls.first == index {
            nulls.removeFirst()
            store(Int32(-1))
            continue
          }
          store(Int32(width))
          switch width {
          case 8: store(element)
          case 4: store(Int32(truncatingIfNeeded: element))
          case 2: store(Int16(truncatingIfNeeded: element))
          default: store(UInt8(truncatingIfNeeded: element))
          }
        }
      }
      return data
    }

    /// The elements, in their order.
    var values: [SQLValue] {
      var nulls = nulls[...]
      return elements.enumerated().map { index, element in
        if nulls.first == index {
          nulls.removeFirst()
          return .null
        }
        return oid == PostgreSQLType.float8
          ? .real(Double(bitPattern: UInt64(bitPattern: element))) : .integer(element)
      }
    }
  }
#endif
