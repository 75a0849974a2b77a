import CoreData
import Foundation
import HTTPTypes
import StoreExploration
import Testing

@testable import Browser

@Suite("Limits of reads")
struct ReadLimitTests {
  /// A predicate that the store answers in a time that grows with the cube of its objects.
  private static let slow = PageAddress.encoded(
    "SUBQUERY(author.notes, $a, SUBQUERY($a.author.notes, $b, $b.title CONTAINS[cd] title).@count > 0).@count < 0"
  )

  private static func store(timeLimit: Duration) throws -> BrowsedStore {
    try BrowsedStore(timeLimit: timeLimit) { context in
      let person = BrowsedStore.insert("Person", ["name": "Ada"], in: context)
      for number in 0..<2_000 {
        _ = BrowsedStore.insert("Note", ["title": "note \(number)", "author": person], in: context)
      }
    }
  }

  @Test("A predicate that takes longer than the limit is interrupted, and its page says how to narrow it")
  func deadline() async throws {
    let store = try Self.store(timeLimit: .milliseconds(500))
    let page = try await store.page("/entity/Note?where=\(Self.slow)", status: .serviceUnavailable)
    #expect(page.contains("--time-limit"))
    #expect(page.contains("narrow the predicate"))
  }

  @Test("Other pages are answered while eight slow predicates are in flight")
  func otherPages() async throws {
    let store = try Self.store(timeLimit: .seconds(20))
    let hostile = (0..<8).map { _ in
      Task { try await store.get("/entity/Note?where=\(Self.slow)") }
    }
    for path in ["/", "/entity/Person", "/entity/Person/1", "/entity/Note/1", "/model"] {
      #expect(try await store.get(path).status == .ok, "\(path)")
    }
    for task in hostile { task.cancel() }
    for task in hostile { _ = await task.result }
  }

  @Test("Addresses with a predicate, those that read a table and others have different places")
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
