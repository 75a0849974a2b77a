import CoreData
import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@testable import Browser

@Suite("Marks of unsaved changes in grids")
struct StagedMarkTests {
  /// A store with three notes, whose keys are 1, 2 and 3, and an author of the first note.
  private static func store() throws -> BrowsedStore {
    try BrowsedStore(model: BrowsedStore.writtenModel, allowsWriting: true) { context in
      let ada = BrowsedStore.insert("Person", ["name": "Ada"], in: context)
      for title in ["one", "two", "three"] {
        _ = BrowsedStore.insert("Note", ["title": title, "author": title == "one" ? ada : nil], in: context)
        try context.save()
      }
    }
  }

  /// The marks of a grid's rows by key; a row without a mark has an empty text.
  private static func marks(_ page: String) -> [String: String] {
    let rows = page.matches(
      of:
        #/id="row-([0-9]+)"><a [^>]*>[0-9]+</a>(?: <span class="badge staged-mark">([a-z]+)<span class="visually-hidden">, not saved</span></span>)?</th>/#
    )
    return Dictionary(uniqueKeysWithValues: rows.map { (String($0.output.1), String($0.output.2 ?? "")) })
  }

  private static let grids = [
    "/entity/Note", "/entity/Note?sort=title", "/entity/Note?where=title+!%3D+nil",
    "/entity/Note?columns=title",
  ]

  @Test(
    "A grid marks the rows of changed and of deleted objects in words, and no other rows",
    arguments: grids
  )
  func rows(grid: String) async throws {
    let store = try Self.store()
    #expect(Self.marks(try await store.page(grid)) == ["1": "", "2": "", "3": ""])
    let title = try await store.field("title")
    try await store.submit("/entity/Note/1/edit", [("text.\(title)", "uno")])
    try await store.submit("/entity/Note/2/deletion")
    let page = try await store.page(grid)
    #expect(Self.marks(page) == ["1": "changed", "2": "deleted", "3": ""])
    // The rows are those of the saved store.
    #expect(page.contains("<bdi>one</bdi>") && !page.contains("<bdi>uno</bdi>"))
    try await store.submit("/edits/undo")
    #expect(Self.marks(try await store.page(grid)) == ["1": "changed", "2": "", "3": ""])
    try await store.submit("/edits/save")
    #expect(Self.marks(try await store.page(grid)) == ["1": "", "2": "", "3": ""])
  }

  @Test("A grid marks the objects that a deletion rule deletes too")
  func cascade() async throws {
    let store = try Self.store()
    try await store.submit("/entity/Person/1/deletion")
    #expect(Self.marks(try await store.page("/entity/Note")) == ["1": "deleted", "2": "", "3": ""])
    #expect(Self.marks(try await store.page("/entity/Person")) == ["1": "deleted"])
  }

  @Test("A changed relationship marks the object that a save would change, and not its destination")
  func relationship() async throws {
    let store = try Self.store()
    try await store.submit("/entity/Note/1/relate/author", [("do", "none")])
    #expect(Self.marks(try await store.page("/entity/Note")) == ["1": "changed", "2": "", "3": ""])
    #expect(Self.marks(try await store.page("/entity/Person")) == ["1": ""])
  }

  @Test("A grid links to the new objects of its entity alone, with their number")
  func newObjects() async throws {
    let store = try Self.store()
    let title = try await store.field("title", at: "/entity/Note/new")
    let name = try await store.field("name", at: "/entity/Tag/new")
    try await store.submit("/entity/Note/new", [("text.\(title)", "Bread")])
    #expect(
      try await store.page("/entity/Note").contains(
        "The list is without <a href=\"/edits?new=Note\">1 new object of <bdi>Note</bdi></a>."
      )
    )
    #expect(try await !store.page("/entity/Tag").contains("/edits?new="))
    try await store.submit("/entity/Note/new", [("text.\(title)", "Butter")])
    try await store.submit("/entity/Tag/new", [("text.\(name)", "kitchen")])
    try await store.submit("/entity/Note/1/edit", [("text.\(title)", "uno")])
    let grid = try await store.page("/entity/Note")
    #expect(grid.contains("<a href=\"/edits?new=Note\">2 new objects of <bdi>Note</bdi></a>"))
    let news = try await store.page("/edits?new=Note")
    #expect(news.contains("<bdi>Bread</bdi>") && news.contains("<bdi>Butter</bdi>"))
    #expect(!news.contains("kitchen") && !news.contains("uno") && !news.contains("Save all"))
    #expect(news.contains("<a class=\"quiet\" href=\"/edits\">All unsaved changes</a>"))
    #expect(try await store.page("/edits").contains("Save all"))
    #expect(
      try await store.page("/edits?new=Person").contains("There are no new objects that are not saved.")
    )
  }

  @Test("The page of new objects says that the model does not have an entity")
  func unknownEntity() async throws {
    let page = try await Self.store().page("/edits?new=%3Cb%3E", status: .notFound)
    #expect(!page.contains("<b>"))
  }
}
