import CoreData
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import Testing

@testable import NotesSite

@Suite("What open pages are told", .timeLimit(.minutes(60)))
struct EventTests {
  private let ash = "The ash is late"

  /// Serves a site at a port, and listens like a page.
  private func listening(
    to server: SiteServer,
    _ test: (inout EventReader) async throws -> Void
  ) async throws {
    try await ServedSite.serve(server) { site in try await EventReader.read(port: site.port, test) }
  }

  @Test("begins with a word that the page has, unless something has happened since it was made")
  func version() async throws {
    let server = try await SiteServer()
    try await listening(to: server) { events in
      let page = try await server.get("/").text
      let ready = try await events.next("ready")
      #expect(page.contains("data-version=\"\(ready)\""))
    }
    try await server.post("/notes", SiteServer.fields())
    try await listening(to: server) { events in
      _ = try await events.next("ready")
    }
  }

  @Test("a note that a request makes, changes and deletes is told by its name")
  func requests() async throws {
    let server = try await SiteServer()
    try await listening(to: server) { events in
      _ = try await events.next("ready")
      try await server.post("/notes", SiteServer.fields("Told"))
      let note = try #require(try await server.note(titled: "Told"))
      #expect(try await events.nextChanges().inserted == [note.id.description])

      try await server.post("/notes/\(note.id)", SiteServer.fields("Told twice", revision: note.revision))
      #expect(try await events.nextChanges().updated == [note.id.description])

      let undo = try #require(try await server.delete(titled: "Told twice"))
      #expect(try await events.nextChanges().deleted == [note.id.description])

      try await server.post(undo)
      let back = try #require(try await server.note(titled: "Told twice"))
      #expect(try await events.nextChanges().inserted == [back.id.description])
    }
  }

  @Test("a change of a note's tags or category alone is told, too")
  func relationships() async throws {
    let server = try await SiteServer()
    let note = try #require(try await server.note(titled: ash))
    try await listening(to: server) { events in
      _ = try await events.next("ready")
      try await server.post(
        "/notes/\(note.id)",
        SiteServer.fields(
          note.title,
          contents: note.contents,
          day: "2024-05-19",
          category: "Trees",
          tags: ["Winter"],
          revision: note.revision
        )
      )
      #expect(try await events.nextChanges().updated == [note.id.description])
    }
  }

  @Test("what another program saves is told as well")
  func otherPrograms() async throws {
    let server = try await SiteServer()
    // To the first container, a second one is like another process.
    let other = try await NoteStore(at: server.folder.file)
    try await listening(to: server) { events in
      _ = try await events.next("ready")
      try await other.container.performBackgroundTask { context in
        let note = Note(context: context)
        note.title = "From elsewhere"
        note.createdAt = .now
        try context.save()
      }
      let changes = try await events.nextChanges()
      let note = try #require(try await server.note(titled: "From elsewhere"))
      #expect(changes.inserted == [note.id.description])
    }
  }

  @Test("all pages that are open are told, and one that is closed is forgotten")
  func manyPages() async throws {
    let server = try await SiteServer()
    let subscribers = server.store.feed.subscribers
    try await ServedSite.serve(server) { site in
      try await withThrowingTaskGroup(of: [String].self) { group in
        let (ready, isReady) = AsyncStream<Void>.makeStream()
        for _ in 0..<5 {
          group.addTask {
            try await EventReader.read(port: site.port) { events in
              _ = try await events.next("ready")
              isReady.yield()
              return try await events.nextChanges().inserted
            }
          }
        }
        var readers = 0
        for await _ in ready {
          readers += 1
          if readers == 5 { break }
        }
        #expect(subscribers.count == 5)
        try await server.post("/notes", SiteServer.fields("Told"))
        let id = try #require(try await server.note(titled: "Told")).id.description
        for try await inserted in group { #expect(inserted == [id]) }
      }
      // The readers have disconnected. The server notices it without sending an event.
      while subscribers.count > 0 { await Task.yield() }
    }
  }

  @Test("a server that is told to end ends the streams of its pages")
  func shutdown() async throws {
    let server = try await SiteServer()
    try await ServedSite.serve(server) { site in
      try await EventReader.read(port: site.port) { events in
        _ = try await events.next("ready")
        await site.end()
        while try await events.nextLine() != nil {}
      }
    }
  }

  @Test("more pages than the server can serve are told to come later")
  func tooMany() async throws {
    let server = try await SiteServer()
    let streams = (0..<FeedSubscribers.most).map { _ in server.store.feed.subscribers.subscribe() }
    #expect(streams.allSatisfy { $0 != nil })
    #expect(try await server.get("/events").status == .serviceUnavailable)
    withExtendedLifetime(streams) {}
  }

  @Test("of very many changes at once as many are named as a page can use, and all are counted")
  func many() async throws {
    let server = try await SiteServer(isSeeded: false)
    let stream = try #require(server.store.feed.subscribers.subscribe())
    try await server.store.container.performBackgroundTask { context in
      for number in 0..<250 {
        let note = Note(context: context)
        note.title = "n\(number)"
        note.createdAt = .now
      }
      try context.save()
    }
    for await case .changes(let changes) in stream {
      #expect(changes.count == 250 && changes.inserted.count == NoteChanges.mostNamed)
      break
    }
  }
}

/// Reads server-sent events.
struct EventReader {
  private var response: StreamedResponse
  private var buffer = ByteBuffer()

  /// Listens while a closure runs.
  static func read<Value: Sendable>(
    port: Int,
    _ body: (inout EventReader) async throws -> Value
  ) async throws -> Value {
    try await StreamedResponse.get("/events", port: port) { response in
      #expect(response.status == .ok && response.headers.first(name: "content-type") == "text/event-stream")
      var events = EventReader(response: response)
      return try await body(&events)
    }
  }

  /// The data of the next event with a name. Other events are skipped.
  mutating func next(_ name: String) async throws -> String {
    while let line = try await nextLine() {
      guard line == "event: \(name)" else { continue }
      return String(try #require(try await nextLine()).dropFirst("data: ".count))
    }
    throw CancellationError()
  }

  mutating func nextChanges() async throws -> NoteChanges {
    try JSONDecoder().decode(NoteChanges.self, from: Data(try await next("changes").utf8))
  }

  /// The next line; nil if the stream has ended.
  mutating func nextLine() async throws -> String? {
    while true {
      let bytes = buffer.readableBytesView
      if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) {
        let line = buffer.readString(length: end - bytes.startIndex)
        buffer.moveReaderIndex(forwardBy: 1)
        return line
      }
      guard var part = try await response.next() else { return nil }
      buffer.writeBuffer(&part)
    }
  }
}
