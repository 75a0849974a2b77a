import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@testable import Browser

@Suite("The page of a grid")
struct GridPageTests {
  private static func fill(_ context: NSManagedObjectContext) {
    let ada = BrowsedStore.insert("Person", ["name": "Ada"], in: context)
    let tags = ["garden", "kitchen"].map { BrowsedStore.insert("Tag", ["name": $0], in: context) }
    for number in 1...3 {
      let values: [String: Any?] = ["title": "Note \(number)", "rating": number]
      let note = BrowsedStore.insert("Note", values, in: context)
      if number < 3 { note.setValue(ada, forKey: "author") }
      if number == 1 { note.setValue(Set(tags), forKey: "tags") }
    }
  }

  @Test("A grid shows the name of a to-one object and the number of to-many objects")
  func relatedNames() async throws {
    let store = try BrowsedStore(Self.fill)
    let page = try await store.page("/entity/Note?where=rating+%3D%3D+1")
    #expect(page.contains("<bdi>Ada</bdi></a>"))
    #expect(page.contains("relationship=tags\"><bdi>2</bdi></a>"))
    let person = try await store.page("/entity/Person")
    #expect(person.contains("relationship=notes\"><bdi>2</bdi></a>"))
  }

  @Test("A grid shows the objects of a relationship, in both directions")
  func scope() async throws {
    let store = try BrowsedStore(Self.fill)
    let page = try await store.page("/entity/Note?of=Person&key=1&owner=Person&relationship=notes")
    #expect(page.contains("Note 1") && page.contains("Note 2") && !page.contains("Note 3"))
    #expect(page.contains("<strong>2</strong> objects"))
    _ = try await store.page(
      "/entity/Note?of=Person&key=7&owner=Person&relationship=notes",
      status: .notFound
    )
  }

  @Test("A grid shows a predicate's error at its position, and keeps the text")
  func predicateError() async throws {
    let store = try BrowsedStore(Self.fill)
    let page = try await store.page("/entity/Note?where=rating+%3D%3D+%3D+1", status: .badRequest)
    #expect(page.contains("value=\"rating == = 1\""))
    #expect(page.contains("aria-invalid=\"true\" aria-describedby=\"problem\""))
    #expect(page.contains("<code><bdi>rating == </bdi><mark title=\"position 10\"><bdi>=</bdi></mark>"))
  }

  @Test(
    "A predicate that parses and fails later shows its error on the page, and is not a server error",
    arguments: [
      "nothing == 1", "title == 1 + 'x'", "author.nothing == 1", "tags.name == 'x' AND title > tags",
      "FUNCTION(title, 'description') == 1", "title MATCHES '('", "TRUEPREDICATE AND %@ == 1", "$x == 1",
    ]
  )
  func wrongPredicates(predicate: String) async throws {
    let store = try BrowsedStore(Self.fill)
    let page = try await store.page(
      "/entity/Note?where=\(PageAddress.encoded(predicate))",
      status: .badRequest
    )
    #expect(page.contains("id=\"problem\""))
  }

  @Test("A grid shows its SQL and the query plan")
  func statement() async throws {
    let store = try BrowsedStore(Self.fill)
    let page = try await store.page("/entity/Note?where=rating+%3E+1&sort=title")
    #expect(page.contains("ORDER BY t0.ZTITLE"))
    #expect(page.contains("<bdi>1</bdi></code>") || page.contains("with <code>"))
  }

  @Test("A grid keeps the last predicates of its entity")
  func lastUses() async throws {
    let store = try BrowsedStore(Self.fill)
    _ = try await store.page("/entity/Note?where=rating+%3E+1")
    _ = try await store.page("/entity/Note?where=rating+%3D%3D+%3D", status: .badRequest)
    let page = try await store.page("/entity/Note")
    #expect(page.contains("<a href=\"/entity/Note?where=rating%20%3E%201\"><code><bdi>rating &gt; 1</bdi>"))
    #expect(!page.contains("rating == ="))
    let uses = PredicateUses()
    for number in 0..<20 { uses.add("rating > \(number)", of: "Note") }
    uses.add("rating > 15", of: "Note")
    #expect(uses.last(of: "Note").count == 12)
    #expect(uses.last(of: "Note").prefix(2) == ["rating > 15", "rating > 19"])
    #expect(uses.last(of: "Tag").isEmpty)
  }

  @Test("A grid of a store without SQL is the same without a statement")
  func xml() async throws {
    let store = try BrowsedStore(type: "XML", Self.fill)
    let page = try await store.page("/entity/Note?where=rating+%3E+1&sort=rating&order=desc")
    let (three, two) = (page.range(of: "Note 3"), page.range(of: "Note 2"))
    #expect(try #require(three).lowerBound < #require(two).lowerBound)
    #expect(!page.contains("Note 1") && !page.contains("ORDER BY"))
  }

  @Test("A grid shows changes that others have saved since the last page")
  func otherWriters() async throws {
    let store = try BrowsedStore(Self.fill)
    #expect(try await store.page("/entity/Note").contains("Note 3"))
    let other = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    other.persistentStoreCoordinator = store.coordinator
    try other.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      for note in try other.fetch(request) { note.setValue("Changed", forKey: "title") }
      try other.save()
    }
    let page = try await store.page("/entity/Note")
    #expect(page.contains("Changed") && !page.contains("Note 3"))
  }
}
