import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import Testing

@testable import Browser
@testable import StoreExploration

@Suite("Limits of reads")
struct ReadLimitTests {
  @Test(
    "A read that exceeds its time limit ends, and its page suggests how to narrow the query",
    arguments: ["/entity/Note", "/entity/Note?where=rating+%3E+1"]
  )
  func deadline(path: String) async throws {
    let store = try BrowsedStore(timeLimit: .nanoseconds(1))
    let page = try await store.page(path, status: .serviceUnavailable)
    #expect(page.contains("--time-limit"))
    #expect(page.contains("narrow the predicate"))
  }

  @Test("Other pages are answered while all places of predicates are taken")
  func otherPages() async throws {
    // The questions wait until the other pages are answered, which takes as long as the other tests leave the processor busy.
    let store = try BrowsedStore(timeLimit: .seconds(86_400)) { context in
      let person = BrowsedStore.insert("Person", ["name": "Ada"], in: context)
      _ = BrowsedStore.insert("Note", ["title": "One", "author": person], in: context)
    }
    let pool = store.server.browser.bounds.predicates
    var taken = 0
    while pool.freeCount > 0 {
      try #require(try await pool.enter(until: .now + .seconds(3_600)))
      taken += 1
    }
    let questions = (0..<8).map { _ in
      Task { try await store.get("/entity/Note?where=title+%3D%3D+%22One%22") }
    }
    while pool.waitingCount < questions.count { await Task.yield() }
    for path in ["/", "/entity/Person", "/entity/Note", "/entity/Person/1", "/entity/Note/1", "/model"] {
      #expect(try await store.get(path).status == .ok, "\(path)")
    }
    #expect(pool.waitingCount == questions.count)
    for _ in 0..<taken { pool.leave() }
    for question in questions { #expect(try await question.value.status == .ok) }
  }

  @Test("Addresses with a predicate, those that read a table and others have separate limits")
  func places() throws {
    let bounds = ReadBounds(timeLimit: .seconds(3))
    let predicate = bounds.limit(path: "/entity/Note", items: QueryItems("where=rating+%3E+1"))
    #expect(predicate.pool === bounds.predicates)
    #expect(predicate.duration == .seconds(3))
    #expect(bounds.limit(path: "/entity/Note/facet", items: QueryItems("by=title")).pool === bounds.scans)
    for path in ["/", "/entity/Note", "/entity/Note/1", "/history"] {
      #expect(bounds.limit(path: path, items: QueryItems("where=+")).pool == nil, "\(path)")
    }
  }
}
