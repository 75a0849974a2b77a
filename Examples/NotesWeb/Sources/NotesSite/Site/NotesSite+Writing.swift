import Hummingbird

// Each of these answers a form. A success redirects to a page, so that a reload does not repeat the change.
extension NotesSite {
  func create(_ request: Request, _ context: SiteContext) async throws -> Response {
    let query = try NoteQuery(request, context)
    let form = try await request.decode(as: NoteForm.self, context: context)
    return try await answer(form, of: nil, query, request, context) {
      try await store.create(form.draft)
    }
  }

  func edit(_ request: Request, _ context: SiteContext) async throws -> Response {
    let query = try NoteQuery(request, context)
    let id = try noteID(context)
    let form = try await request.decode(as: NoteForm.self, context: context)
    return try await answer(form, of: id, query, request, context) {
      try await store.edit(id, form.draft, from: form.revision ?? "")
    }
  }

  /// Saves a form. If it cannot be saved, the form shows the reasons and keeps all input.
  private func answer(
    _ form: NoteForm,
    of id: NoteID?,
    _ query: NoteQuery,
    _ request: Request,
    _ context: SiteContext,
    _ save: () async throws -> SavedChange
  ) async throws -> Response {
    func again(
      _ status: HTTPResponse.Status,
      of id: NoteID?,
      errors: [FieldError] = [],
      conflict: NoteDetails? = nil,
      notice: String? = nil
    ) async throws -> Response {
      try await response(
        form.draft,
        of: id,
        revision: conflict?.revision ?? form.revision,
        query,
        request,
        context,
        errors: errors,
        conflict: conflict,
        notice: notice,
        status: status
      )
    }

    guard token.matches(form.token) else {
      return try await again(
        .forbidden,
        of: id,
        notice: "The form is older than the server's last start. Nothing is lost: save once more."
      )
    }
    do {
      let change = try await save()
      return Self.redirect(to: "/notes/\(change.note)" + Self.address(query, change))
    } catch NoteFailure.invalid(let errors) {
      return try await again(.unprocessableContent, of: id, errors: errors)
    } catch NoteFailure.changed(let note) {
      return try await again(.conflict, of: id, conflict: note)
    } catch NoteFailure.deleted {
      return try await again(
        .conflict,
        of: nil,
        notice: "Somebody has deleted the note meanwhile. Saving makes a new one of what you wrote."
      )
    } catch NoteFailure.busy {
      return try await again(
        .serviceUnavailable,
        of: id,
        notice: "Others are writing just now. Nothing is lost: save once more in a moment."
      )
    }
  }

  func delete(_ request: Request, _ context: SiteContext) async throws -> Response {
    let query = try NoteQuery(request, context)
    let id = try noteID(context)
    let form = try await tokenForm(request, context)
    do {
      let change = try await store.delete(id, from: form.revision ?? "")
      return Self.redirect(to: "/" + Self.address(query, change))
    } catch NoteFailure.changed(let note) {
      return try await response(
        note,
        query,
        request,
        context,
        warning:
          "Somebody has changed the note since you opened it, so it was not deleted. This is how it is now.",
        status: .conflict
      )
    } catch NoteFailure.deleted {
      throw NoteFailure.notFound
    }
  }

  func undo(_ request: Request, _ context: SiteContext) async throws -> Response {
    _ = try await tokenForm(request, context)
    do {
      guard let note = try await store.undo(try context.parameters.require("change")) else {
        return Self.redirect(to: "/?undone=yes")
      }
      return Self.redirect(to: "/notes/\(note)?undone=yes")
    } catch NoteFailure.cannotUndo {
      return Self.redirect(to: "/?undone=no")
    }
  }

  /// Reads a form without input.
  ///
  /// - Throws: `HTTPError` if the form does not have this server's token.
  private func tokenForm(_ request: Request, _ context: SiteContext) async throws -> NoteForm {
    let form = try await request.decode(as: NoteForm.self, context: context)
    guard token.matches(form.token) else {
      throw HTTPError(
        .forbidden,
        message: "The page is older than the server's last start. Open it again, and try once more."
      )
    }
    return form
  }

  /// The end of an address that offers to undo a change.
  private static func address(_ query: NoteQuery, _ change: SavedChange) -> String {
    query.address(change.undo.map { [("undo", $0)] } ?? [])
  }

  private static func redirect(to address: String) -> Response {
    Response(status: .seeOther, headers: [.location: address, .cacheControl: "no-store"])
  }
}
