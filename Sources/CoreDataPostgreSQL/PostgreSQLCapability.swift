#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver

  /// A capability of a server that a store can use. The store works without it if the server, or a pooler before it,
  /// does not support it.
  ///
  /// The store asks the server for its capabilities. To switch off a capability that the server claims but does not
  /// support, use ``PostgreSQLDisabledCapabilitiesOption`` or the URL: `?without=listen,preparedStatements`.
  ///
  /// Perennial's own.
  public enum PostgreSQLCapability: String, CaseIterable, Sendable {
    /// LISTEN and NOTIFY. Without them, the store checks for changes of other programs every second.
    case listen
    /// Advisory locks. Without them, saves and migrations lock a row. All programs that use a store must have the same
    /// setting.
    case advisoryLocks
    /// `pg_export_snapshot`. Without it, all reads of a query generation share one connection.
    case exportedSnapshots
    /// Functions and collations over ICU that fold and order texts as memory does. Without them, conditions on
    /// texts without case or diacritics are decided in memory.
    case folding
    /// COPY in binary form. Without it, batches are inserted by statements.
    case binaryCopy
    /// The numbers of transactions, by which a session is found and ended whose client has lost it in the middle
    /// of a commit. Without them, the server is waited for until it ends that session itself.
    case transactionStatus
    /// Prepared statements, which last as long as a connection.
    case preparedStatements
    /// Sessions of the server that connections keep. Connections through PgBouncer in transaction mode do not keep one.
    /// Without sessions, ``listen`` and ``preparedStatements`` are off as well. The store switches sessions off when it
    /// notices a connection pooler.
    case sessions
  }

  /// The option for what a store is not to use of its server: an array of ``PostgreSQLCapability`` or of their raw
  /// values. The URL can name them too: `?without=listen,preparedStatements`.
  ///
  /// Perennial's own.
  public let PostgreSQLDisabledCapabilitiesOption = "PerennialPostgreSQLDisabledCapabilities"

  /// The capabilities of its server that a store uses.
  struct PostgreSQLCapabilities: Sendable {
    private(set) var used = Set(PostgreSQLCapability.allCases)

    subscript(_ capability: PostgreSQLCapability) -> Bool { used.contains(capability) }

    /// All capabilities except those that the address and the options switch off.
    ///
    /// - Throws: an error for an unknown name.
    init(_ address: PostgreSQLAddress, options: [AnyHashable: Any]?) throws {
      for name in address.unused { turnOff(try Self.capability(name)) }
      guard let disabled = options?[PostgreSQLDisabledCapabilitiesOption] else { return }
      for value in disabled as? [Any] ?? [disabled] {
        turnOff(try value as? PostgreSQLCapability ?? Self.capability("\(value)"))
      }
    }

    /// Switches a capability off, and those that depend on it.
    mutating func turnOff(_ capability: PostgreSQLCapability) {
      used.remove(capability)
      if capability == .sessions { used.subtract([.listen, .preparedStatements]) }
    }

    private static func capability(_ name: String) throws -> PostgreSQLCapability {
      if let capability = PostgreSQLCapability(rawValue: name) { return capability }
      let names = PostgreSQLCapability.allCases.map(\.rawValue).joined(separator: ", ")
      throw StoreFailure.error(
        NSPersistentStoreOpenError,
        message: "\(name) is nothing that a store in PostgreSQL can do without; it can without \(names)."
      )
    }
  }
#endif
