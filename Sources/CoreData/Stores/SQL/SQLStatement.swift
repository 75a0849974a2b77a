import Foundation

/// A statement as a value: its text, and the values of its placeholders, in order.
///
/// Names in the text come from a schema and values are always bound, so no text of a user is ever part of it.
package struct SQLStatement: Hashable, Sendable {
  package var sql: String { didSet { text = nil } }
  package var bindings: [SQLValue] = []
  /// The text of a statement that is run many times; `nil` for other statements.
  private(set) var text: SQLText?

  package init(sql: String, bindings: [SQLValue] = []) {
    self.sql = sql
    self.bindings = bindings
  }

  init(_ text: SQLText, bindings: [SQLValue]) {
    sql = text.sql
    self.bindings = bindings
    self.text = text
  }

  package static func == (first: SQLStatement, second: SQLStatement) -> Bool {
    first.sql == second.sql && first.bindings == second.bindings
  }

  package func hash(into hasher: inout Hasher) {
    hasher.combine(sql)
    hasher.combine(bindings)
  }
}

/// The text of a statement that is run many times. A cache of prepared statements finds it by its identity,
/// without comparing characters.
final class SQLText: Sendable {
  let sql: String

  init(_ sql: String) { self.sql = sql }
}

/// A value as a database represents it: a binding of a statement, or the content of a column.
package enum SQLValue: Hashable, Sendable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob(Data)
}

/// Writes the text of a statement and collects its bindings, in the order of their placeholders.
package struct SQLWriter {
  let dialect: any SQLDialect
  package private(set) var sql = ""
  private(set) var bindings: [SQLValue] = []

  package init(dialect: any SQLDialect) {
    self.dialect = dialect
    sql.reserveCapacity(Self.usualLength)
  }

  /// The length of most texts, in bytes: a text that grows is copied again and again.
  private static let usualLength = 240

  var statement: SQLStatement { SQLStatement(sql: sql, bindings: bindings) }

  /// The statement, after the database has accepted all bindings.
  func checkedStatement() throws -> SQLStatement {
    try dialect.check(bindings)
    return statement
  }

  /// Adds text that is part of the language.
  package mutating func write(_ text: String) { sql += text }

  /// Adds the name of a table and its alias.
  mutating func write(table name: String, alias: String) { sql += "\(dialect.table(name)) \(alias)" }

  /// Adds the call of a function. Without a name, this is its argument in parentheses.
  package mutating func writeCall(_ function: String = "", of argument: SQLWrite) throws {
    sql += "\(function)("
    try argument(&self)
    sql += ")"
  }

  /// Adds the call of a function of two arguments.
  mutating func writeCall(_ function: String, of first: SQLWrite, and second: SQLWrite) throws {
    try writeCall(function) { writer in
      try first(&writer)
      writer.write(", ")
      try second(&writer)
    }
  }

  /// Adds the test whether two columns are equal.
  mutating func write(_ column: SQLColumnReference, equals other: SQLColumnReference) {
    write(column: column)
    sql += " = "
    write(column: other)
  }

  /// Adds a column of a table that has an alias.
  package mutating func write(column: SQLColumnReference) {
    sql += column.alias
    sql += "."
    sql += dialect.identifier(column.name)
  }

  /// Adds a placeholder in an assignment to a column, and its value.
  package mutating func bind(_ value: SQLValue) {
    bindings.append(value)
    sql += dialect.placeholder(bindings.count)
  }

  /// Adds a placeholder in an expression, and its value.
  ///
  /// - Parameter kind: the kind of the value; `nil` where the value says it.
  package mutating func bind(_ value: SQLValue, as kind: SQLKind?) {
    bindings.append(value)
    write(constant: dialect.placeholder(bindings.count, of: value, as: kind))
  }

  /// Adds a constant in an expression.
  mutating func write(constant: String) {
    sql += bindings.count > Self.manyBindings ? dialect.amongMany(constant) : constant
  }

  /// The number of bindings up to which constants are written unchanged.
  private static let manyBindings = 500

  /// Adds the test whether an expression equals a member of a list. The members are bound.
  mutating func writeMembership(of list: SQLList, as kind: SQLKind = .integer, isNegated: Bool = false) {
    sql += isNegated ? " NOT IN (" : " IN ("
    if list.count <= dialect.longestBoundList {
      var separator = ""
      for value in list.values {
        sql += separator
        bind(value, as: kind)
        separator = ", "
      }
    } else {
      dialect.writeMembers(list, as: kind, to: &self)
    }
    sql += ")"
  }

  /// Adds the clause by which a statement answers the keys and the entities of the rows that it writes.
  mutating func writeReturning(_ table: SQLTable) {
    sql += " RETURNING \(dialect.identifier(table.primaryKey)), \(dialect.identifier(table.entityColumn))"
  }

  /// Adds the test whether a column contains one of a schema's numbers.
  mutating func writeMembership(_ numbers: [Int64]) {
    if numbers.count == 1 {
      sql += " = \(numbers[0])"
    } else {
      sql += " IN (\(numbers.map(String.init).joined(separator: ", ")))"
    }
  }
}

/// A column of a table that takes part in a query under an alias.
package struct SQLColumnReference: Hashable {
  let alias: String
  let name: String
}
