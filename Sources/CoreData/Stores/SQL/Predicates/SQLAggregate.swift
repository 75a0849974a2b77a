/// A collection operator of a key path: `tags.@count`, `notes.@avg.rating`.
struct SQLAggregate {
  let name: String
  /// The keys after the operator, which lead on from an element.
  let rest: [String]
  let keyPath: String

  /// The operator's result, for each row of the query outside.
  func scalar(over collection: SQLCollection) throws -> SQLScalar {
    if name == "@count" {
      guard rest.isEmpty else {
        throw SQLTranslationFailure.error(keyPath, reason: "nothing can follow @count, which is a number")
      }
      return SQLScalar(.integer, width: SQLIntegerWidth.count) { writer in
        try writeQuery(of: { $0.write("COUNT(*)") }, over: collection, to: &writer)
      }
    }
    let value = try value(of: collection)
    // As many whole numbers as there can be rows have a sum of 64 bits.
    let isWide = value.kind == .integer && value.width > SQLIntegerWidth.width(of: .integer32AttributeType)
    switch name {
    case "@sum" where value.kind == .decimal: return exact(.sum, value: value, over: collection)
    case "@avg" where value.kind == .decimal: return exact(.average, value: value, over: collection)
    case "@sum" where isWide:
      return SQLScalar(.integer, width: SQLIntegerWidth.overflowing) { writer in
        try writeQuery(
          of: { try $0.dialect.writeSum(ofWhole: value, to: &$0) },
          over: collection,
          to: &writer
        )
      }
    case "@avg" where isWide:
      return SQLScalar(.real) {
        try writeQuery(of: { try writeMean(of: value, to: &$0) }, over: collection, to: &$0)
      }
    case "@sum" where value.kind.isNumber:
      return SQLScalar(value.kind) { writer in
        try writer.writeCall(
          "COALESCE",
          of: { try write(.sum, value: value, over: collection, to: &$0) },
          and: { $0.write("0") }
        )
      }
    case "@avg" where value.kind.isNumber:
      return SQLScalar(.real) { try write(.average, value: value, over: collection, to: &$0) }
    case "@min" where value.kind.isOrdered:
      return SQLScalar(value.kind, width: value.width) { try write(.minimum, value: value, over: collection, to: &$0) }
    case "@max" where value.kind.isOrdered:
      return SQLScalar(value.kind, width: value.width) { try write(.maximum, value: value, over: collection, to: &$0) }
    case "@sum", "@avg", "@min", "@max":
      throw SQLTranslationFailure.error(keyPath, reason: "\(name) has no result for \(value.kind.name)")
    default: throw SQLTranslationFailure.error(keyPath, reason: "only @count, @sum, @avg, @min and @max have SQL")
    }
  }

  /// The sum or the mean of decimal numbers, added as decimals. The database's result has other digits and may be a
  /// text, which sorts differently. An update may assign it to a column, but a query must not compare it.
  private func exact(_ function: SQLAggregateFunction, value: SQLScalar, over collection: SQLCollection) -> SQLScalar {
    SQLScalar(.decimal) { writer in
      guard writer.dialect.roundsDecimals else {
        throw SQLUntranslatable(
          part: keyPath,
          reason:
            "it adds decimal numbers, of which the database has other digits; filter the result in memory"
        )
      }
      try writeQuery(
        of: { try $0.dialect.writeExact(function, of: value, to: &$0) },
        over: collection,
        to: &writer
      )
    }
  }

  /// A database's own mean adds floating-point numbers, which lose digits of large whole ones.
  private func writeMean(of value: SQLScalar, to writer: inout SQLWriter) throws {
    let sum = SQLScalar(.integer) { try $0.dialect.writeSum(ofWhole: value, to: &$0) }
    let count = SQLScalar(.integer) { try $0.writeCall("COUNT", of: value.write) }
    let mean = SQLCalculation(left: sum, sign: .divide, right: count, kind: .real)
    try writer.dialect.write(mean, to: &writer)
  }

  private func value(of collection: SQLCollection) throws -> SQLScalar {
    if rest.isEmpty {
      switch collection.element {
      case .value(let scalar): return scalar
      case .object(let position): return position.scalar
      }
    }
    var resolver = SQLKeyPathResolver(rest.joined(separator: "."))
    guard case .scalar(let scalar) = try resolver.operand(from: collection.element) else {
      throw SQLTranslationFailure.error(keyPath, reason: "what follows \(name) must be one value for each element")
    }
    return scalar
  }

  private func write(
    _ function: SQLAggregateFunction,
    value: SQLScalar,
    over collection: SQLCollection,
    to writer: inout SQLWriter
  ) throws {
    try writeQuery(
      of: { try $0.dialect.write(function, of: value, to: &$0) },
      over: collection,
      to: &writer
    )
  }

  private func writeQuery(
    of result: @escaping SQLWrite,
    over collection: SQLCollection,
    to writer: inout SQLWriter
  ) throws {
    try writer.writeCall { try collection.writeQuery(of: result, to: &$0) }
  }
}
