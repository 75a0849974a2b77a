#if PostgreSQL
  import Foundation
  import Testing

  @testable import PostgreSQLDriver

  @Suite("Notifications", .enabled(if: TestServer.isThere, TestServer.reason))
  struct NotificationTests {
    let listener: PostgreSQLConnection
    let sender: PostgreSQLConnection
    let channel: String

    init() throws {
      listener = try TestServer.connect()
      sender = try TestServer.connect()
      channel = "Channel \(listener.processID)"
      try listener.run("LISTEN \(listener.identifier(channel))")
    }

    private func notify(_ payload: String) throws {
      try sender.run("SELECT pg_notify($1, $2)", values: [.text(channel), .text(payload)])
    }

    @Test("A notification ends the wait")
    func waiting() throws {
      let job = Job { [listener] in try listener.notifications(until: TestServer.soon) }
      try notify("Grüße")
      let expected = PostgreSQLNotification(channel: channel, payload: "Grüße", processID: sender.processID)
      #expect(try job.value() == [expected])
    }

    @Test("Notifications that came during a statement are there at once")
    func earlier() throws {
      for payload in ["a", "", "c"] { try notify(payload) }
      try listener.run("SELECT 1")
      var payloads: [String] = []
      while payloads.count < 3 {
        payloads += try listener.notifications(until: TestServer.soon).map(\.payload)
      }
      #expect(payloads == ["a", "", "c"])
    }

    @Test("Without a notification the wait ends at its moment")
    func moment() throws {
      let limit = ContinuousClock.now + .milliseconds(50)
      #expect(try listener.notifications(until: limit) == [])
      #expect(ContinuousClock.now >= limit)
      #expect(try listener.notifications(until: .now) == [])
    }

    @Test("Another thread can end a wait, and several such calls end only one wait")
    func wake() throws {
      let job = Job { [listener] in try listener.notifications(until: TestServer.soon) }
      listener.wake()
      #expect(try job.value() == [])
      for _ in 0..<1000 { listener.wake() }
      let limit = TestServer.soon
      #expect(try listener.notifications(until: limit) == [])
      #expect(ContinuousClock.now < limit)
      // All 1000 calls of `wake` have ended the same wait.
      #expect(try listener.notifications(until: .now + .milliseconds(20)) == [])
    }

    @Test("The loss of the connection ends the wait")
    func loss() throws {
      let job = Job { [listener] in try failure { try listener.notifications(until: TestServer.soon) } }
      try TestServer.terminate(listener)
      #expect(try job.value().isConnectionLost)
      #expect(!listener.isUsable)
    }
  }
#endif
