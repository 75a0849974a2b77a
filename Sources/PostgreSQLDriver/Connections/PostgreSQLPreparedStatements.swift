#if PostgreSQL
  /// The names of the statements that a connection keeps prepared. Their number is bounded: the least recently
  /// used are evicted.
  struct PostgreSQLPreparedStatements {
    /// The number of statements that a connection holds.
    static let limit = 500
    /// The number of statements that are evicted at once, so that not each one costs a message.
    private static let share = 50

    private struct Entry {
      let name: String
      var lastUse: Int
    }

    private var entries: [String: Entry] = [:]
    /// The names of statements that the server is to deallocate.
    private var released: [String] = []
    private var releasesAll = false
    private var useCount = 0
    private var nameCount = 0
    /// The prefix of the names of a connection. A pooler may assign a session in which another connection has prepared
    /// statements: an unknown name is an error, and a shared name would run the other connection's statement.
    private let mark = String(UInt64.random(in: .min ... .max), radix: 36)

    /// The name of a prepared statement, which becomes the most recently used.
    mutating func name(of sql: String) -> String? {
      guard let entry = entries[sql] else { return nil }
      useCount += 1
      entries[sql]?.lastUse = useCount
      return entry.name
    }

    /// A name that was not used before.
    mutating func newName() -> String {
      nameCount += 1
      return "perennial_\(mark)_\(nameCount)"
    }

    /// Called when the server has prepared a statement.
    mutating func add(_ sql: String, name: String) {
      useCount += 1
      entries[sql] = Entry(name: name, lastUse: useCount)
    }

    /// Evicts the least recently used statements, at least `share` of them, if new ones would exceed the limit.
    mutating func makeRoom(for count: Int) {
      guard entries.count + released.count + count > Self.limit else { return }
      let excess = max(entries.count + count - Self.limit, Self.share)
      for (sql, entry) in entries.sorted(by: { $0.value.lastUse < $1.value.lastUse }).prefix(excess) {
        entries[sql] = nil
        released.append(entry.name)
      }
    }

    /// Forgets a statement that does not fit the schema any more, or all when the server does not know one.
    mutating func forget(_ sql: String, isUnknown: Bool) {
      if isUnknown {
        entries = [:]
        released = []
        releasesAll = true
      } else if let entry = entries.removeValue(forKey: sql) {
        released.append(entry.name)
      }
    }

    /// The SQL that deallocates evicted statements on the server; `nil` when there are too few of them.
    ///
    /// A statement that the server no longer knows must not cause an error, because the error would abort a
    /// transaction.
    var cleaning: String? {
      if releasesAll { return "DEALLOCATE ALL" }
      guard !released.isEmpty else { return nil }
      let names = released.map { "'\($0)'" }.joined(separator: ", ")
      return """
        DO $$
        DECLARE known text;
        BEGIN
          FOR known IN SELECT name FROM pg_catalog.pg_prepared_statements WHERE name IN (\(names)) LOOP
            EXECUTE 'DEALLOCATE ' || known;
          END LOOP;
        END $$
        """
    }

    /// Called when the server has deallocated the evicted statements.
    mutating func cleaned() {
      released = []
      releasesAll = false
    }
  }
#endif
