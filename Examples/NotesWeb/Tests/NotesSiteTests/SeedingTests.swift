import Foundation
import HTTPTypes
import Hummingbird
import Seeding
import Testing

@testable import NotesSite

@Suite("The first launch", .timeLimit(.minutes(60)))
struct SeedingTests {
  @Test("pages are there while the notes are taken in, say how far that is, and have them afterwards")
  func progress() async throws {
    // The seed is complete only after the test has written it.
    let pipe = Pipe()
    let server = try await SiteServer(
      seeds: [.stream(pipe.fileHandleForReading, name: "notes.json")],
      isSeeded: false
    )
    #expect(server.seeding.state == .waiting)
    let events = try #require(server.store.feed.subscribers.subscribe())
    let seeding = Task { await server.seeding.seed() }
    var states = events.compactMap { if case .seeding(let state) = $0 { state } else { nil } }
      .makeAsyncIterator()
    #expect(await states.next() == .running(0, "reading seeds"))

    let page = try await server.get("/")
    #expect(page.text.contains("The first notes are on their way: reading seeds."))
    #expect(page.text.contains(#"<progress id="seeding-progress" max="100" value="0""#))
    // Without scripts the page reloads automatically.
    #expect(page.text.contains(#"<noscript><meta http-equiv="refresh" content="1"></noscript>"#))
    #expect(page.text.contains("Nothing is written here yet."))

    let seed = #"{"notes": [{"title": "one", "createdAt": "2024-01-01"}, {"title": "two"}]}"#
    try pipe.fileHandleForWriting.write(contentsOf: Data(seed.utf8))
    try pipe.fileHandleForWriting.close()
    var parts: [Double] = []
    var end: SeedingStage?
    while end == nil, let state = await states.next() {
      if case .running(let part, _) = state { parts.append(part) } else { end = state }
    }
    await seeding.value
    #expect(end == .finished(created: 2))
    #expect(parts == parts.sorted() && parts.allSatisfy { (0...1).contains($0) })
    let after = try await server.get("/").text
    #expect(after.contains(">one<") && !after.contains("seeding-progress"))
    #expect(!after.contains("http-equiv"))
  }

  @Test("a launch that finds the notes does not take them in again, whatever became of them")
  func restart() async throws {
    let folder = try TemporaryFolder()
    let first = try await SiteServer(in: folder)
    #expect(first.seeding.state == .finished(created: 36))
    _ = try await first.delete(titled: "The ash is late")
    let note = try #require(try await first.note(titled: "Privet keeps its berries"))
    try await first.post("/notes/\(note.id)", SiteServer.fields("Mine", revision: note.revision))
    let before = try await first.store.notes(NoteQuery())
    try first.store.close()

    let second = try await SiteServer(in: folder)
    #expect(second.seeding.state == .finished(created: 0))
    let after = try await second.store.notes(NoteQuery())
    #expect(after == before && after.total == 35)
    #expect(try await second.get("/").text.contains(">Mine<"))
    try second.store.close()
    // The file then contains everything and can be copied.
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.url.path) == ["NotesWeb.sqlite"])
  }

  @Test("notes that cannot be taken in leave a page that says so and works, and the next launch tries again")
  func failure() async throws {
    let folder = try TemporaryFolder()
    let server = try await SiteServer(
      in: folder,
      seeds: [.data(Data("{\"notes\": [{\"titel\": 1}]}".utf8), name: "notes.json")]
    )
    guard case .failed = server.seeding.state else {
      Issue.record("seeding ended as \(server.seeding.state)")
      return
    }
    let page = try await server.get("/").text
    #expect(page.contains("The first notes could not be taken in") && !page.contains("http-equiv"))
    #expect(try await server.post("/notes", SiteServer.fields(category: "", tags: [])).status == .seeOther)
    try server.store.close()
    let again = try await SiteServer(in: folder)
    #expect(again.seeding.state == .finished(created: 36))
  }

  @Test("pages that are open while the notes are taken in are told of them")
  func told() async throws {
    let server = try await SiteServer(isSeeded: false)
    let events = try #require(server.store.feed.subscribers.subscribe())
    await server.seeding.seed()
    var isFinished = false
    var changes: NoteChanges?
    for await event in events {
      if case .seeding(.finished) = event { isFinished = true }
      if case .changes(let told) = event { changes = told }
      if isFinished, changes != nil { break }
    }
    #expect(changes?.inserted.count == 36 && changes?.count == 36)
  }

  @Test("a server that ends while the notes are taken in leaves the store as it was")
  func endedMeanwhile() async throws {
    let pipe = Pipe()
    let server = try await SiteServer(
      seeds: [.stream(pipe.fileHandleForReading, name: "notes.json")],
      isSeeded: false
    )
    let events = try #require(server.store.feed.subscribers.subscribe())
    try await ServedSite.serve(server, with: [server.seeding]) { _ in
      for await case .seeding(.running) in events { break }
      // The JSON is valid so far, but it is cut off.
      try pipe.fileHandleForWriting.write(contentsOf: Data("{\"notes\": [".utf8))
      try pipe.fileHandleForWriting.close()
    }
    #expect(try await server.store.notes(NoteQuery()).total == 0)
  }

  @Test("the health of the server is that of its store")
  func health() async throws {
    let server = try await SiteServer()
    let well = try await server.get("/health")
    #expect(well.status == .ok && well.text == #"{"usable":true}"#)
    let moved = server.folder.url.appendingPathComponent("elsewhere.sqlite")
    try FileManager.default.moveItem(at: server.folder.file, to: moved)
    let unwell = try await server.get("/health")
    #expect(unwell.status == .serviceUnavailable && unwell.text == #"{"usable":false}"#)
  }
}
