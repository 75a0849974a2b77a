import Foundation
import Predicates

/// The differences between one SQL database and the next: the words of the language, and how values are bound.
///
/// A store has a dialect, which writes statements, and a connection, which runs them; it inherits from neither.
/// The defaults here and in the refined protocols follow the SQL standard.
package protocol SQLDialect: SQLPredicateDialect, SQLSchemaDialect, SQLStatementDialect {
  /// A name as a statement spells it, quoted where it must be.
  func identifier(_ name: String) -> String

  /// The name of a table as a query spells it where it gives the table an alias.
  func table(_ name: String) -> String

  /// The placeholder of the binding with this number, from 1 up, in a place where a column determines its type.
  func placeholder(_ number: Int) -> String

  /// The placeholder of a binding in an expression, which may have to include its type.
  ///
  /// - Parameters:
  ///   - number: the number of the binding, from 1 up.
  ///   - value: the value that is bound.
  ///   - kind: the kind of the value; `nil` where the value says it.
  func placeholder(_ number: Int, of value: SQLValue, as kind: SQLKind?) -> String

  /// A constant in an expression of a statement with many constants, which a database may compare with each other.
  ///
  /// - Parameter constant: the constant as it stands alone.
  func amongMany(_ constant: String) -> String

  /// The condition that always holds, or never.
  func literal(_ truth: Bool) -> String

  /// The operator that finds two operands equal also where both are null: `a IS b`.
  var nullSafeEqual: String { get }

  /// The alias after a subquery that is used as a table; empty where the database does not require one.
  var derivedTableAlias: String { get }

  /// Writes the end of a query that answers only some of its rows; nothing for no limit (0) and no offset.
  func writeLimit(_ limit: Int, offset: Int, to writer: inout SQLWriter)

  // MARK: - Values

  /// The value that is bound for a UUID.
  func binding(_ uuid: UUID) -> SQLValue

  /// The value that is bound for a decimal number; `nil` for NaN.
  func binding(_ decimal: Decimal) -> SQLValue?

  /// The bytes that mark data which a column itself contains, where data may be stored in files instead; `nil`
  /// where columns contain all data unmarked.
  var externalDataMark: Data? { get }
}

extension SQLDialect {
  package func table(_ name: String) -> String { identifier(name) }

  package func placeholder(_ number: Int, of value: SQLValue, as kind: SQLKind?) -> String { placeholder(number) }

  package func amongMany(_ constant: String) -> String { constant }

  package func literal(_ truth: Bool) -> String { truth ? "TRUE" : "FALSE" }

  package var nullSafeEqual: String { "IS NOT DISTINCT FROM" }

  package var derivedTableAlias: String { "" }
}

/// The differences between one SQL database and the next in statements that make tables and indexes.
package protocol SQLSchemaDialect: Sendable {
  /// The declared type of a column.
  ///
  /// - Parameter attribute: the type of the attribute; `nil` for keys.
  func columnType(_ storage: SQLStorage, of attribute: NSAttributeType?) -> String

  /// A column of an index that fetches sort by.
  func indexElement(_ column: String, isAscending: Bool) -> String

  /// The folded form of a column's text as an element of an index. Asked only of databases whose names have such
  /// indexes.
  func foldedIndexElement(_ column: String, folding: TextOptions) -> String

  /// False for an index with functions that the database lacks.
  func canBuild(_ index: SQLIndex) -> Bool

  /// The statements that create triggers for derived attributes; empty where a save computes them.
  ///
  /// - Throws: `NSPersistentStoreIncompatibleSchemaError` for an expression that the store cannot compute.
  func triggers(of schema: SQLSchema) throws -> [String]
}

extension SQLSchemaDialect {
  package func foldedIndexElement(_ column: String, folding: TextOptions) -> String {
    indexElement(column, isAscending: true)
  }

  package func canBuild(_ index: SQLIndex) -> Bool { true }

  package func triggers(of schema: SQLSchema) throws -> [String] { [] }
}

