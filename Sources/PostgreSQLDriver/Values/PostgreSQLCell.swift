#if PostgreSQL
  package import Foundation

  /// The binary form of one value of a result, which is not null.
  ///
  /// A decoder returns `nil` for a column of a type that its documentation does not list, and for a value
  /// of another length.
  package struct PostgreSQLCell {
    /// The binary form, which lives as long as the result.
    package let bytes: UnsafeRawBufferPointer
    /// The number of the type; see ``PostgreSQLType``.
    package let type: UInt32

    package init(bytes: UnsafeRawBufferPointer, type: UInt32) {
      self.bytes = bytes
      self.type = type
    }

    /// An integer, a boolean, or an OID, which is unsigned.
    @inlinable
    package var integer: Int64? {
      switch (type, bytes.count) {
      case (PostgreSQLType.int8, 8): Int64(bigEndian: bytes.loadUnaligned(as: Int64.self))
      case (PostgreSQLType.int4, 4): Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
      case (PostgreSQLType.int2, 2): Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
      case (PostgreSQLType.bool, 1): Int64(bytes[0])
      case (PostgreSQLType.oid, 4): Int64(UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self)))
      default: nil
      }
    }

    /// A floating-point number, or the one that is nearest to an integer or a `numeric`.
    package var real: Double? {
      switch (type, bytes.count) {
      case (PostgreSQLType.float8, 8): Double(bitPattern: UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)))
      case (PostgreSQLType.float4, 4):
        Double(Float(bitPattern: UInt32(bigEndian: bytes.loadUnaligned(as: UInt32.self))))
      case (PostgreSQLType.numeric, _): PostgreSQLNumeric(bytes)?.real
      default: integer.map(Double.init)
      }
    }

    /// Text in UTF-8, as the server sends all text. It can have any type whose binary form is text: text
    /// types, names, JSON, XML, and domains and enumerations that a schema derives from these.
    package var text: String {
      // The first byte is the version of the form.
      String(decoding: type == PostgreSQLType.jsonb ? bytes.dropFirst() : bytes[...], as: UTF8.self)
    }

    /// A UUID.
    package var uuid: UUID? {
      type == PostgreSQLType.uuid && bytes.count == 16
        ? UUID(uuid: bytes.loadUnaligned(as: uuid_t.self)) : nil
    }

    /// The exact value of a `numeric` or an integer.
    ///
    /// - Returns: `nil` as well for `NaN` and the infinities, for a number that has more digits than a
    ///   `Decimal` holds, which are 38 and a few of 39, or whose exponent is outside of -128 to 127.
    package var decimal: Decimal? {
      type == PostgreSQLType.numeric ? PostgreSQLNumeric(bytes)?.decimal : integer.map { Decimal($0) }
    }
  }
#endif
