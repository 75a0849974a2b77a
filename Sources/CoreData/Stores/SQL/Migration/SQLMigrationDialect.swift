/// The parts of a lightweight migration's statements that differ from one SQL database to the next.
protocol SQLMigrationDialect: SQLDialect {
  /// The beginning of the names of tables that are set aside until their rows are moved, or for
  /// good.
  var asidePrefix: String { get }

  /// The value that a column keeps for objects for which none is given; `nil` when that is null.
  func defaultValue(of attribute: NSAttributeDescription) throws -> SQLValue?

  /// A value of another number type, or another value that was not a number, as a column of a
  /// storage keeps it.
  func converted(_ value: String, to storage: SQLStorage) -> String

  /// Data of an attribute that begins to allow values in files, as a column keeps them that tells
  /// both apart.
  func markedData(_ value: String) -> String

  /// Data of an attribute that ceases to allow values in files, read from their file where they lie
  /// in one.
  func unmarkedData(_ value: String) -> String

  /// The time of the statement, as columns of dates keep it.
  var now: String { get }

  /// The function that answers its second argument where the first is null.
  var nullReplacement: String { get }

  /// A statement that inserts the rows of a query, and leaves out those that a key or a unique
  /// index has already.
  ///
  /// - Parameters:
  ///   - table: the name of the table.
  ///   - columns: the names of the columns.
  ///   - rows: the query.
  func insertionOfMissing(into table: String, _ columns: [String], _ rows: String) -> String

  /// The SQL that identifies a row by itself in a table whose key has several columns.
  func rowIdentifier(ofKey columns: [String]) -> String

  /// The statements that have the database keep derived attributes up to date; none where a save
  /// does it.
  func triggers(of schema: SQLSchema) throws -> [String]

  /// The statement that removes a trigger.
  func triggerRemoval(_ trigger: SQLMigrationSource.Part) -> String

  /// The statements that say which entities the store has now, under which numbers.
  ///
  /// - Parameter lastKeys: the last key that was given out under each root entity, by the entity's
  ///   number.
  func entityNumbering(of schema: SQLSchema, lastKeys: [Int64: Int64]) -> [SQLStatement]
}
