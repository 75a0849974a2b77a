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

  /// The function of one text that has this name in predicates: `lowercase:`.
  func textFunction(_ name: String) -> String

  /// The statement that removes a trigger.
  func triggerRemoval(_ trigger: SQLMigrationSource.Part) -> String

  /// The statements that say which entities the store has now, under which numbers.
  ///
  /// - Parameter lastKeys: the last key that was given out under each root entity, by the entity's
  ///   number.
  func entityNumbering(of schema: SQLSchema, lastKeys: [Int64: Int64]) -> [SQLStatement]
}
