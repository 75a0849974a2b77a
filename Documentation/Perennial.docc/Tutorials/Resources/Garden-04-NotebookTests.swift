import CoreData
import Testing

@testable import Garden

@Suite("The notebook")
@MainActor
struct NotebookTests {
  private let notebook: Notebook

  /// Each test has a store of its own, in memory.
  init() async throws {
    let store = NSPersistentStoreDescription()
    store.type = NSInMemoryStoreType
    notebook = try Notebook(store)
    try await notebook.seed()
  }

  @Test("all notes of the seed are there")
  func all() throws {
    #expect(
      try notebook.notes().map(\.title) == [
        "A robin sings under the lamp", "Cowslips on the bank", "The swifts are back",
      ]
    )
  }

  @Test("notes are found by a topic, and lead to all that they have")
  func topic() throws {
    let notes = try notebook.notes(of: "Spring")
    #expect(notes.map(\.title) == ["Cowslips on the bank", "The swifts are back"])
    #expect(notes.map { $0.topics.map(\.name).sorted() } == [["Plants", "Spring"], ["Birds", "Spring"]])
  }

  @Test("only what is seldom seen is rare")
  func rare() throws {
    #expect(try notebook.rareNotes().map(\.title) == ["Cowslips on the bank"])
  }
}
