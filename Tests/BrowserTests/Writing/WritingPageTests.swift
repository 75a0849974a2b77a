import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@testable import Browser

@Suite("Pages that write")
struct WritingPageTests {
  @Test("An edit is staged, shown on every page, and saved")
  func edit() async throws {
    let store = try BrowsedStore.written()
    let title = try await store.field("title")
    let response = try await store.submit("/entity/Note/1/edit", [("text.\(title)", "Oat milk")])
    #expect(response.headers[.location] == "/entity/Note/1/edit")
    #expect(try store.stored("Note", "title") == "Milk")
    for path in ["/", "/model", "/entity/Note", "/entity/Note/1", "/entity/Person", "/nothing"] {
      let page = String(buffer: try await store.get(path).body)
      #expect(page.contains("<strong>1</strong> change not saved"), "\(path)")
    }
    let object = try await store.page("/entity/Note/1")
    #expect(object.contains("Not saved: changes of the object"))
    #expect(object.contains("<bdi class=\"line\">Oat milk</bdi>"))
    let review = try await store.page("/edits")
    #expect(review.contains("<bdi class=\"line\">Milk</bdi>") && review.contains("Oat milk"))
    #expect(try await store.submit("/edits/save").headers[.location] == "/edits?did=save")
    #expect(try store.stored("Note", "title") == "Oat milk")
    #expect(try await !store.page("/").contains("data-review"))
  }

  @Test("The page after a save leads to the saved objects and to the grids of their entities")
  func saved() async throws {
    let store = try BrowsedStore.written()
    let title = try await store.field("title")
    try await store.submit("/entity/Note/1/edit", [("text.\(title)", "Oat <milk>")])
    let name = try await store.field("name", at: "/entity/Person/new")
    try await store.submit("/entity/Person/new", [("text.\(name)", "Grace")])
    try await store.submit("/entity/Tag/1/deletion")
    let place = try #require(try await store.submit("/edits/save").headers[.location])
    let page = try await store.page(place)
    #expect(page.contains("<a href=\"/entity/Note/1\"><bdi>Oat &lt;milk&gt;</bdi></a>"))
    #expect(page.contains("<a href=\"/entity/Person/2\"><bdi>Grace</bdi></a>"))
    for entity in ["Note", "Person", "Tag"] {
      #expect(page.contains("href=\"/entity/\(entity)\">All objects of <bdi>\(entity)</bdi></a>"), "\(entity)")
    }
    #expect(!page.contains("/entity/Tag/1\"") && !page.contains("and 1 more"))
    #expect(try await !store.page("/edits").contains("Saved objects"))
  }

  @Test("An invalid form is shown again with the typed values and the errors, and stages nothing")
  func wrongValue() async throws {
    let store = try BrowsedStore.written()
    let (title, rating) = (try await store.field("title"), try await store.field("rating"))
    let items = [("text.\(title)", "Oat \"milk\""), ("text.\(rating)", "six")]
    let response = try await store.submit("/entity/Note/1/edit", items, status: .unprocessableContent)
    let page = String(buffer: response.body)
    #expect(page.contains("Oat &quot;milk&quot;") && page.contains("value=\"six\""))
    #expect(page.contains("aria-describedby=\"hint-\(rating) error-\(rating)\" aria-invalid=\"true\""))
    #expect(page.contains("id=\"error-\(rating)\"") && page.contains("<a href=\"#field-\(rating)\">"))
    #expect(page.contains("id=\"summary\" tabindex=\"-1\" autofocus"))
    #expect(!page.contains("not saved ·"))
    let limited = try await store.submit(
      "/entity/Note/1/edit",
      [("text.\(rating)", "6")],
      status: .unprocessableContent
    )
    #expect(String(buffer: limited.body).contains("five are the best"))
  }

