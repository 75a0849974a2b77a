import Foundation
import HTTPTypes
import Hummingbird
import NotesSite
import Testing

@Suite("Taking changes back")
struct UndoTests {
  private let ash = "The ash is late"

  /// The content of a note, without its ID.
  private func content(_ note: NoteDetails?) -> [String]? {
    note.map { note in
      [
        note.title, note.contents, note.category?.name ?? "", note.category?.color ?? "",
        note.tags.joined(separator: ","), "\(note.createdAt!)", "\(note.updatedAt!)",
      ]
    }
  }

  @Test("a note that was deleted comes back with its text, its days, its category and its tags")
  func deletion() async throws {
    let server = try await SiteServer()
    let before = try #require(content(try await server.note(titled: ash)))
    let undo = try #require(try await server.delete(titled: ash))
    #expect(try await server.note(titled: ash) == nil)
    let list = try await server.get("/?undo=" + undo.split(separator: "/")[1])
    #expect(list.text.contains("” was deleted") && list.text.contains("action=\"\(undo)\""))

    let answer = try await server.post(undo)
    #expect(answer.status == .seeOther)
    #expect(content(try await server.note(titled: ash)) == before)
    let page = try await server.get(try #require(answer.location))
    #expect(page.status == .ok && page.text.contains("The change was taken back."))
    let counts = try await server.store.notes(NoteQuery()).categories.map(\.noteCount)
    #expect(counts == [4, 6, 7, 5, 9, 5])
  }

  @Test("deletions are taken back in any order, each by itself, also after others changed the same category")
  func anyOrder() async throws {
    let server = try await SiteServer()
    let titles = [ash, "Field maple turns to butter", "Rowan berries go first"]
    var before: [[String]?] = []
    for title in titles { before.append(content(try await server.note(titled: title))) }
    var undos: [String] = []
    for title in titles { undos.append(try #require(try await server.delete(titled: title))) }
    try await server.post("/notes", SiteServer.fields(category: "Trees", tags: ["Spring", "Edible"]))
    for index in [1, 0, 2] {
      #expect(try await server.post(undos[index]).location?.hasPrefix("/notes/") == true)
    }
    for (title, content) in zip(titles, before) {
      #expect(self.content(try await server.note(titled: title)) == content)
    }
    #expect(try await server.store.notes(NoteQuery(category: "Trees")).count == 6)
  }

  @Test("an edit is taken back, tags and category too")
  func edit() async throws {
    let server = try await SiteServer()
    let note = try #require(try await server.note(titled: ash))
    let answer = try await server.post(
      "/notes/\(note.id)",
      SiteServer.fields("Gone", tags: ["Winter"], others: "brand new", revision: note.revision)
    )
    let undone = try await server.post(try #require(answer.undoAddress))
    #expect(undone.location == "/notes/\(note.id)?undone=yes")
    #expect(try await server.store.note(note.id) == note)
  }

  @Test("the making of a note is taken back, and its tags stay for others")
  func creation() async throws {
    let server = try await SiteServer()
    let answer = try await server.post("/notes", SiteServer.fields(others: "shared"))
    try await server.post("/notes", SiteServer.fields("Another", tags: ["shared"]))
    #expect(try await server.post(try #require(answer.undoAddress)).location == "/?undone=yes")
    #expect(try await server.note(titled: "A wren in the ivy") == nil)
    #expect(try await server.note(titled: "Another")?.tags == ["shared"])
  }

  @Test("a change is taken back once")
  func twice() async throws {
    let server = try await SiteServer()
    let undo = try #require(try await server.delete(titled: ash))
    try await server.post(undo)
    let again = try await server.post(undo)
    #expect(again.location == "/?undone=no")
    #expect(try await server.get("/?undone=no").text.contains("That cannot be taken back any more"))
    #expect(try await server.store.notes(NoteQuery()).total == 36)
  }

  @Test("of many who take one change back at once, one does")
  func atOnce() async throws {
    let server = try await SiteServer()
    let undo = try #require(try await server.delete(titled: ash))
    let places = try await withThrowingTaskGroup(of: String?.self) { group in
      for _ in 0..<8 { group.addTask { try await server.post(undo).location } }
      return try await group.reduce(into: []) { $0.append($1 ?? "") }
    }
    #expect(places.filter { $0.hasPrefix("/notes/") }.count == 1)
    #expect(try await server.store.notes(NoteQuery()).total == 36)
  }

  @Test("a change is not taken back when somebody has changed the note again since")
  func changedSince() async throws {
    let server = try await SiteServer()
    let note = try #require(try await server.note(titled: ash))
    let first = try await server.post("/notes/\(note.id)", SiteServer.fields("1", revision: note.revision))
    let second = try await server.store.note(note.id)
    try await server.post("/notes/\(note.id)", SiteServer.fields("2", revision: second.revision))
    #expect(try await server.post(try #require(first.undoAddress)).location == "/?undone=no")
    #expect(try await server.store.note(note.id).title == "2")
  }

  @Test("nobody's change cannot be taken back, and a page does not offer to", arguments: ["x", "..", "%00"])
  func unknown(name: String) async throws {
    let server = try await SiteServer()
    #expect(try await server.post("/undo/\(name)").location == "/?undone=no")
    #expect(try await server.get("/?undo=\(name)").text.contains("id=\"undo\"") == false)
  }

  @Test("as many changes can be taken back as are kept, and the oldest go first")
  func bounded() async throws {
    let server = try await SiteServer()
    var undos: [String] = []
    for number in 0..<51 {
      let answer = try await server.post("/notes", SiteServer.fields("n\(number)"))
      undos.append(try #require(answer.undoAddress))
    }
    #expect(try await server.post(undos[0]).location == "/?undone=no")
    #expect(try await server.post(undos[1]).location == "/?undone=yes")
  }
}
