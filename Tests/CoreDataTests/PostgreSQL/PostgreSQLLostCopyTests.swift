#if PostgreSQL
  import CoreData
  import Foundation
  import Testing

  @testable import CoreData

  @Suite(
    "Copies of a store whose connection is lost",
    .enabled(if: StoreKind.postgreSQLServer != nil, "PERENNIAL_POSTGRESQL names no server")
  )
  struct PostgreSQLLostCopyTests {
    /// Ends the sessions of a store that are in a transaction.
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

    @Test("what takes the contents of a store is called once, and the error says that the connection was lost")
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
      let place = StorePlace(url: copy.place, type: NSPostgreSQLStoreType, options: nil)
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

    @Test("a copy whose connection is lost after the commit is found by the next attempt")
    func committed() throws {
      let named = try NamedStore()
      let store = try source(named)
      let connections = try store.engine().connections
      let key = connections.outcomes.newKey()
      func isKept() throws -> Bool { try connections.read { try PostgreSQLOutcomes.isKept(key, $0) } }
      #expect(try !isKept())
      _ = try connections.write { try $0.run(PostgreSQLOutcomes.insertion(of: key)) }
      #expect(try isKept())
    }
  }
#endif
