/// A trigger that keeps a derived attribute up to date.
struct SQLiteTrigger {
  enum Event {
    case insert
    case delete
    /// Of any of these columns.
    case update([String])
  }

  let name: String
  /// The table whose changes it waits for.
  let table: String
  let event: Event
  /// The condition under which it acts; always when `nil`.
  let condition: String?
  /// The statements that it runs.
  let body: [String]

  /// The statement that creates the trigger, spelled as in Apple-made stores.
  func creation(_ dialect: SQLiteDialect) -> String {
    let moment =
      switch event {
      case .insert: "INSERT"
      case .delete: "DELETE"
      case .update(let columns): "UPDATE OF \(columns.map(dialect.identifier).joined(separator: ", "))"
      }
    return "CREATE TRIGGER \(dialect.identifier(name)) AFTER \(moment) ON \(dialect.identifier(table)) "
      + "FOR EACH ROW \(condition.map { "WHEN (\($0)) " } ?? "")"
      + "BEGIN \(body.map { $0 + ";" }.joined(separator: " ")) END"
  }
}
