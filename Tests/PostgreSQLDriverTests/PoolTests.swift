#if PostgreSQL
  import Foundation
  import Synchronization
  import Testing

  @testable import PostgreSQLDriver

  @Suite("Pools", .enabled(if: TestServer.isThere, TestServer.reason))
  struct PoolTests {
    private func pool(
      _ count: Int,
      checks: PostgreSQLChecks = PostgreSQLChecks(),
      prepare: @escaping @Sendable (PostgreSQLConnection) throws -> Void = { _ in }
    ) throws -> PostgreSQLPool {
      try PostgreSQLPool(TestServer.address(), count: count, checks: checks, prepare: prepare)
    }

    private func processID(_ pool: PostgreSQLPool) throws -> Int32 {
      try pool.with(deadline: TestServer.soon) { connection in
        try connection.run("SELECT 1")
        return connection.processID
      }
    }

    @Test("A connection is opened when it is needed, prepared once, and used again")
    func reuse() throws {
      let preparations = Mutex(0)
      let pool = try pool(3) { connection in
        try connection.run("SET application_name = 'prepared'")
        preparations.withLock { $0 += 1 }
      }
      #expect(pool.openCount == 0 && pool.idleCount == 0)
      let first = try processID(pool)
      #expect(try processID(pool) == first)
      #expect(pool.openCount == 1 && pool.idleCount == 1)
      try pool.with(deadline: TestServer.soon) { one in
        #expect(try one.run("SHOW application_name").text(0, column: 0) == "prepared")
        try pool.with(deadline: TestServer.soon) { #expect($0 !== one) }
      }
      #expect(pool.openCount == 2 && pool.idleCount == 2 && preparations.withLock { $0 } == 2)
    }

    @Test("A discarded connection is closed, and does not affect the others")
    func discarded() throws {
      let pool = try pool(3)
      let kept = try processID(pool)
      let first = try pool.lend(deadline: TestServer.soon)
      let second = try pool.lend(deadline: TestServer.soon)
      pool.giveBack(first)
      pool.discard(second)
      #expect(!second.isUsable && pool.openCount == 1 && pool.idleCount == 1)
      #expect(try processID(pool) == kept)
      pool.discard(second)
      #expect(pool.openCount == 1)
    }

    @Test("There are never more connections than allowed, and all callers get one")
    func bound() throws {
      let pool = try pool(3)
      let jobs = (0..<40).map { number in
        Job {
          try pool.with(deadline: TestServer.soon) { connection in
            #expect(pool.openCount <= 3)
            return try connection.run("SELECT $1::int8", values: [.integer(Int64(number))]).integer(
              0,
              column: 0
            )
          }
        }
      }
      #expect(try jobs.map { try $0.value() } == (0..<40).map { Int64($0) })
      #expect(pool.openCount <= 3 && pool.idleCount == pool.openCount && pool.waitingCount == 0)
    }

    @Test("Callers get a connection in the order of their arrival")
    func order() throws {
      let pool = try pool(1)
      let order = Mutex<[Int]>([])
      let connection = try pool.lend(deadline: TestServer.soon)
      var jobs: [Job<Void>] = []
      for number in 0..<8 {
        jobs.append(
          Job { try pool.with(deadline: TestServer.soon) { _ in order.withLock { $0.append(number) } } }
        )
        try TestServer.wait { pool.waitingCount == number + 1 }
      }
      pool.giveBack(connection)
      for job in jobs { try job.value() }
      #expect(order.withLock { $0 } == Array(0..<8))
    }

    @Test("A wait ends at the deadline with an error that has the remedy, and leaves the queue")
    func deadline() throws {
      let pool = try pool(2)
      let lent = try [pool.lend(deadline: nil), pool.lend(deadline: nil)]
      let error = try failure { try pool.lend(deadline: .now + .milliseconds(50)) }
      #expect(error.isTimeout && error.state == "53300" && error.description.contains("2 connections"))
      #expect(error.hint != nil && pool.waitingCount == 0)
      #expect(try failure { try pool.lend(deadline: .now) }.isTimeout)
      for connection in lent { pool.giveBack(connection) }
      #expect(pool.idleCount == 2)
    }

    @Test("A connection has the deadline of the one it is lent to")
    func statementDeadline() throws {
      let pool = try pool(1)
      let error = try failure {
        try pool.with(deadline: .now + .milliseconds(200)) { _ = try $0.run("SELECT pg_sleep(86400)") }
      }
      #expect(error.isTimeout)
      try pool.with(deadline: nil) { #expect($0.deadline == nil) }
    }

    @Test("A connection that the server has ended is replaced", arguments: [Duration.zero, .seconds(3600)])
    func replaced(_ question: Duration) throws {
      let pool = try pool(1, checks: PostgreSQLChecks(look: .zero, question: question))
      let connection = try pool.lend(deadline: TestServer.soon)
      let first = connection.processID
      pool.giveBack(connection)
      #expect(try processID(pool) == first)
      try TestServer.terminate(connection)
      #expect(try processID(pool) != first)
      #expect(pool.openCount == 1 && pool.idleCount == 1)
    }

    @Test("A connection that is lost while it is lent is thrown away, and the next caller gets a new one")
    func lost() throws {
      let pool = try pool(1)
      let connection = try pool.lend(deadline: TestServer.soon)
      let job = Job { try processID(pool) }
      try TestServer.wait { pool.waitingCount == 1 }
      let first = connection.processID
      try TestServer.terminate(connection)
      #expect(try failure { try connection.run("SELECT 1") }.isConnectionLost)
      pool.giveBack(connection)
      #expect(try job.value() != first)
      #expect(pool.openCount == 1)
    }

    @Test(
      "A connection that is returned in a transaction is rolled back and discarded",
      arguments: ["SELECT 1", "SELECT 1 / 0"]
    )
    func transaction(_ statement: String) throws {
      let pool = try pool(1)
      let connection = try pool.lend(deadline: TestServer.soon)
      let table = "left_open_\(connection.processID)"
      try connection.runScript("BEGIN; CREATE TABLE \(table) ()")
      _ = try? connection.run(statement)
      pool.giveBack(connection)
      #expect(!connection.isUsable && pool.openCount == 0 && pool.idleCount == 0)
      #expect(
        try pool.with(deadline: TestServer.soon) {
          try $0.run("SELECT to_regclass($1) IS NULL", values: [.text(table)]).integer(0, column: 0)
        } == 1
      )
    }

    @Test("A preparation that fails leaves no connection, and the next caller tries again")
    func preparation() throws {
      let isFailing = Mutex(true)
      let pool = try pool(1) { connection in
        if isFailing.withLock({ $0 }) { try connection.run("SELECT 1 / 0") }
      }
      let held = try failure { try processID(pool) }
      #expect(held.state == "22012" && pool.openCount == 0)
      isFailing.withLock { $0 = false }
      _ = try processID(pool)
    }

    @Test("A connection that is returned twice counts once")
    func twice() throws {
      let pool = try pool(2)
      let connection = try pool.lend(deadline: TestServer.soon)
      pool.giveBack(connection)
      pool.giveBack(connection)
      pool.giveBack(try TestServer.connect())
      #expect(pool.openCount == 1 && pool.idleCount == 1)
    }

    @Test(
      "A closed pool closes idle connections, refuses waiting and new calls, and closes returned connections"
    )
    func closing() throws {
      let pool = try pool(2)
      let (lent, idle) = try (pool.lend(deadline: TestServer.soon), pool.lend(deadline: TestServer.soon))
      let job = Job { try failure { try pool.lend(deadline: TestServer.soon) } }
      try TestServer.wait { pool.waitingCount == 1 }
      pool.close()
      #expect(try job.value().isConnectionLost)
      #expect(try failure { try pool.lend(deadline: TestServer.soon) }.state == "08003")
      #expect(try lent.run("SELECT 1").rowCount == 1)
      pool.giveBack(lent)
      pool.giveBack(idle)
      #expect(!lent.isUsable && !idle.isUsable && pool.openCount == 0)
      let other = try self.pool(1)
      let connection = try other.lend(deadline: TestServer.soon)
      other.giveBack(connection)
      other.close()
      #expect(!connection.isUsable && other.openCount == 0 && other.idleCount == 0)
    }

    @Test("An unreachable server is reported to each waiting call")
    func unreachable() throws {
      let pool = PostgreSQLPool(try PostgreSQLAddress("postgresql://127.0.0.1:1/postgres"), count: 1)
      let jobs = (0..<4).map { _ in Job { try failure { try pool.lend(deadline: TestServer.soon) } } }
      for job in jobs { #expect(try job.value().isConnectionRefused) }
      #expect(pool.openCount == 0 && pool.waitingCount == 0)
    }
  }
#endif
