import Foundation
import HTTPTestClient
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import Browser

@Suite("Requests of other programs and sites")
struct HostileRequestTests {
  private static let paths = [
    "/", "/model", "/entity/Note", "/entity/Note/1", "/assets/style.css", "/nothing",
  ]

  @Test("A request without the token gets no page", arguments: paths)
  func noToken(path: String) async throws {
    let store = try BrowsedStore()
    let response = try await store.ask(path)
    #expect(response.status == .unauthorized)
    #expect(response.headers[.setCookie] == nil)
  }

  @Test(
    "A request with a wrong token gets no page",
    arguments: [
      "perennial=0123456789abcdef0123456789abcdef", "x=0123456789abcdef0123456789abcdef",
      "\(BrowsedStore.cookie)0", String(BrowsedStore.cookie.dropLast()), "", ";;;=;=", "=",
    ]
  )
  func wrongToken(cookie: String) async throws {
    let store = try BrowsedStore()
    #expect(try await store.ask("/", headers: [.cookie: cookie]).status == .unauthorized)
  }

  @Test(
    "A request that guesses the address of the token gets no cookie",
    arguments: [
      "/open/", "/open/0123456789abcdef0123456789abcdee", "/open/0123456789abcdef0123456789abcdef/", "/open",
    ]
  )
  func wrongOpening(path: String) async throws {
    let store = try BrowsedStore()
    let response = try await store.ask(path)
    #expect(response.status == .unauthorized)
    #expect(response.headers[.setCookie] == nil)
  }

  /// Places in which the server ignores the token.
  private static var misplaced: [(path: String, fields: HTTPFields)] {
    let token = BrowsedStore.token.text
    return [
      ("/?token=\(token)", [:]), ("/entity/Note?open=\(token)", [:]),
      ("/", [.authorization: "Bearer \(token)"]), ("/", [.named("X-Token"): token]),
      ("/", [.referer: "http://localhost/open/\(token)"]), ("/", [.setCookie: BrowsedStore.cookie]),
      ("/", [.named("Cookie2"): BrowsedStore.cookie]), ("/", [.cookie: token]), ("/", [.cookie: "\(token)="]),
      ("/OPEN/\(token)", [:]), ("//open/\(token)", [:]), ("/open//\(token)", [:]),
      ("/open/%30\(token.dropFirst())", [:]), ("/open/\(token)%00", [:]), ("/open/\(token)/..", [:]),
      ("/open/x/../\(token)", [:]), ("/open/\(token.uppercased())", [:]), ("/\(token)", [:]),
    ]
  }

  @Test("A request with the token in a wrong place gets no page", arguments: misplaced)
  func misplacedToken(path: String, fields: HTTPFields) async throws {
    let store = try BrowsedStore()
    let response = try await store.ask(path, headers: fields)
    #expect(response.status == .unauthorized)
    #expect(response.headers[.setCookie] == nil)
  }

  @Test(
    "A request with further cookies besides the token's is answered",
    arguments: ["a=b; \(BrowsedStore.cookie)", "\(BrowsedStore.cookie);c=d", ";;=; \(BrowsedStore.cookie) ;"]
  )
  func otherCookies(cookie: String) async throws {
    let store = try BrowsedStore()
    #expect(try await store.ask("/", headers: [.cookie: cookie]).status == .ok)
  }

  @Test(
    "A request for the cookie that another site made gets no cookie",
    arguments: [
      (.get, [.origin: "https://evil.example"]), (.get, [.origin: "null"]),
      (.get, [.named("Sec-Fetch-Site"): "cross-site", .named("Sec-Fetch-Mode"): "no-cors"]),
      (.post, [:]), (.put, [:]), (.get, [.contentLength: "4"]),
    ] as [(HTTPRequest.Method, HTTPFields)]
  )
  func foreignOpening(method: HTTPRequest.Method, fields: HTTPFields) async throws {
    let store = try BrowsedStore()
    let response = try await store.ask(BrowsedStore.token.path, method: method, headers: fields)
    #expect(response.status.code >= 400)
    #expect(response.headers[.setCookie] == nil)
  }

