import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOPosix
import Testing

@testable import Browser

@Suite("Requests of others")
struct HostileRequestTests {
  private static let paths = [
    "/", "/model", "/entity/Note", "/entity/Note/1", "/assets/style.css", "/nothing",
  ]

  @Test("without the token get no page", arguments: paths)
  func noToken(path: String) async throws {
    let store = try BrowsedStore()
    let response = try await store.ask(path)
    #expect(response.status == .unauthorized)
    #expect(response.headers[.setCookie] == nil)
  }

  @Test(
    "with another token get no page",
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
    "that guess the address of the token get no cookie",
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

  @Test("The token is exchanged for a cookie that scripts and other sites do not get")
  func opening() async throws {
    let store = try BrowsedStore()
    let response = try await store.ask(BrowsedStore.token.path)
    #expect(response.status == .ok)
    let cookie = try #require(response.headers[.setCookie])
    for word in ["HttpOnly", "SameSite=Strict", "Path=/"] { #expect(cookie.contains(word)) }
    #expect(!String(buffer: response.body).contains(BrowsedStore.token.text))
  }

  @Test(
    "of another site are refused, with the cookie too",
    arguments: [
      [HTTPField.Name.origin: "https://evil.example"],
      [.origin: "null"],
      [.origin: "http://127.0.0.1.evil.example"],
      [.origin: "http://localhost@evil.example"],
      [.origin: "https://127.0.0.1:80"],
      [.named("Sec-Fetch-Site"): "cross-site"],
      [.named("Sec-Fetch-Site"): "same-site", .named("Sec-Fetch-Mode"): "no-cors"],
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
    "of another kind than the pages make are refused",
    arguments: [HTTPRequest.Method.post, .put, .delete, .patch, .options, .trace]
  )
  func methods(method: HTTPRequest.Method) async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": "One"], in: $0) }
    let response = try await store.ask(
      "/entity/Note/1",
      method: method,
      headers: [.cookie: BrowsedStore.cookie]
    )
    #expect(response.status == .methodNotAllowed)
  }

  @Test(
    "for files find none",
    arguments: [
      "/assets/../../etc/passwd", "/assets/%2e%2e/%2e%2e/etc/passwd", "/assets/..%2f..%2fetc%2fpasswd",
      "/assets/style.css/../../../etc/passwd", "//etc/passwd", "/assets//etc/passwd", "/assets/style.css%00",
      "/entity/..%2f..%2fetc%2fpasswd", "/entity/Note/../../etc/passwd", "/entity/Note/1/value/..%2f..%2fetc",
      "/entity/%00", "/entity/Note/0", "/entity/Note/-1", "/entity/Note/1e3",
      "/entity/Note/99999999999999999999",
      "/entity/Note/%2B1", "/entity/Note/01", "/entity/Nothing", "/entity/Note/1/value/nothing",
      "/entity/Note/2", "/entity/note", "/entity/", "/entity/%E2%80%AE", "/%", "/entity/%ZZ",
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
      #expect(response.headers[.cacheControl] == "no-store")
      #expect(response.headers[.named("Access-Control-Allow-Origin")] == nil)
    }
  }
}
