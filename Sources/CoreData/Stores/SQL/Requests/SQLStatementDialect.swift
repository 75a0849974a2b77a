/// The differences between one SQL database and the next in statements that write rows.
protocol SQLStatementDialect: Sendable {
  /// A statement that inserts rows, and leaves out those that a key or a unique index has already.
  ///
  /// - Parameter rows: `VALUES …` or a query.
  func insertionOfMissing(into table: String, _ columns: [String], _ rows: String) -> String

  /// The target behind `ON CONFLICT` in an insertion that changes the row which has the unique
  /// values.
  ///
  /// - Throws: an error when one statement cannot heed all of the constraints.
  func conflictTarget(_ constraints: [SQLConstraint]) throws -> String

  /// A column of the row that an insertion has met, in an expression of what it is changed to.
  func conflictingColumn(_ column: String, of table: String) -> String

  /// Writes a value that a batch update assigns to an attribute, as one of the attribute's type.
  func writeAssigned(
    _ value: SQLWrite,
    _ kind: SQLKind,
    to attribute: NSAttributeDescription,
    to writer: inout SQLWriter
  ) throws

  /// The column that identifies a row by itself: the only one of its key, or a column of the
  /// database's own where the key has several.
  func rowIdentifier(ofKey columns: [String]) -> String
}
