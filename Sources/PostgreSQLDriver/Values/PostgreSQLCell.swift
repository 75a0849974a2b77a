#if PostgreSQL
  package import Foundation

  /// Decodes the binary form of one value of a result.
  package enum PostgreSQLCell {
    /// An integer of 2, 4 or 8 bytes, a truth value, or the number of an object.
    ///
    /// - Parameter type: the number of the type; only that of an object's number makes a difference,
    ///   since it has no sign.
    /// - Returns: `nil` for another count of bytes.
    package static func integer(_ bytes: UnsafeRawBufferPointer, type: UInt32 = 0) -> Int64? {
      switch bytes.count {
      case 1: Int64(bytes[0])
      case 2: Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
      case 4 where type == PostgreSQLType.oid: Int64(UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
      case 4: Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
      case 8: Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
      default: nil
      }
    }

    /// A floating-point number of 4 or 8 bytes.
    ///
    /// - Returns: `nil` for another count of bytes.
    package static func real(_ bytes: UnsafeRawBufferPointer) -> Double? {
      switch bytes.count {
      case 4: Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
      case 8: Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
      default: nil
      }
    }

    /// Text in UTF-8, as all text that the server sends.
    package static func text(_ bytes: UnsafeRawBufferPointer) -> String {
      String(decoding: bytes, as: UTF8.self)
    }

    /// The 16 bytes of a UUID.
    ///
    /// - Returns: `nil` for another count of bytes.
    package static func uuid(_ bytes: UnsafeRawBufferPointer) -> UUID? {
      bytes.count == 16 ? UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)) : nil
    }

    /// The exact value of a `numeric`.
    ///
    /// - Returns: `nil` for `NaN` and the infinities, for a number that has more digits than a
    ///   `Decimal` holds, which are 38 and a few of 39, or whose exponent is outside of -128 to 127.
    package static func decimal(_ bytes: UnsafeRawBufferPointer) -> Decimal? {
      PostgreSQLNumeric(bytes)?.decimal
    }
  }
#endif
