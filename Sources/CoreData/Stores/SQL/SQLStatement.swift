/// A statement as a value: its text, and what its placeholders stand for, in order.
///
/// Names in the text come from a schema and values are always bound, so no text of a user is ever
/// part of it.
struct SQLStatement: Hashable, Sendable {
  var sql: String
  var bindings: [SQLValue] = []
}
