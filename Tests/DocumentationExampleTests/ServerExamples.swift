import Browser
import CoreData
import CoreDataServer
import HTTPTestClient
import Hummingbird
import Testing

/// A sign-in that admits every user.
private struct SignIn<Context: RequestContext>: RouterMiddleware {
  func handle(
    _ request: Request,
    context: Context,
    next: (Request, Context) async throws -> Response
  ) async throws -> Response { try await next(request, context) }
}

@Suite("Examples of servers")
struct ServerExamples: NotebookExamples {
  let notebook: Notebook

  init() throws { notebook = try Notebook() }

  @Test("telemetry is attached before the stores are loaded")
  func telemetry() {
    // example: StoreTelemetry.swift class StoreTelemetry
    let container = NSPersistentContainer(name: "Orders")
    let telemetry = StoreTelemetry(name: "orders")
    telemetry.attach(to: container.persistentStoreCoordinator)
    // end
    container.loadPersistentStores { #expect($1 == nil) }
    telemetry.recordActivity(of: container.persistentStoreCoordinator)
  }

  @Test("the server's own sign-in protects the pages of a store")
  func browser() async throws {
    // example: StoreBrowser.swift struct StoreBrowser
    let router = Router()
    let browser = try StoreBrowser(container.persistentStoreCoordinator, name: "Notes")
    browser.addRoutes(to: router.group("admin/store").add(middleware: SignIn()), at: "/admin/store")
    // end
    try await Application(router: router).test(.router) { client in
      let response = try await client.execute(uri: "/admin/store", method: .get)
      #expect(response.status == .ok)
    }
  }

  @Test("pages compare a store with another version of its model")
  func counterparts() throws {
    let oldModel = NSManagedObjectModel()
    // example: Counterparts.swift struct Counterparts
    var counterparts = StoreBrowser.Counterparts()
    counterparts.model = StoreBrowser.Counterparts.Model(oldModel, name: "Notes 1")
    let browser = try StoreBrowser(coordinator, name: "Notes", counterparts: counterparts)
    // end
    _ = browser
    #expect(counterparts.store == nil)
  }
}