/// The differences between one SQL database and the next in statements that write rows.
package protocol SQLStatementDialect: Sendable {
  /// A statement that inserts rows, except those that conflict with a key or a unique index.
  ///
  /// - Parameter rows: `VALUES …` or a query.
  func insertionOfMissing(into table: String, columns: [String], rows: String) -> String

  /// The target after `ON CONFLICT` in an insertion that updates the row which has the unique values.
  ///
  /// - Throws: an error when one statement cannot heed all of the constraints.
  func conflictTarget(_ constraints: [SQLConstraint]) throws -> String

  /// A column of the conflicting row, in an expression of the update.
  func conflictingColumn(_ column: String, of table: String) -> String

  /// Writes a value that a batch update assigns to an attribute, as one of the attribute's type.
  func writeAssigned(
    _ value: SQLWrite,
    _ scalar: SQLScalar,
    to attribute: NSAttributeDescription,
    to writer: inout SQLWriter
  ) throws

  /// The column that identifies a row alone: the only one of its key, or the database's own column where the key
  /// has several.
  func rowIdentifier(ofKey columns: [String]) -> String

  /// The end of a query that locks the rows it finds until the transaction ends; empty where no other connection
  /// can write in the meantime.
  ///
  /// - Parameter alias: the alias of the table.
  func rowLock(_ alias: String) -> String

  /// Checks what a statement binds to conditions and expressions.
  ///
  /// - Throws: ``SQLUntranslatable`` for a value that the database does not know.
  func check(_ bindings: [SQLValue]) throws
}

extension SQLStatementDialect {
  package func rowLock(_ alias: String) -> String { "" }

  package func check(_ bindings: [SQLValue]) throws {}

  /// - Throws: ``SQLUntranslatable`` for more values than a statement may have.
  package func requireAtMost(_ limit: Int, bindings: [SQLValue], database: String) throws {
    if bindings.count > limit {
      throw SQLUntranslatable(
        part: "A predicate with \(bindings.count) values",
        reason: "a statement of \(database) has at most \(limit)"
      )
    }
  }
}

/// The parts of a lightweight migration's statements that differ from one SQL database to the next.
package protocol SQLMigrationDialect: SQLDialect {
  /// The beginning of the names of tables that are set aside until their rows are moved, or for good.
  var asidePrefix: String { get }

  /// The name of a table that is set aside.
  func asideName(of table: String) -> String

  /// True when columns of a table can be renamed, dropped and given another type in place.
  var altersColumns: Bool { get }

  /// True when indexes that only make queries faster are built separately, after the other steps.
  var buildsIndexesApart: Bool { get }

  /// A null in a column of numbers, in a query that may contain nothing else.
  var nullNumber: String { get }

  /// The value that a column stores for objects without a value; `nil` when that is null.
  func defaultValue(of attribute: NSAttributeDescription) throws -> SQLValue?

  /// The placeholder of a value that is assigned to a column.
  ///
  /// - Parameter number: the number of the binding, from 1 up.
  func placeholder(_ number: Int, of value: SQLValue, in column: SQLColumn) -> String

  /// True when columns keep the values of two types of attributes in the same way.
  func keepsAlike(_ type: NSAttributeType, other: NSAttributeType) -> Bool

  /// A value of another number type, or another value that was not a number, as a column of a storage keeps it.
  ///
  /// - Parameter type: the type of the attribute that the column is of.
  func converted(_ value: String, to storage: SQLStorage, of type: NSAttributeType) -> String

  /// Data of an attribute that begins to allow values in files, as a column keeps them that tells both apart.
  func markedData(_ value: String) -> String

  /// Data of an attribute that no longer allows values in files. A value in a file is read from it.
  func unmarkedData(_ value: String) -> String

  /// The time of the statement, as columns of dates keep it.
  var now: String { get }

  /// The function that returns its second argument where the first is null.
  var nullReplacement: String { get }

  /// True where the database has text functions with the same results as memory.
  var folds: Bool { get }

  /// The function of one text that has this name in predicates: `lowercase:`.
  func textFunction(_ name: String) -> String

  /// The statement that removes a trigger.
  func triggerRemoval(_ trigger: SQLMigrationSource.Part) -> String

  /// The statements that store the entities of the store and their numbers.
  ///
  /// - Parameter lastKeys: the last key that was given out under each root entity, by the entity's number.
  func entityNumbering(of schema: SQLSchema, lastKeys: [Int64: Int64]) -> [SQLStatement]
}

extension SQLMigrationDialect {
  package func asideName(of table: String) -> String { asidePrefix + table }

  package var altersColumns: Bool { false }

  package var buildsIndexesApart: Bool { false }

  package var nullNumber: String { "NULL" }

  package var folds: Bool { true }

  package func defaultValue(of attribute: NSAttributeDescription) throws -> SQLValue? {
    try SQLBinding(dialect: self).defaultValue(of: attribute)
  }

  package func placeholder(_ number: Int, of value: SQLValue, in column: SQLColumn) -> String { placeholder(number) }

  package func keepsAlike(_ type: NSAttributeType, other: NSAttributeType) -> Bool {
    SQLStorage(type) == SQLStorage(other)
  }
}
