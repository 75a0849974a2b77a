import Hummingbird
import StoreEditing

/// The additional routes of a writable store.
struct WritingRoutes<Context: RequestContext>: Sendable {
  let pages: BrowserPages
  let writing: BrowserWriting

  func add(to group: RouterGroup<Context>) {
    addObjects(to: group)
    addRelationships(to: group)
    addEdits(to: group)
    addSeeds(to: group)
  }

  private func addObjects(to group: RouterGroup<Context>) {
    group.get("entity/:entity/new") { request, context in
      let entity = try pages.entity(request, parameters: context.parameters)
      return try await pages.creationPage(entity, writing: writing)
    }
    group.post("entity/:entity/new") { request, context in
      let form = try await writing.form(request)
      let entity = try pages.entity(request, parameters: context.parameters)
      return try await pages.create(entity, fields: form, writing: writing)
    }
    group.get("entity/:entity/:key/edit") { request, context in
      try await pages.editPage(try pages.edited(request, parameters: context.parameters), writing: writing)
    }
    group.post("entity/:entity/:key/edit") { request, context in
      let form = try await writing.form(request)
      let object = try pages.edited(request, parameters: context.parameters)
      return try await pages.edit(object, fields: form, writing: writing)
    }
    group.post("entity/:entity/:key/deletion") { request, context in
      _ = try await writing.form(request)
      try await writing.session.delete(try pages.edited(request, parameters: context.parameters))
      return Response.seeOther(pages.address.edits(did: .deletion))
    }
  }

  private func addRelationships(to group: RouterGroup<Context>) {
    group.get("entity/:entity/:key/relate/:relationship") { request, context in
      let object = try pages.edited(request, parameters: context.parameters)
      let relationship = try pages.relationship(context.parameters)
      let items = request.queryItems
      return try await pages.relatePage(object, relationship: relationship, items: items, writing: writing)
    }
    group.post("entity/:entity/:key/relate/:relationship") { request, context in
      let form = try await writing.form(request)
      let object = try pages.edited(request, parameters: context.parameters)
      return try await pages.relate(
        object,
        relationship: try pages.relationship(context.parameters),
        form: form,
        writing: writing
      )
    }
  }

  private func addEdits(to group: RouterGroup<Context>) {
    group.get("edits") { request, _ in
      let items = request.queryItems
      return try await pages.editsPage(
        writing,
        did: items["did"].flatMap(EditsNotice.init),
        newOf: items[EditsPage.newItem]
      )
    }
    group.post("edits/undo") { request, _ in
      _ = try await writing.form(request)
      try await writing.session.undo()
      return Response.seeOther(pages.address.edits(did: .undo))
    }
    group.post("edits/redo") { request, _ in
      _ = try await writing.form(request)
      try await writing.session.redo()
      return Response.seeOther(pages.address.edits(did: .redo))
    }
    group.post("edits/discard") { request, _ in
      _ = try await writing.form(request)
      try await writing.session.discard()
      return Response.seeOther(pages.address.edits(did: .discard))
    }
    group.post("edits/save") { request, _ in
      _ = try await writing.form(request)
      return try await pages.answer(to: try writing.session.beginSave(), writing: writing)
    }
    group.get("edits/saving") { request, _ in
      try await pages.savingPage(request.queryItems, writing: writing)
    }
    group.post("edits/cancel") { request, _ in
      try await pages.cancelSave(try await writing.form(request), writing: writing)
    }
    group.get("edits/conflicts") { _, _ in
      try await pages.conflictsPage(writing)
    }
    group.post("edits/conflicts") { request, _ in
      try await pages.settle(try await writing.form(request), writing: writing)
    }
  }

  private func addSeeds(to group: RouterGroup<Context>) {
    group.get("seed") { _, _ in pages.seedPage() }
    group.post("seed") { request, _ in
      let form = try await writing.form(request, largest: FormRequests.largestSeed)
      return try await pages.previewSeed(form, writing: writing)
    }
    group.get("seed/:seed") { _, context in
      try await pages.seedPage(of: try context.parameters.require("seed"), writing: writing)
    }
    group.post("seed/:seed") { request, context in
      _ = try await writing.form(request)
      return try await pages.takeIn(seed: try context.parameters.require("seed"), writing: writing)
    }
  }
}
