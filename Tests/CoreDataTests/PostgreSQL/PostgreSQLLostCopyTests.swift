#if PostgreSQL
  import CoreData
  import Dispatch
  import Foundation
  import PostgreSQLDriver
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  @Suite(
    "Copies of a store whose connection is lost",
    .enabled(if: StoreKind.postgreSQLServer != nil, "PERENNIAL_POSTGRESQL names no server")
  )
  struct PostgreSQLLostCopyTests {
    /// Ends the store's sessions that are in a transaction.
    private func endTransactions(_ store: NamedStore) throws {
      let processes = try store.processes("state = 'idle in transaction'")
      #expect(!processes.isEmpty)
      for process in processes { try store.end(process) }
    }

    private func source(_ store: NamedStore) throws -> PostgreSQLStore {
      let coordinator = try store.coordinator()
      try store.save("one", coordinator)
      return try #require(coordinator.persistentStores.first as? PostgreSQLStore)
    }

    @Test(
      "a stream of a store's contents is read once, and the error says that the connection was lost"
    )
    func read() throws {
      let named = try NamedStore()
      let store = try source(named)
      var calls = 0
      let error = #expect(throws: NSError.self) {
        try store.streaming(as: 1) { contents in
          calls += 1
          try endTransactions(named)
          _ = try contents.lastKey(root: 1)
        }
      }
      #expect(calls == 1)
      #expect(error?.localizedDescription.contains("The connection to the server is lost") == true)
      #expect(error?.localizedDescription.contains(named.place.absoluteString) == true)
    }

    @Test("a copy whose own connection is lost begins again with the contents, and has each object once")
    func written() throws {
      let (original, copy) = (try NamedStore(), try NamedStore())
      let store = try source(original)
      var calls = 0
      let place = StoreDescriptor(url: copy.place, type: NSPostgreSQLStoreType, options: nil)
      try PostgreSQLStore.create(at: place, model: TestModel.shared, configuration: nil) { receiver in
        calls += 1
        try store.streaming(as: receiver.index) { contents in
          if calls == 1 { try endTransactions(copy) }
          try receiver.receive(contents)
        }
      }
      #expect(calls == 2)
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = try copy.coordinator()
      #expect(try context.texts("Note", "title") == ["one"])
    }

    /// Copies a store of one object, with a closure that runs or repeats the transaction.
    ///
    /// - Returns: the number of times that the copy was filled.
    private func copy(
      to copy: NamedStore,
      _ transaction: @escaping (PostgreSQLConnections, (PostgreSQLConnection) throws -> Void) throws -> Void
    ) throws -> Int {
      let original = try NamedStore()
      let store = try source(original)
      var calls = 0
      try PostgreSQLStore.create(
        at: StoreDescriptor(url: copy.place, type: NSPostgreSQLStoreType, options: nil),
        model: TestModel.shared,
        configuration: nil,
        replacing: false,
        in: transaction
      ) { receiver in
        calls += 1
        try store.streaming(as: receiver.index) { try receiver.receive($0) }
      }
      let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
      context.persistentStoreCoordinator = try copy.coordinator()
      #expect(try context.texts("Note", "title") == ["one"])
      return calls
    }

    @Test("a copy that is begun again after its commit finds that it was kept, and is filled once")
    func committed() throws {
      let calls = try copy(to: NamedStore()) { connections, body in
        for _ in 0..<2 { try connections.write(body) }
      }
      #expect(calls == 1)
    }

    @Test(
      "a copy that is begun again while its first session still commits waits for the end of that session",
      .disabled(
        if: PostgreSQLServer.isWithout("advisoryLocks"),
        "copies are not kept apart by an advisory lock"
      )
    )
    func committing() throws {
      let store = try NamedStore()
      let calls = try copy(to: store) { connections, body in
        let first = try LateCommit(store.place)
        try body(first.connection)
        first.commitOnceAwaited()
        try connections.write(body)
        first.waitForEnd()
      }
      #expect(calls == 1)
    }
  }

  /// The transaction of a session whose client is gone. It commits while another session waits for the store's lock.
  // The threads use the connection one after another.
  private final class LateCommit: @unchecked Sendable {
    let connection: PostgreSQLConnection
    private let place: URL
    private let ended = DispatchSemaphore(value: 0)

    init(_ place: URL) throws {
      self.place = place
      connection = try PostgreSQLServer.connection(to: place)
      try connection.run("BEGIN")
    }

    func commitOnceAwaited() {
      Thread.detachNewThread { [self] in
        defer { ended.signal() }
        do {
          let observer = try PostgreSQLServer.StoreLockObserver(place)
          while try !observer.isAwaited() { Thread.sleep(forTimeInterval: 0.01) }
          try connection.run("COMMIT")
        } catch {
          Issue.record(error)
          connection.close()
        }
      }
    }

    func waitForEnd() { ended.wait() }
  }
#endif
