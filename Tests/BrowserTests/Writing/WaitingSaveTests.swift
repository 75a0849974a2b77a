import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@testable import Browser

@Suite("Saves that wait for another program")
struct WaitingSaveTests {
  private static let saving = "/edits/saving?save=1"

  /// A store with a staged title, and a save that waits for another program.
  private static func waiting() async throws -> (BrowsedStore, OtherProgram) {
    let store = try BrowsedStore.written()
    let title = try await store.field("title")
    try await store.submit("/entity/Note/1/edit", [("text.\(title)", "Oat milk")])
    let program = try OtherProgram(writing: store)
    try await beginSave(store, number: 1)
    return (store, program)
  }

  private static func beginSave(_ store: BrowsedStore, number: Int) async throws {
    let page = "/edits/saving?save=\(number)"
    #expect(try await store.submit("/edits/save").headers[.location] == page)
    // A page that answers before the save is known to wait says only that the save is under way.
    while try await !store.page(page).contains("Waiting for another program") { await Task.yield() }
  }

  private static func cancel(_ store: BrowsedStore, number: Int = 1) async throws -> String? {
    try await store.submit("/edits/cancel", [("save", "\(number)")]).headers[.location]
  }

  /// The response to the page of a save after the save has ended.
  private static func result(_ store: BrowsedStore) async throws -> TestResponse {
    while true {
      let response = try await store.get(saving)
      if response.status != .ok { return response }
      await Task.yield()
    }
  }

  @Test("The page of a save says that the save waits for another program, and can cancel it")
  func page() async throws {
    let (store, program) = try await Self.waiting()
    let page = try await store.page(Self.saving)
    #expect(page.contains("Waiting for another program that writes the store since <strong>"))
    #expect(page.contains("action=\"/edits/cancel\"") && page.contains("Cancel the save</button>"))
    #expect(page.contains("data-progress=\"/edits/saving?save=1&amp;part=1\""))
    let part = try await store.page(Self.saving + "&part=1")
    #expect(part.contains("class=\"running\"") && !part.contains("<html"))
    _ = try await Self.cancel(store)
    try program.end()
  }

  @Test("Pages of the store and of staged changes answer while a save waits, and link to the save")
  func otherPages() async throws {
    let (store, program) = try await Self.waiting()
    for path in [
      "/", "/entity/Note", "/entity/Note/1", "/entity/Note/1/edit", "/entity/Note/1/deletion",
      "/entity/Note/1/relate/author", "/entity/Note/new", "/edits", "/edits/conflicts", "/seed",
    ] {
      let page = try await store.page(path)
      #expect(page.contains("href=\"/edits/saving?save=1\">A save waits for another program"), "\(path)")
      #expect(!page.contains("data-undo"), "\(path)")
    }
    #expect(try await store.page("/entity/Note/1").contains("Oat milk"))
    _ = try await Self.cancel(store)
    #expect(try await !store.page("/").contains("A save waits"))
    try program.end()
  }

  @Test("A cancelled save writes nothing and keeps the staged changes, which a later save writes")
  func cancel() async throws {
    let (store, program) = try await Self.waiting()
    #expect(try await Self.cancel(store) == "/edits?did=cancel")
    let page = try await store.page("/edits?did=cancel")
    #expect(page.contains("The save was cancelled. Nothing was saved") && page.contains("Oat milk"))
    #expect(try await store.get(Self.saving).headers[.location] == "/edits?did=cancel")
    try program.end()
    #expect(try store.stored("Note", "title") == "Milk")
    #expect(try await store.submit("/edits/save").headers[.location] == "/edits?did=save")
    #expect(try store.stored("Note", "title") == "Oat milk")
  }

  @Test("A save that waits is made when the other program has ended, and its page leads to the result")
  func release() async throws {
    let (store, program) = try await Self.waiting()
    try program.end()
    #expect(try await Self.result(store).headers[.location] == "/edits?did=save")
    #expect(try store.stored("Note", "title") == "Oat milk")
    #expect(try await !store.page("/").contains("data-review"))
  }

  @Test("The page of a save leads to the conflicts with what the other program has written")
  func conflict() async throws {
    let (store, program) = try await Self.waiting()
    try program.execute("UPDATE ZNOTE SET ZTITLE = 'Rice milk', Z_OPT = Z_OPT + 1")
    try program.execute("COMMIT")
    #expect(try await Self.result(store).headers[.location] == "/edits/conflicts")
    let page = try await store.page("/edits/conflicts")
    #expect(page.contains("Oat milk") && page.contains("Rice milk"))
    #expect(try store.stored("Note", "title") == "Rice milk")
  }

  @Test("An edit is refused while a save waits, and its form keeps the typed values")
  func edit() async throws {
    let (store, program) = try await Self.waiting()
    let typed = [("text.\(try await store.field("title"))", "Soy milk")]
    for path in ["/entity/Note/1/edit", "/entity/Note/new"] {
      let title = try await store.field("title", at: path)
      let typed = [("text.\(title)", "Soy milk")]
      let page = String(buffer: try await store.submit(path, typed, status: .conflict).body)
      #expect(page.contains("Nothing can be changed while a save waits for another program"), "\(path)")
      #expect(page.contains("value=\"Soy milk\"") || page.contains(">\nSoy milk</textarea>"), "\(path)")
    }
    let button = [("do", "none")] + typed
    let related = try await store.submit("/entity/Note/1/relate/author", button, status: .conflict)
    #expect(String(buffer: related.body).contains("Soy milk"))
    for path in ["/edits/undo", "/edits/redo", "/edits/discard", "/entity/Tag/1/deletion"] {
      let page = String(buffer: try await store.submit(path, status: .conflict).body)
      #expect(page.contains("Nothing can be changed while a save waits for another program"), "\(path)")
    }
    _ = try await Self.cancel(store)
    #expect(try await store.page("/edits").contains("Oat milk"))
    try await store.submit("/entity/Note/1/edit", typed)
    #expect(try await store.page("/edits").contains("Soy milk"))
    try program.end()
  }

  @Test("A second save form leads to the page of the save that waits")
  func twice() async throws {
    let (store, program) = try await Self.waiting()
    #expect(try await store.submit("/edits/save").headers[.location] == Self.saving)
    try program.end()
    #expect(try await Self.result(store).headers[.location] == "/edits?did=save")
  }

  @Test("A form that cancels an earlier save does not cancel the present one")
  func earlier() async throws {
    let (store, program) = try await Self.waiting()
    _ = try await Self.cancel(store)
    try await Self.beginSave(store, number: 2)
    #expect(try await Self.cancel(store) == "/edits")
    #expect(try await store.page("/edits/saving?save=2").contains("Waiting for another program"))
    #expect(try await store.get(Self.saving).headers[.location] == "/edits")
    #expect(try await Self.cancel(store, number: 2) == "/edits?did=cancel")
    try program.end()
  }

  @Test("A form without the token does not cancel a save")
  func token() async throws {
    let (store, program) = try await Self.waiting()
    let response = try await store.ask(
      "/edits/cancel",
      method: .post,
      headers: BrowsedStore.formFields,
      body: "token=x&save=1"
    )
    #expect(response.status == .forbidden)
    #expect(try await store.page(Self.saving).contains("Waiting for another program"))
    _ = try await Self.cancel(store)
    try program.end()
  }
}
