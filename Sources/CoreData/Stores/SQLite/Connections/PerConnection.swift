import GRDB

/// What is known of connections, of each as long as it is open.
// A database is compared here alone, and is used by nobody but the caller, who has the connection.
struct PerConnection<Value: Sendable>: @unchecked Sendable {
  private struct Entry {
    let identifier: ObjectIdentifier
    weak var database: Database?
    var value: Value
  }

  /// A store has a handful of connections, which are found sooner one after the other than by a hash.
  private var entries: [Entry] = []

  private func index(of database: Database) -> Int? {
    let identifier = ObjectIdentifier(database)
    // The place of one that was closed, perhaps.
    return entries.firstIndex { $0.identifier == identifier && $0.database === database }
  }

  /// What is known of a connection; `nil` for nothing.
  subscript(database: Database) -> Value? { index(of: database).map { entries[$0].value } }

  /// Changes what is known of a connection, in its place.
  ///
  /// - Parameter initial: what is known of a new one.
  mutating func update<Result>(
    _ database: Database,
    from initial: Value,
    _ change: (inout Value) -> Result
  ) -> Result {
    if let index = index(of: database) { return change(&entries[index].value) }
    entries.removeAll { $0.database == nil }
    entries.append(Entry(identifier: ObjectIdentifier(database), database: database, value: initial))
    return change(&entries[entries.count - 1].value)
  }
}
