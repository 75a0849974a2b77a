#if PostgreSQL
  /// The numbers of the server's own types: its catalogue `pg_type`. Each value of a result asks for some.
  package enum PostgreSQLType {
    @inlinable package static var bool: UInt32 { 16 }
    @inlinable package static var bytea: UInt32 { 17 }
    @inlinable package static var char: UInt32 { 18 }
    @inlinable package static var name: UInt32 { 19 }
    @inlinable package static var int8: UInt32 { 20 }
    @inlinable package static var int2: UInt32 { 21 }
    @inlinable package static var int4: UInt32 { 23 }
    @inlinable package static var text: UInt32 { 25 }
    @inlinable package static var oid: UInt32 { 26 }
    @inlinable package static var json: UInt32 { 114 }
    @inlinable package static var xml: UInt32 { 142 }
    @inlinable package static var float4: UInt32 { 700 }
    @inlinable package static var float8: UInt32 { 701 }
    @inlinable package static var unknown: UInt32 { 705 }
    @inlinable package static var varchar: UInt32 { 1043 }
    @inlinable package static var date: UInt32 { 1082 }
    @inlinable package static var time: UInt32 { 1083 }
    @inlinable package static var timestamp: UInt32 { 1114 }
    @inlinable package static var timestamptz: UInt32 { 1184 }
    @inlinable package static var interval: UInt32 { 1186 }
    @inlinable package static var numeric: UInt32 { 1700 }
    @inlinable package static var uuid: UInt32 { 2950 }
    @inlinable package static var jsonb: UInt32 { 3802 }
  }
#endif
