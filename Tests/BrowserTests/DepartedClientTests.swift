import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import Browser
@testable import StoreExploration

@Suite("Clients that leave")
struct DepartedClientTests {
  private static func request(_ path: String) -> ByteBuffer {
    ByteBuffer(
      string: "GET \(path) HTTP/1.1\r\nHost: localhost\r\nCookie: \(BrowsedStore.cookie)\r\n\r\n"
    )
  }

  @Test(
    "A question stops waiting for its place when its client closes the connection",
    arguments: ["/entity/Note?where=rating+%3E+1", "/entity/Note/export.csv?where=rating+%3E+1"]
  )
  func departure(path: String) async throws {
    let store = try BrowsedStore(timeLimit: .seconds(86_400))
    let pool = store.server.browser.bounds.predicates
    while pool.freeCount > 0 { try #require(try await pool.enter(until: .now + .seconds(3_600))) }
    try await store.server.application().test(.live) { client in
      let channel = try await LoopbackConnection.open(port: try #require(client.port))
      try await channel.executeThenClose { _, outbound in
        try await outbound.write(Self.request(path))
        while pool.waitingCount == 0 { await Task.yield() }
      }
      while pool.waitingCount > 0 { await Task.yield() }
    }
  }

  @Test("A connection is used again after a question whose client was watched")
  func reuse() async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": "One"], in: $0) }
    try await store.server.application().test(.live) { client in
      let channel = try await LoopbackConnection.open(port: try #require(client.port))
      try await channel.executeThenClose { inbound, outbound in
        var parts = inbound.makeAsyncIterator()
        for _ in 0..<3 {
          try await outbound.write(Self.request("/entity/Note/count.json?where=title+%3D%3D+%22One%22"))
          var answer = ""
          while !answer.hasSuffix("}"), let part = try await parts.next() { answer += String(buffer: part) }
          #expect(answer.hasPrefix("HTTP/1.1 200"), "\(answer)")
        }
      }
    }
  }

  /// A middleware that replaces the body of each request, as one does that has already read the connection's body.
  private struct OtherBodies: RouterMiddleware {
    typealias Context = BasicRequestContext

    func handle(
      _ request: Request,
      context: BasicRequestContext,
      next: (Request, BasicRequestContext) async throws -> Response
    ) async throws -> Response {
      var request = request
      let (body, source) = RequestBody.makeStream()
      source.finish()
      request.body = body
      return try await next(request, context)
    }
  }

  @Test("Pages within another server are answered even if a middleware has replaced the request's body")
  func otherBodies() async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": "One", "rating": 2], in: $0) }
    let router = Router(context: BasicRequestContext.self)
    let browser = try StoreBrowser(store.coordinator, name: "Notes")
    browser.addRoutes(to: router.group().add(middleware: OtherBodies()))
    try await Application(router: router).test(.live) { client in
      for path in [
        "/entity/Note?where=rating+%3E+1", "/entity/Note/facet?by=title",
        "/entity/Note/export.csv?where=rating+%3E+1", "/entity/Note/seed",
      ] {
        let response = try await client.execute(uri: path, method: .get)
        #expect(response.status == .ok, "\(path)")
      }
      let request = "GET /changes HTTP/1.1\r\nHost: localhost\r\n\r\n"
      try await RawClient.listen(request, port: try #require(client.port)) { $0.contains("retry: 2000") }
    }
  }

  @Test("Pages are answered without a connection, as tests of a router ask for them")
  func noConnection() async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": "One", "rating": 2], in: $0) }
    try await store.server.application().test(.router) { client in
      for path in ["/entity/Note?where=rating+%3E+1", "/entity/Note/facet?by=title", "/entity/Note/seed"] {
        let response = try await client.execute(
          uri: path,
          method: .get,
          headers: [.cookie: BrowsedStore.cookie]
        )
        #expect(response.status == .ok, "\(path)")
      }
    }
  }
}
