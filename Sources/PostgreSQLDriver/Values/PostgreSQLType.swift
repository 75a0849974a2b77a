#if PostgreSQL
  /// The numbers of the server's own types: its catalogue `pg_type`.
  package enum PostgreSQLType {
    package static let bool: UInt32 = 16
    package static let bytea: UInt32 = 17
    package static let char: UInt32 = 18
    package static let name: UInt32 = 19
    package static let int8: UInt32 = 20
    package static let int2: UInt32 = 21
    package static let int4: UInt32 = 23
    package static let text: UInt32 = 25
    package static let oid: UInt32 = 26
    package static let json: UInt32 = 114
    package static let xml: UInt32 = 142
    package static let float4: UInt32 = 700
    package static let float8: UInt32 = 701
    package static let unknown: UInt32 = 705
    package static let bpchar: UInt32 = 1042
    package static let varchar: UInt32 = 1043
    package static let date: UInt32 = 1082
    package static let time: UInt32 = 1083
    package static let timestamp: UInt32 = 1114
    package static let timestamptz: UInt32 = 1184
    package static let interval: UInt32 = 1186
    package static let numeric: UInt32 = 1700
    package static let void: UInt32 = 2278
    package static let uuid: UInt32 = 2950
    package static let jsonb: UInt32 = 3802
  }
#endif
