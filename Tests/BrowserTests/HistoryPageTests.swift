import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import Hummingbird
import NIOCore
import Synchronization
import Testing

@testable import Browser

@Suite("The page of the history")
struct HistoryPageTests {
  private static func recorded(
    limits: BrowserServer.ConnectionLimits = BrowsedStore.patientLimits
  ) throws -> BrowsedStore {
    let options = [
      NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
    ]
    let store = try BrowsedStore(limits: limits, options: options) { context in
      context.transactionAuthor = "Ada"
      _ = BrowsedStore.insert("Note", ["title": "One"], in: context)
    }
    try store.change(by: "Grace <b>") { note in note.setValue("Two", forKey: "title") }
    return store
  }

  @Test("The history lists who saved which properties of which object, newest first")
  func transactions() async throws {
    let store = try Self.recorded()
    let page = try await store.page("/history")
    let (new, old) = (
      page.range(of: "Grace &lt;b&gt;</bdi></a></span>"), page.range(of: "<bdi>Ada</bdi></a></span>")
    )
    #expect(try #require(new).lowerBound < #require(old).lowerBound)
    #expect(
      page.contains(
        "<span class=\"kind-updated\">updated</span> <a href=\"/entity/Note/1\"><bdi>Two</bdi></a>"
      )
    )
    #expect(page.contains("<span class=\"properties\"><bdi>title</bdi></span>"))
    #expect(page.contains(">History</a>"))
  }

  @Test("A line of the history separates the name of an object from its entity, its key and the link to its history")
  func separation() async throws {
    let store = try Self.recorded()
    let number = try #require(try await store.page("/history").firstMatch(of: /transaction\/(\d+)"/)?.output.1)
    for path in ["/history", "/history/transaction/\(number)", "/history/difference"] {
      let page = try await store.page(path)
      let line = try #require(page.firstMatch(of: /<li><span class="kind-.*<\/li>/)).output
      let text = line.replacing(/<[^>]*>/, with: "")
      #expect(text.contains("Two (Note, key 1)") && text.hasSuffix(" · History"), "\(path): \(text)")
    }
  }

  @Test("The history can be limited to one author and to one object")
  func filters() async throws {
    let store = try Self.recorded()
    let byAuthor = try await store.page("/history?author=Ada")
    #expect(byAuthor.contains("kind-inserted") && !byAuthor.contains("kind-updated"))
    let ofObject = try await store.page("/history?entity=Note&key=1")
    #expect(ofObject.contains("kind-inserted") && ofObject.contains("kind-updated"))
    #expect(try await store.page("/history?entity=Tag").contains("There are no such changes."))
    _ = try await store.page("/history?entity=Nothing", status: .notFound)
  }

  @Test("Without a history, the page explains how to start one")
  func noHistory() async throws {
    let store = try BrowsedStore()
    #expect(try await store.page("/history").contains("NSPersistentHistoryTrackingKey"))
  }

  @Test("A listening page is notified of a save")
  func changes() async throws {
    let store = try Self.recorded()
    try await store.server.application().test(.live) { client in
      let port = try #require(client.port)
      let hasSaved = Mutex(false)
      let text = try await RawClient.listen(
        "GET /changes HTTP/1.1\r\nHost: localhost\r\nCookie: \(BrowsedStore.cookie)\r\n\r\n",
        port: port
      ) { text in
        // The first bytes show that the stream is open.
        if text.contains("event: change") { return true }
        guard text.contains("retry: 2000") else { return false }
        let isFirst = hasSaved.withLock { saved in
          defer { saved = true }
          return !saved
        }
        if isFirst { try store.change(by: "Ada") { $0.setValue("Three", forKey: "title") } }
        return false
      }
      #expect(text.contains("event: change"))
    }
  }

  @Test("A page that listens is not taken for a connection that does not go on")
  func outlivesIdleConnections() async throws {
    var limits = BrowserServer.ConnectionLimits()
    limits.idle = .seconds(1)
    let store = try Self.recorded(limits: limits)
    try await store.server.application().test(.live) { client in
      let port = try #require(client.port)
      var text = ""
      // On a busy machine the change may be saved after the limit too, so the test repeats it until a stream sees the change.
      while !text.contains("retry: 2000") {
        let opened = AsyncStream.makeStream(of: Void.self)
        async let change: Void = {
          for await _ in opened.stream {
            // This request begins after the stream and returns when the server ends it as idle, so the stream
            // was idle as long.
            _ = try await RawClient.send("GET / HTTP/1.1\r\nHost: loc", port: port)
            try store.change(by: "Ada") { $0.setValue("Three", forKey: "title") }
            return
          }
        }()
        text = try await RawClient.listen(
          "GET /changes HTTP/1.1\r\nHost: localhost\r\nCookie: \(BrowsedStore.cookie)\r\n\r\n",
          port: port
        ) { text in
          if text.contains("retry: 2000") { opened.continuation.yield() }
          return text.contains("event: change")
        }
        opened.continuation.finish()
        try await change
      }
      #expect(text.contains("event: change"))
    }
  }

  @Test("The history compares any two transactions and shows the differences")
  func moments() async throws {
    let store = try Self.recorded()
    let history = try await store.page("/history")
    let numbers = history.matches(of: /name="from" value="(\d+)"/).compactMap { Int($0.output.1) }
    let (new, old) = (try #require(numbers.first), try #require(numbers.last))
    #expect(numbers.count == 2 && history.contains("action=\"/history/difference\""))
    let between = try await store.page("/history/difference?from=\(old)&to=\(new)")
    #expect(between.contains("<span class=\"tally\">1 changed</span>"))
    #expect(between.contains("<a href=\"/entity/Note/1\"><bdi>Two</bdi></a>"))
    #expect(between.contains("<span class=\"properties\"><bdi>title</bdi></span>"))
    // The page swaps the two if the user chose the later transaction first.
    #expect(try await store.page("/history/difference?from=\(new)&to=\(old)").contains("1 changed"))
    let all = try await store.page("/history/difference")
    #expect(all.contains("<span class=\"tally\">1 inserted</span>") && !all.contains("1 changed"))
    let same = try await store.page("/history/difference?from=\(new)&to=\(new)")
    #expect(same.contains("No object is different at these two moments."))
    for odd in [
      "from=x&to=-1", "from=9223372036854775807", "to=9223372036854775807&offset=99999", "offset=-5",
    ] {
      _ = try await store.page("/history/difference?\(odd)")
    }
  }
}
