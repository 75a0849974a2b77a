import CoreData
import Foundation
import HTTPTypes
import Hummingbird
import NotesSite
import Testing

@Suite("Two who change one note")
struct ConflictTests {
  private let ash = "The ash is late"

  @Test("the second one sees both versions, loses nothing, and may save over the first or leave it")
  func secondSave() async throws {
    let server = try await SiteServer()
    let note = try #require(try await server.note(titled: ash))
    try await server.post("/notes/\(note.id)", SiteServer.fields("Mine", revision: note.revision))
    let answer = try await server.post(
      "/notes/\(note.id)",
      SiteServer.fields("Yours", contents: "written long", others: "typed", revision: note.revision)
    )
    #expect(answer.status == .conflict)
    #expect(answer.text.contains("Somebody changed this note while you were writing"))
    #expect(answer.text.contains(#"<h3 dir="auto">Mine</h3>"#))
    #expect(answer.text.contains(#"value="Yours""#) && answer.text.contains("written long"))
    #expect(answer.text.contains(#"value="typed""#))
    #expect(try await server.store.note(note.id).title == "Mine")

    let present = try await server.store.note(note.id)
    #expect(answer.text.contains("name=\"revision\" value=\"\(present.revision)\""))
    let over = try await server.post(
      "/notes/\(note.id)",
      SiteServer.fields("Yours", revision: present.revision)
    )
    #expect(over.status == .seeOther)
    #expect(try await server.store.note(note.id).title == "Yours")
  }

  @Test("of many who save one version at once, one does, and the others hear of it")
  func atOnce() async throws {
    let server = try await SiteServer()
    let note = try #require(try await server.note(titled: ash))
    let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
      for number in 0..<8 {
        group.addTask {
          let fields = SiteServer.fields("n\(number)", revision: note.revision)
          return try await server.post("/notes/\(note.id)", fields).status.code
        }
      }
      return try await group.reduce(into: []) { $0.append($1) }
    }
    #expect(statuses.sorted() == [303] + Array(repeating: 409, count: 7))
  }

  @Test("a note that was deleted meanwhile can be saved as a new one")
  func deleted() async throws {
    let server = try await SiteServer()
    let note = try #require(try await server.note(titled: ash))
    _ = try await server.delete(titled: ash)
    let answer = try await server.post(
      "/notes/\(note.id)",
      SiteServer.fields("Kept", revision: note.revision)
    )
    #expect(answer.status == .conflict)
    #expect(answer.text.contains("Somebody has deleted the note meanwhile."))
    #expect(answer.text.contains(#"action="/notes""#) && answer.text.contains(#"value="Kept""#))
    #expect(try await server.post("/notes", SiteServer.fields("Kept")).status == .seeOther)
  }

  @Test("a note that was changed since it was opened is not deleted unseen")
  func deletionOfChanged() async throws {
    let server = try await SiteServer()
    let note = try #require(try await server.note(titled: ash))
    try await server.post("/notes/\(note.id)", SiteServer.fields("Mine", revision: note.revision))
    let answer = try await server.post("/notes/\(note.id)/delete", [("revision", note.revision)])
    #expect(answer.status == .conflict && answer.text.contains("so it was not deleted"))
    #expect(try await server.store.note(note.id).title == "Mine")
  }

  @Test("a form without a version is a conflict and not a save", arguments: ["", "0", "<"])
  func noRevision(revision: String) async throws {
    let server = try await SiteServer()
    let note = try #require(try await server.note(titled: ash))
    let answer = try await server.post("/notes/\(note.id)", SiteServer.fields("Mine", revision: revision))
    #expect(answer.status == .conflict)
    #expect(try await server.store.note(note.id) == note)
  }

  @Test("a revision differs where anything differs that a person can edit, and is the same otherwise")
  func revisions() async throws {
    let server = try await SiteServer()
    let note = try #require(try await server.note(titled: ash))
    var same = note
    same.updatedAt = .now
    #expect(same.revision == note.revision)
    for change: (inout NoteDetails) -> Void in [
      { $0.title += "x" }, { $0.contents += "x" }, { $0.createdAt = .now }, { $0.category = nil },
      { $0.tags.append("x") },
      {
        // The contents get the letter that the title loses.
        $0.contents = String($0.title.last!) + $0.contents
        $0.title.removeLast()
      },
    ] {
      var other = note
      change(&other)
      #expect(other.revision != note.revision)
    }
  }
}
