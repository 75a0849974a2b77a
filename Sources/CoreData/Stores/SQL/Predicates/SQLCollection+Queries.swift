extension SQLCollection {
  /// The test whether an element fulfils a condition.
  func exists(_ condition: SQLCondition, isNegated: Bool) -> SQLCondition {
    if case .never = condition { return .constant(isNegated) }
    return .atom { writer in
      writer.write(isNegated ? "NOT EXISTS (" : "EXISTS (")
      try writeQuery(of: { $0.write("1") }, where: condition, to: &writer)
      writer.write(")")
    }
  }

  /// Writes the query of something over all elements that fulfil a condition.
  ///
  /// - Parameter result: writes what is selected.
  func writeQuery(
    of result: @escaping SQLWrite,
    where condition: SQLCondition = .always,
    to writer: inout SQLWriter
  ) throws {
    writer.write("SELECT ")
    try result(&writer)
    writer.write(" FROM ")
    try scope.writeTables(to: &writer)
    writer.write(" WHERE ")
    try link(&writer)
    for condition in conditions + [condition] + scope.conditions {
      if case .always = condition { continue }
      writer.write(" AND ")
      try condition.writeAsAtom(to: &writer)
    }
  }
}
