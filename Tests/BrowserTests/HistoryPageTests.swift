import CoreData
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import Browser

@Suite("The page of the history")
struct HistoryPageTests {
  private static func recorded() throws -> BrowsedStore {
    let options = [
      NSPersistentHistoryTrackingKey: true, NSPersistentStoreRemoteChangeNotificationPostOptionKey: true,
    ]
    let store = try BrowsedStore(options: options) { context in
      context.transactionAuthor = "Ada"
      _ = BrowsedStore.insert("Note", ["title": "One"], in: context)
    }
    try store.change(by: "Grace <b>") { note in note.setValue("Two", forKey: "title") }
    return store
  }

  @Test("tells who has saved which properties of which object, the newest first")
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

  @Test("has the changes of one author, and of one object")
  func filters() async throws {
    let store = try Self.recorded()
    let byAuthor = try await store.page("/history?author=Ada")
    #expect(byAuthor.contains("kind-inserted") && !byAuthor.contains("kind-updated"))
    let ofObject = try await store.page("/history?entity=Note&key=1")
    #expect(ofObject.contains("kind-inserted") && ofObject.contains("kind-updated"))
    #expect(try await store.page("/history?entity=Tag").contains("There are no such changes."))
    _ = try await store.page("/history?entity=Nothing", status: .notFound)
  }

  @Test("says how a history is begun where there is none, and no page leads to it")
  func noHistory() async throws {
    let store = try BrowsedStore()
    #expect(try await store.page("/history", status: .notFound).contains("NSPersistentHistoryTrackingKey"))
    #expect(try await !store.page("/").contains(">History</a>"))
  }

  @Test("A save is told to a page that listens")
  func changes() async throws {
    let store = try Self.recorded()
    try await store.server.application().test(.live) { client in
      let port = try #require(client.port)
      let hasSaved = Mutex(false)
      let text = try await RawClient.listen(
        "GET /changes HTTP/1.1\r\nHost: localhost\r\nCookie: \(BrowsedStore.cookie)\r\n\r\n",
        port: port
      ) { text in
        // The stream is open when its first bytes are here.
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
}
