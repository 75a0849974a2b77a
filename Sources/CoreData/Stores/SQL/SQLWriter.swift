/// Writes the text of a statement and collects its bindings, in the order of their placeholders.
struct SQLWriter {
  let dialect: any SQLDialect
  private(set) var sql = ""
  private(set) var bindings: [SQLValue] = []

  init(dialect: any SQLDialect) {
    self.dialect = dialect
  }

  var statement: SQLStatement { SQLStatement(sql: sql, bindings: bindings) }

  /// Adds text that is part of the language.
  mutating func write(_ text: String) {
    sql += text
  }

  /// Adds a name of the schema.
  mutating func write(name: String) {
    sql += dialect.identifier(name)
  }

  /// Adds a column of a table that has an alias.
  mutating func write(column: SQLColumnReference) {
    sql += column.alias
    sql += "."
    sql += dialect.identifier(column.name)
  }

  /// Adds a placeholder and what it stands for.
  mutating func bind(_ value: SQLValue) {
    bindings.append(value)
    sql += dialect.placeholder(bindings.count)
  }

  /// Adds placeholders with commas between them.
  mutating func bind(_ values: some Sequence<SQLValue>) {
    var isFirst = true
    for value in values {
      if !isFirst { sql += ", " }
      bind(value)
      isFirst = false
    }
  }

  /// Adds the test whether a column has one of a list's members, which are bound.
  mutating func writeMembership(of list: SQLList) {
    sql += " IN ("
    if list.count <= dialect.longestBoundList {
      bind(list.values)
    } else {
      dialect.writeMembers(list, to: &self)
    }
    sql += ")"
  }

  /// Adds the test whether a column has one of a schema's numbers.
  mutating func writeMembership(_ numbers: [Int64]) {
    if numbers.count == 1 {
      sql += " = \(numbers[0])"
    } else {
      sql += " IN (\(numbers.map(String.init).joined(separator: ", ")))"
    }
  }
}

/// A column of a table that takes part in a query under an alias.
struct SQLColumnReference: Hashable {
  let alias: String
  let name: String
}
