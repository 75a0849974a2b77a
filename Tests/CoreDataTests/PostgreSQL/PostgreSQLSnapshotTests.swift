#if PostgreSQL
  import CoreData
  import Dispatch
  import Foundation
  import PostgreSQLDriver
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  @Suite(
    "States of a store in PostgreSQL",
    .enabled(if: StoreKind.postgreSQLServer != nil, "PERENNIAL_POSTGRESQL has no URL of a server")
  )
  struct PostgreSQLSnapshotTests {
    private let named: NamedStore
    private let coordinator: NSPersistentStoreCoordinator
    private let store: PostgreSQLStore
    private let snapshot: PostgreSQLSnapshot

    /// Takes a snapshot of one note, and then saves another note.
    init() throws {
      named = try NamedStore()
      coordinator = try named.coordinator()
      store = try #require(coordinator.openStores[0] as? PostgreSQLStore)
      try named.save("old", coordinator)
      snapshot = try #require(store.snapshot() as? PostgreSQLSnapshot)
      try named.save("new", coordinator)
    }

    private static let query = "SELECT count(*) FROM note"

    private func count(_ snapshot: PostgreSQLSnapshot) throws -> Int64? {
      try snapshot.readOnce { try $0.connection.run(Self.query).integer(0, column: 0) }
    }

    private var exports: Bool { (try? store.engine().states.exportsSnapshots) ?? false }

    @Test(
      "several threads read a state concurrently if snapshots can be exported, and one after another otherwise"
    )
    func threads() async throws {
      let (inside, door) = (Signal(), DispatchSemaphore(value: 0))
      let first = Job { [snapshot] in
        try snapshot.readOnce { reader in
          inside.send()
          door.wait()
          return try reader.connection.run(Self.query).integer(0, column: 0)
        }
      }
      await inside.wait()
      let call = StoreCall(deadline: exports ? nil : .now + .milliseconds(20), isBounded: true)
      let second = Job { [self] in call.run { Result { try count(snapshot) } } }
      let result = try await second.value()
      if exports {
        #expect(try result.get() == 1)
      } else {
        #expect(throws: StoreCallEnded.self) { try result.get() }
      }
      door.signal()
      #expect(try await first.value() == 1)
      #expect(try count(snapshot) == 1)
    }

    @Test("a state survives a failed read, and one that is canceled in the middle of a statement")
    func failingRead() async throws {
      #expect(throws: PostgreSQLError.self) {
        try snapshot.readOnce { try $0.connection.run("SELECT 1 / (SELECT 0)") }
      }
      #expect(try count(snapshot) == 1)
      let call = StoreCall(isBounded: true)
      let asleep = Signal()
      let read = Job { [snapshot] in
        call.run {
          Result {
            try snapshot.readOnce { reader in
              asleep.send()
              try reader.connection.run("SELECT pg_sleep(86400)")
            }
          }
        }
      }
      await asleep.wait()
      call.cancel()
      let result = try await read.value()
      #expect(throws: PostgreSQLError.self) { try result.get() }
      #expect(try count(snapshot) == 1)
      #expect(throws: Never.self) { try snapshot.requireHeld() }
    }

    @Test("a state reports its lost connection until the context is pinned again")
    func loss() throws {
      let context = NSManagedObjectContext(.privateQueue)
      context.persistentStoreCoordinator = coordinator
      let request = NSFetchRequest<Note>(entityName: "Note")
      try context.setQueryGenerationFrom(.current)
      #expect(try context.fetch(request).count == 2)
      let processes = try named.processes("state = 'idle in transaction'")
      #expect(processes.count == 2)
      for process in processes { try named.end(process) }
      for _ in 0..<2 {
        let error = #expect(throws: NSError.self) { try context.fetch(request) }
        #expect(error?.code == NSPersistentStoreOperationError)
        #expect(
          error?.localizedDescription.contains("the connection to the server that held it was lost") == true
        )
        #expect(error?.localizedDescription.contains("setQueryGenerationFrom(.current)") == true)
      }
      try context.setQueryGenerationFrom(.current)
      #expect(try context.fetch(request).count == 2)
    }

    @Test("a state can be read however long it is held: the timeout covers only its beginning")
    func older() throws {
      #expect(snapshot.connection.deadline == nil)
      try snapshot.readOnce { #expect($0.connection.deadline == nil) }
      #expect(try count(snapshot) == 1)
      #expect(snapshot.connection.deadline == nil)
    }

    @Test(
      "states return their connections, of which two are kept for the next ones",
      .disabled(if: PostgreSQLServer.isBehindBouncer, "the sessions of the server are PgBouncer's")
    )
    func connections() async throws {
      let states = try store.engine().states
      func idle() throws -> Int {
        states.waitForClosing()
        return try named.processes("state = 'idle'").count
      }
      let others = try idle()
      var snapshots: [(any StoreReader)?] = try (0..<5).map { _ in try store.snapshot() }
      #expect(states.activity.count == 6)
      #expect(try named.processes("state = 'idle in transaction'").count == snapshots.count + 1)
      snapshots = []
      // The server's processes end some time after the connections.
      while try idle() != others + 2 { try await Task.sleep(for: .milliseconds(10)) }
      #expect(states.activity.count == 1)
    }

    @Test("a state cannot be read after the store is closed")
    func closing() throws {
      try coordinator.remove(coordinator.persistentStores[0])
      #expect(throws: (any Error).self) { try count(snapshot) }
    }
  }
#endif
