#if PostgreSQL
  import CoreData
  import Dispatch
  import Foundation
  import PostgreSQLDriver
  import Predicates

  /// Texts and data that are too long for the index of their column: a row of a B-tree has about 2,700 bytes at most
  /// (<https://www.postgresql.org/docs/current/btree.html>), after the server has compressed it.
  ///
  /// An index of a model is replaced in the transaction that writes such a value: by a hash index, which serves
  /// equality comparisons at any length, or by an index over the beginning of the values if it has several columns.
  /// A unique index is not replaced: the save fails with an error that names the property.
  // One thread uses it, with the connection.
  final class PostgreSQLLongValues {
    private let schema: SQLSchema
    /// The name of the schema in the database.
    private let name: String
    private let store: URL
    private let connection: PostgreSQLConnection
    private let dialect: PostgreSQLDialect
    /// True when a value was written that may be too long for an index.
    private var wereWritten = false

    init(schema: SQLSchema, named name: String, store: URL, connection: PostgreSQLConnection) {
      self.schema = schema
      self.name = name
      self.store = store
      self.connection = connection
      dialect = PostgreSQLDialect(schema: name)
    }

    convenience init(engine: PostgreSQLStore.Engine, connection: PostgreSQLConnection) {
      self.init(
        schema: engine.schema,
        named: engine.connections.address.schema,
        store: engine.url,
        connection: connection
      )
    }

    /// True for a value that may be too long for an index, unless the server can compress it.
    static func isLong(_ value: SQLValue) -> Bool {
      switch value {
      case .text(let text): text.utf8.count > shortestLong
      case .blob(let data): data.count > shortestLong
      case .null, .integer, .real: false
      }
    }

    /// A third of the limit for an index: a folded text may need three bytes for each byte of the text.
    private static let shortestLong = 860

    /// Writes values.
    ///
    /// - Parameters:
    ///   - columns: the columns with a value that may be too long.
    ///   - body: runs one statement. It is run again when an index was replaced.
    /// - Throws: `NSManagedObjectValidationError` that names the properties of an index for which the values are too
    ///   long.
    func writing<Value>(
      _ columns: some Collection<String>,
      of table: String,
      _ body: () throws -> Value
    ) throws -> Value {
      if columns.isEmpty { return try body() }
      wereWritten = true
      let indexes = schema.indexes.filter { index in
        index.table == table
          && index.elements.contains { columns.contains($0.column) && isOfBytes($0.column, index: index) }
      }
      return indexes.isEmpty ? try body() : try replacing(indexes, body)
    }

    /// Writes a column that is computed from other columns, which may have had long values.
    ///
    /// - Parameter body: runs one statement. It is run again when an index was replaced.
    func deriving(_ column: String, of table: String, _ body: () throws -> Void) throws {
      try writing(wereWritten ? [column] : [], of: table, body)
    }

    /// Runs a statement that may create an index on a table with rows.
    func creating(_ sql: String, _ body: () throws -> Void) throws {
      guard sql.hasPrefix("CREATE "),
        let index = schema.indexes.first(where: { SQLSchema.creation(of: $0, dialect: dialect) == sql }),
        index.elements.contains(where: { isOfBytes($0.column, index: index) })
      else { return try body() }
      try connection.run("SAVEPOINT long_values")
      do {
        try body()
      } catch let error as PostgreSQLError where error.isOfIndexSize {
        try connection.run("ROLLBACK TO SAVEPOINT long_values")
        if index.isUnique { throw failure(index) }
        try connection.run(creation(of: index))
      }
      try connection.run("RELEASE SAVEPOINT long_values")
    }

    // MARK: - Replacing

    private func replacing<Value>(_ indexes: [SQLIndex], _ body: () throws -> Value) throws -> Value {
      var replaced: Set<String> = []
      while true {
        try connection.run("SAVEPOINT long_values")
        do {
          let value = try body()
          try connection.run("RELEASE SAVEPOINT long_values")
          return value
        } catch let error as PostgreSQLError where error.isOfIndexSize {
          try connection.run("ROLLBACK TO SAVEPOINT long_values")
          try connection.run("RELEASE SAVEPOINT long_values")
          // A value of more than 8 kB is refused before the server knows the name of the index.
          let refusing = indexes.filter { error.constraint == nil || $0.name == error.constraint }
          let others = refusing.filter { !$0.isUnique && !replaced.contains($0.name) }
          let ordered = try others.filter(isOrdered)
          if ordered.isEmpty {
            guard let index = refusing.first(where: \.isUnique) ?? refusing.first else { throw error }
            throw failure(index)
          }
          for index in ordered {
            try replace(index)
            replaced.insert(index.name)
          }
        }
      }
    }

    /// True when the database has an index as the model asks for it.
    private func isOrdered(_ index: SQLIndex) throws -> Bool {
      let found = try connection.run(
        "SELECT indexdef FROM pg_indexes WHERE schemaname = $1 AND indexname = $2",
        values: [.text(name), .text(index.name)]
      )
      guard found.rowCount > 0, let definition = found.text(0, column: 0) else { return false }
      let isReplaced = [" USING hash ", "\"left\"(", "substr("].contains { definition.contains($0) }
      return !isReplaced
    }

    private func replace(_ index: SQLIndex) throws {
      do {
        try drop(index)
        try connection.run(creation(of: index))
      } catch let error as PostgreSQLError where error.state == "42501" {
        throw failure(index)
      }
    }

    /// The number of lock requests for a table that is being read.
    private static let mostRequests = 5

    /// Drops an index. While the server has a request for its table, it lets no later reader pass: the request is
    /// withdrawn after a short time, and made again a few times.
    ///
    /// - Throws: `NSPersistentStoreTimeoutError` when readers have used the table the whole time.
    private func drop(_ index: SQLIndex) throws {
      let removal = "DROP INDEX \(connection.identifier(name)).\(dialect.identifier(index.name))"
      let timeout = try connection.run("SELECT current_setting('lock_timeout')").text(0, column: 0) ?? "0"
      for request in 1...Self.mostRequests {
        try connection.run("SAVEPOINT index_removal")
        try setLockTimeout("\(Int(PostgreSQLMigrationLock.shortWait))ms")
        do {
          try connection.run(removal)
          // The end of the savepoint alone would keep the short timeout.
          try setLockTimeout(timeout)
          try connection.run("RELEASE SAVEPOINT index_removal")
          return
        } catch let error as PostgreSQLError where error.isLockTimeout {
          try connection.run("ROLLBACK TO SAVEPOINT index_removal")
          try connection.run("RELEASE SAVEPOINT index_removal")
          if request == Self.mostRequests { throw isRead(index, cause: error) }
        }
        let next = ContinuousClock.now + .milliseconds(Int(PostgreSQLMigrationLock.shortWait))
        ContextThreads.whileWaiting { _ = DispatchSemaphore(value: 0).wait(timeout: next.dispatchTime) }
      }
    }

    private func setLockTimeout(_ time: String) throws {
      try connection.run("SELECT set_config('lock_timeout', $1, true)", values: [.text(time)])
    }

    /// The statement that creates a missing index in a form that accepts values of any length, concurrently with
    /// reads and writes; `nil` where no value is too long, and for an index that enforces uniqueness.
    func concurrentReplacement(ofIndex name: String) -> String? {
      let index = schema.indexes.first { index in
        index.name == name && !index.isUnique
          && index.elements.contains { isOfBytes($0.column, index: index) }
      }
      return index.map { creation(of: $0, isConcurrent: true) }
    }

    /// The statement that creates an index which accepts values of any length.
    private func creation(of index: SQLIndex, isConcurrent: Bool = false) -> String {
      let start =
        "CREATE INDEX \(isConcurrent ? "CONCURRENTLY " : "")\(dialect.identifier(index.name)) "
        + "ON \(dialect.table(index.table))"
      if index.elements.count == 1 { return "\(start) USING hash (\(whole(index.elements[0])))" }
      let count = index.elements.filter { isOfBytes($0.column, index: index) }.count
      let elements = index.elements.map { element in
        let beginning = beginning(of: element.column, in: index, bytes: Self.mostBytes / max(1, count))
        return (beginning ?? dialect.identifier(element.column))
          + (element.isAscending ? " NULLS FIRST" : " DESC NULLS LAST")
      }
      return "\(start) (\(elements.joined(separator: ", ")))"
    }

    /// The expression of an element without its order.
    private func whole(_ element: SQLIndex.Element) -> String {
      element.folding.isEmpty
        ? dialect.identifier(element.column)
        : dialect.foldedIndexElement(element.column, folding: element.folding)
    }

    /// True for a column whose values may be long.
    private func isOfBytes(_ column: String, index: SQLIndex) -> Bool {
      beginning(of: column, in: index, bytes: 1) != nil
    }

    /// The bytes of all beginnings in a row of an index.
    private static let mostBytes = 2_000

    /// The expression of a beginning; `nil` for a column of numbers or of UUIDs.
    private func beginning(of column: String, in index: SQLIndex, bytes: Int) -> String? {
      let table = schema.tables.first { $0.name == index.table }
      guard let storage = table?.columns.first(where: { $0.name == column })?.storage else { return nil }
      return switch storage {
      // A character has four bytes at most.
      case .text, .uri: "left(\(dialect.identifier(column)), \(max(1, bytes / 4)))"
      case .transformable, .binary: "substr(\(dialect.identifier(column)), 1, \(bytes))"
      case .integer, .order, .real, .decimal, .uuid: nil
      }
    }

    // MARK: - Errors

    private func isRead(_ index: SQLIndex, cause: PostgreSQLError) -> any Error {
      StoreFailure.error(
        NSPersistentStoreTimeoutError,
        message: """
          \(schema.properties(of: index).joined(separator: " and ")) has a value that is too long for the index \
          \(index.name), and others read \(index.table), so that the index could not be replaced. Nothing was saved: save again.
          """,
        file: store,
        details: ["index": index.name, NSUnderlyingErrorKey: cause]
      )
    }

    private func failure(_ index: SQLIndex) -> any Error {
      let properties = schema.properties(of: index)
      let remedy =
        index.isUnique
        ? """
        Keep it shorter, or leave the uniqueness constraint to an attribute that has a digest of it.
        """
        : """
        Keep it shorter, or have the owner of the table replace the index: DROP INDEX \
        \(connection.identifier(name)).\(dialect.identifier(index.name)); \(creation(of: index))
        """
      return StoreFailure.error(
        NSManagedObjectValidationError,
        message: """
          \(properties.joined(separator: " and ")) has a value that is too long for the index \(index.name): PostgreSQL \
          keeps about 2,700 bytes there. \(remedy)
          """,
        file: store,
        details: ["index": index.name, "properties": properties]
      )
    }
  }

  extension SQLSchema {
    /// The paths of the properties that an index is over, in the entity that has them first.
    fileprivate func properties(of index: SQLIndex) -> [String] {
      index.elements.compactMap { element in
        for entity in entities where entity.table.name == index.table {
          let slot = entity.slots.firstIndex { $0?.columns.contains(element.column) == true }
          if let slot { return entity.layout.slots[slot].property.modelPath }
        }
        return nil
      }
    }
  }

  extension PostgreSQLError {
    /// True when a value is too long for an index: the server's limits have class 54, and `54000` has no other cause
    /// in statements that write rows (<https://www.postgresql.org/docs/current/errcodes-appendix.html>).
    var isOfIndexSize: Bool { state == "54000" }
  }
#endif
