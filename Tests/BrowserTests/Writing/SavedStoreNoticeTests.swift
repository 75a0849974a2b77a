import HTTPTestClient
import Testing

@testable import Browser

@Suite("Pages that show the saved store while changes are staged")
struct SavedStoreNoticeTests {
  private static let pages = ["/", "/entity/Note", "/entity/Note/orphans"]

  @Test("A page of the saved store says so and links to the staged change", arguments: pages)
  func staged(page: String) async throws {
    let store = try BrowsedStore.written()
    try await store.submit("/entity/Note/1/relate/author", [("do", "none")])
    let text = try await store.page(page)
    #expect(text.contains("id=\"saved-store\""))
    #expect(text.contains("show the saved store, without <a href=\"/edits\">"))
  }

  @Test("A page of the saved store has no notice without staged changes", arguments: pages)
  func unstaged(page: String) async throws {
    #expect(try await !BrowsedStore.written().page(page).contains("id=\"saved-store\""))
  }
}