  @Test("Staged changes can be undone, redone and discarded")
  func undo() async throws {
    let store = try BrowsedStore.written()
    let title = try await store.field("title")
    try await store.submit("/entity/Note/1/edit", [("text.\(title)", "Oat milk")])
    #expect(
      try await store.page("/").contains("Undo<span class=\"visually-hidden\"> Edit of Note &quot;Milk&quot;")
    )
    try await store.submit("/edits/undo")
    #expect(try await store.page("/edits").contains("There are no unsaved changes."))
    #expect(try await store.page("/edits").contains("Redo<span"))
    try await store.submit("/edits/redo")
    #expect(try await store.page("/entity/Note/1/edit").contains("Oat milk"))
    try await store.submit("/edits/discard")
    #expect(try await !store.page("/entity/Note/1/edit").contains("Oat milk"))
    try await store.submit("/edits/undo")
  }

  @Test("A new object can be created with related objects, and its first address redirects to the last")
  func create() async throws {
    let store = try BrowsedStore.written()
    let title = try await store.field("title", at: "/entity/Note/new")
    let created = try await store.submit("/entity/Note/new", [("text.\(title)", "Bread")])
    #expect(created.headers[.location] == "/entity/Note/new-1/edit")
    #expect(try await store.get("/entity/Note/new-1").headers[.location] == "/entity/Note/new-1/edit")
    let place = "/entity/Note/new-1/relate/author"
    let picker = try await store.page("\(place)?search=ad")
    #expect(picker.contains("value=\"set 1 Person\""))
    #expect(try await !store.page("\(place)?search=zoe").contains("value=\"set"))
    try await store.submit(place, [("do", "set 1 Person")])
    try await store.submit("/entity/Note/new-1/relate/tags", [("do", "add 1 Tag")])
    let form = try await store.page("/entity/Note/new-1/edit")
    #expect(form.contains("<bdi>Ada</bdi>") && form.contains("value=\"remove 1 Tag\""))
    try await store.submit("/edits/save")
    #expect(try store.count("Note") == 2)
    let saved = try await store.get("/entity/Note/new-1/edit")
    #expect(saved.headers[.location] == "/entity/Note/2/edit")
    #expect(try await store.page("/entity/Note/2").contains("<bdi>Ada</bdi>"))
  }

  @Test("A deletion page lists what the rules delete too, and then deletes all of it")
  func delete() async throws {
    let store = try BrowsedStore.written()
    let preview = try await store.page("/entity/Person/1/deletion")
    #expect(preview.contains("<strong>2</strong> objects would be deleted."))
    #expect(preview.contains("<button class=\"button destructive\" type=\"submit\">Delete</button>"))
    let response = try await store.submit("/entity/Person/1/deletion")
    #expect(response.headers[.location] == "/edits?did=deletion")
    let review = try await store.page("/edits")
    #expect(review.contains("deleted by a delete rule of the model"))
    #expect(try await store.page("/entity/Person/1").contains("the object is to be deleted"))
    #expect(try store.count("Note") == 1)
    try await store.submit("/edits/save")
    #expect(try store.count("Note") == 0 && store.count("Person") == 0)
  }

  @Test("A page lists the changes that the model does not allow to be saved")
  func invalid() async throws {
    let model = BrowsedStore.writtenModel
    model.entitiesByName["Note"]?.relationshipsByName["author"]?.isOptional = false
    let store = try BrowsedStore.written(model: model)
    let title = try await store.field("title", at: "/entity/Note/new")
    try await store.submit("/entity/Note/new", [("text.\(title)", "Bread")])
    let response = try await store.submit("/edits/save", status: .unprocessableContent)
    let page = String(buffer: response.body)
    #expect(page.contains("<a href=\"/entity/Note/new-1/edit\"><bdi>Bread</bdi></a>"))
    #expect(page.contains("<code><bdi>author</bdi></code>"))
    #expect(page.contains("<strong>1</strong> change not saved"))
  }

  @Test("Pages are read-only by default")
  func readOnlyByDefault() async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": "Milk"], in: $0) }
    for path in [
      "/edits", "/seed", "/entity/Note/new", "/entity/Note/1/edit", "/entity/Note/1/relate/author",
    ] {
      #expect(try await store.get(path).status == .notFound, "\(path)")
      let response = try await store.ask(
        path,
        method: .post,
        headers: BrowsedStore.formFields,
        body: "token=x"
      )
      #expect(response.status == .methodNotAllowed, "\(path)")
    }
    for path in ["/", "/entity/Note", "/entity/Note/1", "/entity/Note/1/deletion"] {
      let page = try await store.page(path)
      #expect(!page.contains("method=\"post\"") && !page.contains("writing.js"), "\(path)")
    }
  }

  @Test("Writing pages are refused for a store that is read-only")
  func readOnlyStore() throws {
    let store = try BrowsedStore()
    let url = try #require(store.coordinator.persistentStores.first?.url)
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: BrowsedStore.notes)
    try coordinator.addPersistentStore(
      ofType: NSSQLiteStoreType,
      configurationName: nil,
      at: url,
      options: [NSReadOnlyPersistentStoreOption: true]
    )
    #expect(throws: (any Error).self) {
      _ = try StoreBrowser(coordinator, name: "Notes", allowsWriting: true)
    }
    _ = try StoreBrowser(coordinator, name: "Notes")
  }
}