  @Test("The value of the cookie does not open the store as a token, nor the token as the cookie")
  func separateSecrets() async throws {
    let store = try BrowsedStore()
    let (token, value) = (BrowsedStore.token.text, BrowsedStore.token.cookieValue)
    #expect(token != value)
    #expect(try await store.ask("/open/\(value)").status == .unauthorized)
    let cookie = BrowsedStore.cookie.replacing(value, with: token)
    #expect(try await store.ask("/", headers: [.cookie: cookie]).status == .unauthorized)
  }

  @Test("The token is exchanged for a cookie that scripts and other sites do not get")
  func opening() async throws {
    let store = try BrowsedStore()
    let response = try await store.ask(BrowsedStore.token.path)
    #expect(response.status == .ok)
    let cookie = try #require(response.headers[.setCookie])
    for word in ["HttpOnly", "SameSite=Strict", "Path=/"] { #expect(cookie.contains(word)) }
    #expect(!String(buffer: response.body).contains(BrowsedStore.token.text))
    #expect(!cookie.contains(BrowsedStore.token.text))
  }

  @Test(
    "A request from another site is refused, even with the cookie",
    arguments: [
      [HTTPField.Name.origin: "https://evil.example"],
      [.origin: "null"],
      [.origin: "http://127.0.0.1.evil.example"],
      [.origin: "http://localhost@evil.example"],
      [.origin: "https://127.0.0.1:80"],
      [.origin: "http://localhost:3000"],
      [.origin: "http://127.0.0.1"],
      [.origin: "http://[::1]"],
      [.origin: "http://localhost."],
      [.origin: "http://localhost/"],
      [.origin: "HTTP://LOCALHOST"],
      [.origin: "file://"],
      [.origin: ""],
      [.origin: "http://localhost, http://evil.example"],
      [.named("Sec-Fetch-Site"): "cross-site"],
      [.named("Sec-Fetch-Site"): "same-site", .named("Sec-Fetch-Mode"): "no-cors"],
      [.named("Sec-Fetch-Site"): "same-site", .named("Sec-Fetch-Mode"): "cors"],
      [.named("Sec-Fetch-Site"): "same-origin, cross-site"],
      [.named("Sec-Fetch-Site"): ""],
      [
        .named("Sec-Fetch-Site"): "cross-site", .named("Sec-Fetch-Mode"): "no-cors",
        .named("Sec-Fetch-Dest"): "script",
      ],
      [
        .named("Sec-Fetch-Site"): "cross-site", .named("Sec-Fetch-Mode"): "navigate",
        .named("Sec-Fetch-Dest"): "object",
      ],
      [
        .named("Sec-Fetch-Site"): "cross-site", .named("Sec-Fetch-Mode"): "navigate",
        .named("Sec-Fetch-Dest"): "iframe",
      ],
    ] as [HTTPFields]
  )
  func foreignOrigin(fields: HTTPFields) async throws {
    let store = try BrowsedStore()
    var fields = fields
    fields[.cookie] = BrowsedStore.cookie
    #expect(try await store.ask("/", headers: fields).status == .forbidden)
  }

  @Test(
    "A request from the browser's own pages or from a link is answered",
    arguments: [
      [.origin: "http://localhost"],
      [.named("Sec-Fetch-Site"): "same-origin"],
      [.named("Sec-Fetch-Site"): "none", .named("Sec-Fetch-Mode"): "navigate"],
      [
        .named("Sec-Fetch-Site"): "cross-site", .named("Sec-Fetch-Mode"): "navigate",
        .named("Sec-Fetch-Dest"): "document",
      ],
    ] as [HTTPFields]
  )
  func ownOrigin(fields: HTTPFields) async throws {
    let store = try BrowsedStore()
    var fields = fields
    fields[.cookie] = BrowsedStore.cookie
    #expect(try await store.ask("/", headers: fields).status == .ok)
  }

  @Test(
    "A request of a kind that no page makes is refused",
    arguments: [
      "POST", "PUT", "DELETE", "PATCH", "OPTIONS", "TRACE", "PROPFIND", "MKCOL", "SEARCH", "PURGE", "REPORT",
    ]
  )
  func methods(name: String) async throws {
    let method = try #require(HTTPRequest.Method(name))
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": "One"], in: $0) }
    let response = try await store.ask(
      "/entity/Note/1",
      method: method,
      headers: [.cookie: BrowsedStore.cookie]
    )
    #expect(response.status == .methodNotAllowed)
  }

  @Test(
    "A request for a file outside of the assets finds nothing",
    arguments: [
      "/assets/../../etc/passwd", "/assets/%2e%2e/%2e%2e/etc/passwd", "/assets/..%2f..%2fetc%2fpasswd",
      "/assets/style.css/../../../etc/passwd", "//etc/passwd", "/assets//etc/passwd", "/assets/style.css%00",
      "/entity/..%2f..%2fetc%2fpasswd", "/entity/Note/../../etc/passwd", "/entity/Note/1/value/..%2f..%2fetc",
      "/entity/%00", "/entity/Note/0", "/entity/Note/-1", "/entity/Note/1e3",
      "/entity/Note/99999999999999999999",
      "/entity/Note/%2B1", "/entity/Note/01", "/entity/Nothing", "/entity/Note/1/value/nothing",
      "/entity/Note/2", "/entity/note", "/entity/", "/entity/%E2%80%AE", "/%", "/entity/%ZZ",
      "/assets/%c0%ae%c0%ae/%c0%ae%c0%ae/etc/passwd", "/assets/%252e%252e%252f%252e%252e%252fetc%252fpasswd",
      "/assets/..%5c..%5cetc%5cpasswd", "/assets/style.css;/../../etc/passwd", "/assets/.", "/assets",
      "/assets/style.css%0d%0aX:y", "/%2f%2fevil.example", "/%2e%2e/%2e%2e/etc/passwd", "/file:///etc/passwd",
      "/entity/Note/1/value/title%00", "/entity/Note/1/value/..", "/entity/Note/%EF%BC%91",
      "/entity/Note/%201",
      "/entity/Note/1%00", "/entity/Note/0x1", "/entity/Note/-0", "/entity/Note/9223372036854775807",
      "/entity/Note/-9223372036854775808", "/entity/Note/1/deletion/x", "/entity/%3Cscript%3E",
      "/entity/Note%CC%88", "/changes/..%2fmodel", "/diagram.svg%00",
    ]
  )
  func files(path: String) async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": "One"], in: $0) }
    let response = try await store.get(path)
    #expect(response.status == .notFound, "\(path)")
    #expect(!String(buffer: response.body).contains("root:"))
  }

  @Test(
    "Every answer has the fields that keep a browser from running, framing and guessing",
    arguments: paths
  )
  func safetyFields(path: String) async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": "One"], in: $0) }
    for response in [try await store.get(path), try await store.ask(path)] {
      #expect(response.headers[.contentSecurityPolicy]?.hasPrefix("default-src 'self'") == true)
      #expect(response.headers[.xContentTypeOptions] == "nosniff")
      #expect(response.headers[.named("X-Frame-Options")] == "DENY")
      #expect(response.headers[.named("Referrer-Policy")] == "no-referrer")
      // The browser may not store what comes from the database. It revalidates a static file on each use.
      let isFile = path.hasPrefix("/assets/") && response.status == .ok
      #expect(response.headers[.cacheControl] == (isFile ? "private, no-cache" : "no-store"))
      #expect(response.headers[.named("Access-Control-Allow-Origin")] == nil)
    }
  }
}
