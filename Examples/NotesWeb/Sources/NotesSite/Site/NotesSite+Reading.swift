import Foundation
import Hummingbird

extension NotesSite {
  func showList(_ request: Request, _ context: SiteContext) async throws -> Response {
    let query = try NoteQuery(request, context)
    var page = try await makePage("Notes", "list", query, request, context)
    page.isOpen = true
    return try templates.response(page)
  }

  func showNote(_ request: Request, _ context: SiteContext) async throws -> Response {
    let query = try NoteQuery(request, context)
    let note = try await store.note(noteID(context))
    return try await response(note, query, request, context)
  }

  /// The answer with the page of a note, and possibly the reason why it was not changed.
  func response(
    _ note: NoteDetails,
    _ query: NoteQuery,
    _ request: Request,
    _ context: SiteContext,
    warning: String? = nil,
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    var page = try await makePage(note.title, "note", query, request, context, open: note.id)
    page.note = NoteView(note, query, warning: warning)
    return try templates.response(page, status: status)
  }

  func showNewForm(_ request: Request, _ context: SiteContext) async throws -> Response {
    let query = try NoteQuery(request, context)
    var draft = NoteDraft()
    draft.day = NoteDay.today()
    draft.category = query.category ?? ""
    draft.tags = query.tag.map { [$0] } ?? []
    return try await response(draft, of: nil, revision: nil, query, request, context)
  }

  func showForm(_ request: Request, _ context: SiteContext) async throws -> Response {
    let query = try NoteQuery(request, context)
    let note = try await store.note(noteID(context))
    return try await response(
      NoteDraft(note),
      of: note.id,
      revision: note.revision,
      query,
      request,
      context
    )
  }

  /// The answer with the form of a note. The note is new if it does not have an ID.
  func response(
    _ draft: NoteDraft,
    of id: NoteID?,
    revision: String?,
    _ query: NoteQuery,
    _ request: Request,
    _ context: SiteContext,
    errors: [FieldError] = [],
    conflict: NoteDetails? = nil,
    notice: String? = nil,
    status: HTTPResponse.Status = .ok
  ) async throws -> Response {
    let title = id == nil ? "New note" : "Edit note"
    var page = try await makePage(title, "form", query, request, context, open: id)
    page.form = FormView(
      draft,
      of: id,
      revision: revision,
      choices: try await store.choices(),
      query: query,
      errors: errors,
      conflict: conflict,
      notice: notice
    )
    return try templates.response(page, status: status)
  }

  /// The ID of the note in the address.
  ///
  /// - Throws: `NoteFailure.notFound`.
  func noteID(_ context: SiteContext) throws -> NoteID {
    guard let id = NoteID(try context.parameters.require("id")) else { throw NoteFailure.notFound }
    return id
  }

  /// A page with the surroundings of a note: the search, the categories and tags, and the list.
  private func makePage(
    _ title: String,
    _ kind: String,
    _ query: NoteQuery,
    _ request: Request,
    _ context: SiteContext,
    open: NoteID? = nil
  ) async throws -> Page {
    // The version is read before the notes. The page then gets an event for a change in between.
    var page = emptyPage(title, kind, query)
    let list = try await store.notes(query)
    page.noteID = open?.description
    page.toast = try toast(request, context)
    page.filters = FiltersView(list, query)
    page.list = ListView(list, query, open: open, isMain: kind == "list")
    return page
  }

  /// A page without any values from the store.
  func emptyPage(_ title: String, _ kind: String, _ query: NoteQuery = NoteQuery()) -> Page {
    Page(
      title: title,
      token: token.text,
      version: store.feed.subscribers.version,
      kind: kind,
      search: SearchView(
        words: query.words,
        category: query.category,
        tag: query.tag,
        newAddress: "/notes/new" + query.address()
      ),
      seeding: SeedingView(seeding.state)
    )
  }

  private struct Outcome: Decodable {
    var undo: String?
    var undone: String?
  }

  /// The toast for the change that the address mentions.
  private func toast(_ request: Request, _ context: SiteContext) throws -> ToastView? {
    let outcome = try request.uri.decodeQuery(as: Outcome.self, context: context)
    if let name = outcome.undo, let change = store.undoableChange(name) {
      return ToastView(noteTitle: change.title, sentence: change.sentence, undoAddress: "/undo/\(name)")
    }
    guard let undone = outcome.undone else { return nil }
    return ToastView(sentence: undone == "no" ? Self.cannotUndo : "The change was taken back.")
  }

  static let cannotUndo =
    "That cannot be taken back any more: it was taken back already, or the note was changed again since."
}

extension SeedingView {
  /// Nil if there is nothing to report.
  init?(_ state: SeedingStage) {
    switch state {
    case .waiting: self.init(sentence: "The first notes are on their way.", percent: 0, isRunning: true)
    case .running(let part, let phase):
      self.init(
        sentence: "The first notes are on their way: \(phase).",
        percent: Int(part * 100),
        isRunning: true
      )
    case .finished: return nil
    case .failed(let sentence): self.init(sentence: sentence, percent: 0, isRunning: false)
    }
  }
}
