#if PostgreSQL
  import CoreData
  import Foundation
  import PostgreSQLDriver
  import Testing

  @testable import CoreData
  @testable import CoreDataPostgreSQL

  @Suite(
    "Remote changes of a store in PostgreSQL",
    .enabled(if: StoreKind.postgreSQLServer != nil, "PERENNIAL_POSTGRESQL has no URL of a server")
  )
  struct PostgreSQLChangeTests {
    private let named: NamedStore

    init() throws { named = try NamedStore() }

    private static var watched: [AnyHashable: Any] {
      [NSPersistentStoreRemoteChangeNotificationPostOptionKey: true]
    }

    private static func options(hasHistory: Bool) -> [AnyHashable: Any] {
      hasHistory ? watched.merging(TrackedStore.options) { $1 } : watched
    }

    private func usesNotifications(_ coordinator: NSPersistentStoreCoordinator) throws -> Bool {
      try #require(coordinator.openStores[0] as? PostgreSQLStore).engine().channel.usesNotifications
    }

    @Test(
      "remote changes are reported after the listening connection was lost, including missed ones",
      arguments: [true, false]
    )
    func reconnection(_ hasHistory: Bool) async throws {
      let coordinator = try named.coordinator(Self.options(hasHistory: hasHistory))
      let other = try named.coordinator(hasHistory ? TrackedStore.options : [:])
      let posted = Posted(.NSPersistentStoreRemoteChange, by: coordinator)
      guard try usesNotifications(coordinator) else { return }
      for number in 1...3 {
        // The last statement of the listening connection is LISTEN, or the query that follows it.
        let listening = "query LIKE 'LISTEN%' OR query LIKE 'SELECT last_transaction%'"
        var processes = try named.processes(listening)
        while processes.isEmpty {
          await Task.yield()
          processes = try named.processes(listening)
        }
        for process in processes { try named.end(process) }
        try named.save("new", other)
        try await posted.wait(for: number)
        #expect(posted.count == number)
      }
    }

    @Test("many consecutive remote changes are combined, with the last token")
    func coalescing() async throws {
      let coordinator = try named.coordinator(Self.options(hasHistory: true))
      let other = try named.coordinator(TrackedStore.options)
      let posted = Posted(.NSPersistentStoreRemoteChange, by: coordinator)
      for number in 0..<200 { try named.save("\(number)", other) }
      let last = coordinator.currentPersistentHistoryToken(fromStores: nil)
      var token: NSPersistentHistoryToken? {
        posted.last?.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
      }
      for _ in 0..<1000 where token != last { try await Task.sleep(for: .milliseconds(10)) }
      #expect(token == last)
      #expect(posted.count < 200)
      let numbers = posted.all.compactMap {
        $0.userInfo?[NSPersistentHistoryTokenKey] as? NSPersistentHistoryToken
      }
      #expect(Set(numbers).count == posted.count)
    }

    @Test("remote changes of a store closed after its last commit are reported", arguments: [true, false])
    func closing(_ hasHistory: Bool) async throws {
      let coordinator = try named.coordinator(Self.options(hasHistory: hasHistory))
      let posted = Posted(.NSPersistentStoreRemoteChange, by: coordinator)
      let other = try named.coordinator(hasHistory ? TrackedStore.options : [:])
      try named.save("new", other)
      try other.remove(other.persistentStores[0])
      try await posted.wait()
      #expect(posted.count == 1)
    }

    @Test(
      "a transaction of many saves is reported once as a remote change, and not after a rollback",
      arguments: [true, false]
    )
    func transactions(_ hasHistory: Bool) async throws {
      struct Stop: Error {}
      let coordinator = try named.coordinator(Self.options(hasHistory: hasHistory))
      let posted = Posted(.NSPersistentStoreRemoteChange, by: coordinator)
      #expect(throws: Stop.self) {
        try coordinator.performTransaction { context in
          context.note("no")
          try context.save()
          throw Stop()
        }
      }
      try coordinator.performTransaction { context in
        for title in ["one", "two"] {
          context.note(title)
          try context.save()
        }
      }
      try await posted.wait()
      #expect(posted.count == 1)
    }

    @Test("remote changes contain no password")
    func password() async throws {
      let options = Self.options(hasHistory: true).merging([PostgreSQLPasswordOption: "open sesame"]) { $1 }
      let coordinator = try named.coordinator(options)
      let posted = Posted(.NSPersistentStoreRemoteChange, by: coordinator)
      try named.save("new", coordinator)
      try await posted.wait()
      let notification = try #require(posted.last)
      #expect(notification.userInfo?[NSPersistentStoreURLKey] as? URL == named.place)
      #expect(!"\(notification)".contains("sesame"))
    }

    @Test(
      "the thread and connection for remote changes end when the coordinator is released",
      .disabled(if: PostgreSQLServer.isBehindBouncer, "the sessions of the server are PgBouncer's")
    )
    func released() async throws {
      var coordinator: NSPersistentStoreCoordinator? = NSPersistentStoreCoordinator(
        managedObjectModel: TestModel.shared
      )
      try coordinator?
        .addPersistentStore(
          ofType: StoreKind.postgreSQL.storeType,
          configurationName: nil,
          at: named.place,
          options: Self.watched
        )
      #expect(try !named.processes("true").isEmpty)
      coordinator = nil
      while try !named.processes("true").isEmpty { await Task.yield() }
    }
  }
#endif
