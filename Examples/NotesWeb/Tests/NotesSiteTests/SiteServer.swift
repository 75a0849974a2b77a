import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NotesSite
import Seeding

/// The site with its own store, without a port: requests go directly to the router.
struct SiteServer: Sendable {
  let folder: TemporaryFolder
  let store: NoteStore
  let seeding: FirstSeeding
  let site: NotesSite

  /// - Parameters:
  ///   - folder: The folder; a new one by default.
  ///   - seeds: The seeds; the program's own by default.
  ///   - isSeeded: False if the test seeds the store itself.
  init(in folder: TemporaryFolder? = nil, seeds: [SeedSource]? = nil, isSeeded: Bool = true) async throws {
    self.folder = try folder ?? TemporaryFolder()
    store = try await NoteStore(at: self.folder.file)
    seeding = FirstSeeding(store, seeds: seeds)
    site = try NotesSite(store: store, seeding: seeding)
    guard isSeeded else { return }
    await seeding.seed()
    // A test's subscription then begins after the seeds.
    try await store.feed.catchUp()
  }

  /// A site with a few notes, from the lines of a seed.
  static func with(_ notes: String) async throws -> SiteServer {
    let seed = #"{"categories": [{"name": "Trees", "colorAsHex": "4E6B2F"}], "notes": [\#(notes)]}"#
    return try await SiteServer(seeds: [.data(Data(seed.utf8), name: "notes.json")])
  }

  @discardableResult
  func get(_ uri: String, headers: HTTPFields = [:]) async throws -> TestResponse {
    try await send(.get, uri, headers, nil)
  }

  /// Sends a form like one of the site's own pages.
  @discardableResult
  func post(
    _ uri: String,
    _ fields: [(String, String)] = [],
    token: String? = nil,
    headers: HTTPFields = [:]
  ) async throws -> TestResponse {
    let fields = fields + [("token", token ?? site.token.text)]
    return try await send(.post, uri, headers, Self.body(fields))
  }

  func send(
    _ method: HTTPRequest.Method,
    _ uri: String,
    _ headers: HTTPFields,
    _ body: String?
  ) async throws -> TestResponse {
    var fields = headers
    if body != nil { fields[.contentType] = "application/x-www-form-urlencoded" }
    return try await RouterClient(site.router).execute(
      uri: uri,
      method: method,
      headers: fields,
      body: body
    )
  }

  static func body(_ fields: [(String, String)]) -> String {
    fields.map { "\(encoded($0))=\(encoded($1))" }.joined(separator: "&")
  }

  private static func encoded(_ text: String) -> String {
    text.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? ""
  }

  /// The fields of a valid note.
  static func fields(
    _ title: String = "A wren in the ivy",
    contents: String = "It sang.",
    day: String = "2025-02-03",
    category: String = "Birds",
    tags: [String] = ["Winter"],
    others: String = "",
    revision: String? = nil
  ) -> [(String, String)] {
    [("title", title), ("contents", contents), ("day", day), ("category", category)]
      + tags.map { ("tags[]", $0) } + [("otherTags", others)]
      + (revision.map { [("revision", $0)] } ?? [])
  }

  /// The note with a title.
  func note(titled title: String) async throws -> NoteDetails? {
    var query = NoteQuery()
    repeat {
      let list = try await store.notes(query)
      if let note = list.notes.first(where: { $0.title == title }) { return note }
      if query.page * NoteQuery.pageSize >= list.count { return nil }
      query.page += 1
    } while true
  }

  /// Deletes the note with a title like its page, and returns the address that undoes it.
  func delete(titled title: String) async throws -> String? {
    guard let note = try await note(titled: title) else { return nil }
    return try await post("/notes/\(note.id)/delete", [("revision", note.revision)]).undoAddress
  }
}

extension TestResponse {
  var location: String? { headers[.location] }

  /// The address that undoes the form's change.
  var undoAddress: String? {
    guard let location, let mark = location.range(of: "undo=") else { return nil }
    return "/undo/\(location[mark.upperBound...])"
  }
}

/// A folder that is deleted after the test.
final class TemporaryFolder: Sendable {
  let url = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
  var file: URL { url.appendingPathComponent("NotesWeb.sqlite") }

  init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }

  deinit { try? FileManager.default.removeItem(at: url) }
}
