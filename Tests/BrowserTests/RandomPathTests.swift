import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@testable import Browser

@Suite("The random path of the pages")
struct RandomPathTests {
  /// The server of a store, with random paths.
  private struct Served {
    let store: BrowsedStore
    let token = SessionToken()
    let server: BrowserServer

    init(allowsWriting: Bool = true) throws {
      store = try BrowsedStore.written()
      server = try BrowserServer(
        store.coordinator,
        name: "Notes",
        port: 0,
        token: token,
        limits: BrowsedStore.patientLimits,
        allowsWriting: allowsWriting,
        timeLimit: .seconds(60)
      )
    }

    var cookie: String { String(token.cookie.prefix { $0 != ";" }) }

    func ask(
      _ path: String,
      method: HTTPRequest.Method = .get,
      headers: HTTPFields? = nil,
      body: String? = nil
    ) async throws -> TestResponse {
      try await server.application().test(.live) { client in
        try await client.execute(
          uri: path,
          method: method,
          headers: headers ?? [.cookie: cookie],
          body: body.map { ByteBuffer(string: $0) }
        )
      }
    }
  }

  @Test("The cookie names the path of the pages alone, and each start has another path")
  func cookie() async throws {
    let served = try Served()
    let base = served.token.base
    #expect(base.wholeMatch(of: /\/s\/[0-9a-f]{32}/) != nil)
    #expect(base != SessionToken(served.token.text).base)
    #expect(!base.contains(served.token.text) && !base.contains(served.token.cookieValue))
    let response = try await served.ask(served.token.path, headers: [:])
    let cookie = try #require(response.headers[.setCookie])
    #expect(cookie.components(separatedBy: "; ").contains("Path=\(base)"))
    #expect(String(buffer: response.body).contains("content=\"0;url=\(base)/\""))
  }

  @Test("A link with the token leads to its page below the path")
  func link() async throws {
    let served = try Served()
    let base = served.token.base
    let page = try await served.ask(
      "\(base)/link?to=\(PageAddress.encoded("\(base)/entity/Note?sort=title"))"
    )
    #expect(page.status == .ok)
    let text = String(buffer: page.body)
    #expect(text.contains("\(served.token.path)?then=%2Fentity%2FNote%3Fsort%3Dtitle\""))
    let opened = try await served.ask(
      "\(served.token.path)?then=%2Fentity%2FNote%3Fsort%3Dtitle",
      headers: [:]
    )
    #expect(String(buffer: opened.body).contains("content=\"0;url=\(base)/entity/Note?sort=title\""))
  }

  @Test(
    "Every link, form and file of a page is below the path",
    arguments: [
      "/", "/model", "/diagram", "/history", "/comparison", "/entity/Note", "/entity/Note?sort=title",
      "/entity/Note/1", "/entity/Note/1/edit", "/entity/Note/1/deletion", "/entity/Note/1/seed",
      "/entity/Note/new",
      "/entity/Note/1/relate/tags", "/entity/Note/facet?by=title", "/entity/Note/columns",
      "/entity/Note/duplicates",
      "/entity/Note/orphans", "/edits", "/edits/conflicts", "/seed", "/link", "/nothing",
    ]
  )
  func links(path: String) async throws {
    let served = try Served()
    let page = String(buffer: try await served.ask(served.token.base + path).body)
    #expect(page.contains("</html>"))
    let names = #/ (?:href|src|action|formaction|data-[a-z-]+)="(\/[^"]*)"/#
    let targets = page.matches(of: names).map { String($0.output.1) }
    #expect(targets.count > 5)
    for target in targets { #expect(target.hasPrefix("\(served.token.base)/"), "\(path)") }
  }

  @Test("The files that pages load, and the first page without a slash, are below the path")
  func files() async throws {
    let served = try Served()
    for path in ["", "/", "/assets/style.css", "/assets/browser.js", "/counts.json"] {
      #expect(try await served.ask(served.token.base + path).status == .ok, "\(path)")
    }
  }

  @Test(
    "A path outside the pages' path is refused, even with the cookie",
    arguments: [
      "/", "/entity/Note", "/s", "/s/", "/s/0123456789abcdef0123456789abcdef/", "BASEx/", "BASE%2F", "/BASE/",
      "/x/..BASE/", "/assets/style.css", "UPPER/",
    ]
  )
  func outside(form: String) async throws {
    let served = try Served()
    let path = form.replacing("BASE", with: served.token.base)
      .replacing("UPPER", with: "/S/" + served.token.base.dropFirst(3))
    let response = try await served.ask(path)
    #expect(response.status == .unauthorized, "\(path)")
    #expect(!String(buffer: response.body).contains(served.token.base))
  }

  @Test(
    "The path without the cookie opens no page",
    arguments: ["/", "/entity/Note", "/assets/style.css", "/nothing"]
  )
  func noCookie(path: String) async throws {
    let served = try Served()
    #expect(try await served.ask(served.token.base + path, headers: [:]).status == .unauthorized)
  }

  @Test("A form is taken below the path, and refused outside of it")
  func form() async throws {
    let served = try Served()
    let page = String(buffer: try await served.ask("\(served.token.base)/entity/Note/1/edit").body)
    let formToken = try #require(page.firstMatch(of: /name="token" value="([0-9a-f]{32})"/)).output.1
    let label = try #require(page.range(of: "<bdi>title</bdi>"))
    let number = try #require(page[..<label.lowerBound].matches(of: /for="field-([0-9]+)"/).last).output.1
    let fields: HTTPFields = [.cookie: served.cookie, .contentType: "application/x-www-form-urlencoded"]
    let body = BrowsedStore.form([("token", String(formToken)), ("text.\(number)", "Oat milk")])
    let outside = try await served.ask("/entity/Note/1/edit", method: .post, headers: fields, body: body)
    #expect(outside.status == .methodNotAllowed)
    let path = "\(served.token.base)/entity/Note/1/edit"
    let response = try await served.ask(path, method: .post, headers: fields, body: body)
    #expect(response.status == .seeOther && response.headers[.location] == path)
    let edits = try await served.ask("\(served.token.base)/edits")
    #expect(String(buffer: edits.body).contains("Oat milk"))
  }
}
