package import Hummingbird
import Logging

/// The notes as a web site: a page for each address, and an action for each form.
package struct NotesSite: Sendable {
  let store: NoteStore
  let seeding: FirstSeeding
  let templates: PageTemplates
  private let assets: SiteAssets
  /// The token in each form.
  package let token = FormToken()

  /// - Throws: An error if the program was installed without its pages.
  package init(store: NoteStore, seeding: FirstSeeding) throws {
    self.store = store
    self.seeding = seeding
    templates = try PageTemplates()
    assets = try SiteAssets()
  }

  /// Makes the router of the site.
  package var router: Router<SiteContext> {
    let router = Router(context: SiteContext.self)
    router.add(middleware: OriginGuard())
    router.add(middleware: FailurePages(site: self))
    router.get("/") { request, context in try await showList(request, context) }
    router.get("notes/new") { request, context in try await showNewForm(request, context) }
    router.post("notes") { request, context in try await create(request, context) }
    router.get("notes/:id") { request, context in try await showNote(request, context) }
    router.get("notes/:id/edit") { request, context in try await showForm(request, context) }
    router.post("notes/:id") { request, context in try await edit(request, context) }
    router.post("notes/:id/delete") { request, context in try await delete(request, context) }
    router.post("undo/:change") { request, context in try await undo(request, context) }
    router.get("events") { request, _ in
      try EventStream(subscribers: store.feed.subscribers, seeding: seeding).response(request)
    }
    router.get("health") { _, context in try await health(context) }
    router.get("assets/:name") { request, context in
      try await assets.response(context.parameters.require("name"), request, context)
    }
    return router
  }

  private func health(_ context: SiteContext) async throws -> Response {
    let problems = try await store.problems()
    for problem in problems { context.logger.error("\(problem)") }
    return Response(
      status: problems.isEmpty ? .ok : .serviceUnavailable,
      headers: [.contentType: "application/json"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: #"{"usable":\#(problems.isEmpty)}"#))
    )
  }
}
