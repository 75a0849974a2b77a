/// A row of a query's answer, copied from the statement.
package struct DatabaseRow: Sendable {
  package let columns: [String]
  package let values: [DatabaseValue]

  /// The value of a column; `nil` for null, and for a value of another type.
  package subscript<Value: DatabaseValueConvertible>(index: Int) -> Value? { Value(databaseValue: values[index]) }
}

extension DatabaseRow: CustomStringConvertible {
  package var description: String {
    "[\(zip(columns, values).map { "\($0):\($1)" }.joined(separator: " "))]"
  }
}
