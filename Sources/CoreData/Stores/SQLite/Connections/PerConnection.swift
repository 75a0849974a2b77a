import GRDB

/// What is known of connections, of each as long as it is open.
// A database is compared here alone, and is used by nobody but the caller, who has the connection.
struct PerConnection<Value: Sendable>: @unchecked Sendable {
  private struct Entry {
    weak var database: Database?
    var value: Value
  }

  private var entries: [ObjectIdentifier: Entry] = [:]

  /// What is known of a connection; `nil` for nothing.
  subscript(database: Database) -> Value? {
    guard let entry = entries[ObjectIdentifier(database)], entry.database === database else { return nil }
    return entry.value
  }

  /// Changes what is known of a connection, in its place.
  ///
  /// - Parameter initial: what is known of a new one.
  mutating func update<Result>(
    _ database: Database,
    from initial: Value,
    _ change: (inout Value) -> Result
  ) -> Result {
    let identifier = ObjectIdentifier(database)
    if entries[identifier]?.database !== database {
      // The place of one that was closed, perhaps.
      entries = entries.filter { $0.value.database != nil }
      entries[identifier] = nil
    }
    return change(&entries[identifier, default: Entry(database: database, value: initial)].value)
  }
}
