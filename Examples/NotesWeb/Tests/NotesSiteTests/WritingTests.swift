import Foundation
import HTTPTypes
import Hummingbird
import NotesSite
import Testing

@Suite("Writing notes")
struct WritingTests {
  @Test("a note that is made is on the page that follows, with its day, category and tags")
  func created() async throws {
    let server = try await SiteServer()
    let answer = try await server.post("/notes", SiteServer.fields(others: "Ivy,  Song ,ivy, ,winter"))
    #expect(answer.status == .seeOther)
    let page = try await server.get(try #require(answer.location))
    #expect(page.text.contains(#"<h1 id="note-title" dir="auto">A wren in the ivy</h1>"#))
    #expect(page.text.contains("3 February 2025") && page.text.contains("” was added"))
    let note = try #require(try await server.note(titled: "A wren in the ivy"))
    #expect(note.category?.name == "Birds" && note.contents == "It sang.")
    // Existing tags are not created again, ignoring case.
    #expect(note.tags == ["Ivy", "Song", "Winter"])
    #expect(try await server.store.choices().tags.count == 10)
  }

  @Test("a note that is edited has its new values, and the day on which it was changed")
  func edited() async throws {
    let server = try await SiteServer()
    let note = try #require(try await server.note(titled: "The ash is late"))
    let answer = try await server.post(
      "/notes/\(note.id)",
      SiteServer.fields("The ash was felled", category: "", tags: [], revision: note.revision)
    )
    #expect(answer.status == .seeOther && answer.location?.hasPrefix("/notes/\(note.id)?undo=") == true)
    let edited = try await server.store.note(note.id)
    #expect(edited.title == "The ash was felled" && edited.category == nil && edited.tags == [])
    #expect(try #require(edited.updatedAt) > #require(note.updatedAt))
    #expect(edited.revision != note.revision)
  }

  @Test("a form that is saved as it came changes nothing")
  func unchanged() async throws {
    let server = try await SiteServer()
    let note = try #require(try await server.note(titled: "The ash is late"))
    let form = try await server.get("/notes/\(note.id)/edit").text
    #expect(form.contains(#"value="2024-05-19""#))
    let answer = try await server.post(
      "/notes/\(note.id)",
      SiteServer.fields(
        note.title,
        contents: note.contents,
        day: "2024-05-19",
        category: "Trees",
        tags: note.tags,
        revision: note.revision
      )
    )
    #expect(answer.status == .seeOther && answer.undoAddress == nil)
    #expect(try await server.store.note(note.id) == note)
  }

  @Test("lines, tabs, quotes and other scripts come back from a form as they were written")
  func texts() async throws {
    let server = try await SiteServer()
    let text = "\nfirst\n\n\tsecond “third” & 'fourth' <b>\nשלום, 🐦‍⬛ e\u{301}"
    let answer = try await server.post(
      "/notes",
      SiteServer.fields("Text", contents: text.replacing("\n", with: "\r\n"))
    )
    #expect(answer.status == .seeOther)
    #expect(try await server.note(titled: "Text")?.contents == text)
  }

  @Test(
    "what breaks a rule of the model is told at its field, all at once, and nothing that was written is lost"
  )
  func invalid() async throws {
    let server = try await SiteServer()
    let long = String(repeating: "x", count: 20_001)
    let answer = try await server.post(
      "/notes",
      SiteServer.fields("  ", contents: long, day: "2024-02-30", category: "Fish", others: "kept, as it is")
    )
    #expect(answer.status == .unprocessableContent)
    for (field, message) in [
      ("title", "A note needs a title."), ("contents", "A note has at most 20000 characters; shorten it."),
      ("day", "Give the day as year, month and day, such as 2024-05-09."),
      ("category", "There is no category “Fish” any more. Choose another one."),
    ] {
      #expect(answer.text.contains("id=\"\(field)-error\">\(message)</p>"))
      #expect(answer.text.contains("<a href=\"#\(field)\">\(message)</a>"))
    }
    #expect(answer.text.contains(long) && answer.text.contains(#"value="kept, as it is""#))
    #expect(try await server.store.notes(NoteQuery()).total == 36)
  }

  @Test(
    "texts that are too long are told by the save, too",
    arguments: [
      (
        SiteServer.fields(String(repeating: "t", count: 201)), "title-error",
        "A title has at most 200 characters"
      ),
      (
        SiteServer.fields(others: String(repeating: "t", count: 41)), "tags-error",
        "A tag has at most 40 characters"
      ),
      (
        SiteServer.fields(others: (1...21).map { "t\($0)" }.joined(separator: ",")), "tags-error",
        "A note has at most 20 tags"
      ),
      (SiteServer.fields(""), "title-error", "A note needs a title."),
      (SiteServer.fields(day: ""), "day-error", "Give the day"),
      (SiteServer.fields(day: "1"), "day-error", "Give the day"),
    ]
  )
  func tooLong(fields: [(String, String)], id: String, message: String) async throws {
    let server = try await SiteServer()
    let answer = try await server.post("/notes", fields)
    #expect(answer.status == .unprocessableContent)
    #expect(answer.text.contains("id=\"\(id)\">\(message)"))
    #expect(try await server.store.notes(NoteQuery()).total == 36)
    #expect(try await server.store.choices().tags.count == 8)
  }

  @Test("an invalid change of a note leaves it as it was, and the form is that of the note")
  func invalidEdit() async throws {
    let server = try await SiteServer()
    let note = try #require(try await server.note(titled: "The ash is late"))
    let answer = try await server.post("/notes/\(note.id)", SiteServer.fields("", revision: note.revision))
    #expect(answer.status == .unprocessableContent)
    #expect(answer.text.contains("action=\"/notes/\(note.id)\""))
    #expect(answer.text.contains("name=\"revision\" value=\"\(note.revision)\""))
    #expect(try await server.store.note(note.id) == note)
  }

  @Test("the form of a new note begins with what was looked for")
  func newForm() async throws {
    let form = try await SiteServer().get("/notes/new?category=Birds&tag=Winter").text
    #expect(form.contains(/value="Birds" checked/) && form.contains(/value="Winter" checked/))
    #expect(form.contains("value=\"\(NoteDay.today())\""))
  }
}
