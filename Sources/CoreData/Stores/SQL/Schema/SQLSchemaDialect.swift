/// The differences between one SQL database and the next in statements that make tables and
/// indexes.
protocol SQLSchemaDialect: Sendable {
  /// The declared type of a column.
  ///
  /// - Parameter attribute: the type of the attribute; `nil` for keys.
  func columnType(_ storage: SQLStorage, of attribute: NSAttributeType?) -> String

  /// A column of an index that fetches sort by.
  func indexElement(_ column: String, isAscending: Bool) -> String

  /// The statements that have the database keep derived attributes up to date; none where a save
  /// does it.
  ///
  /// - Throws: `NSPersistentStoreIncompatibleSchemaError` for an expression that the store cannot
  ///   compute.
  func triggers(of schema: SQLSchema) throws -> [String]
}

extension SQLSchemaDialect {
  func triggers(of schema: SQLSchema) throws -> [String] { [] }
}
