import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import Hummingbird
import NIOCore
import Testing

@testable import Browser

@Suite("Forms of other sites")
struct WritingSafetyTests {
  private static let paths = [
    "/edits/save", "/edits/cancel", "/edits/undo", "/edits/redo", "/edits/discard", "/edits/conflicts",
    "/entity/Note/new", "/entity/Note/1/edit", "/entity/Note/1/deletion", "/entity/Note/1/relate/author",
    "/seed", "/seed/x",
  ]

  @Test("A form without its token is refused, and changes nothing", arguments: paths)
  func noToken(path: String) async throws {
    let store = try BrowsedStore.written()
    let token = try await store.formToken()
    let wrong = [
      "", "token=", "token=\(String(token.dropLast()))", "token=\(token)0",
      "token=\(BrowsedStore.token.text)",
    ]
    for body in wrong {
      let response = try await store.ask(path, method: .post, headers: BrowsedStore.formFields, body: body)
      #expect(response.status == .forbidden, "\(path) \(body)")
    }
    #expect(try await !store.page("/").contains("data-review"))
    #expect(try store.count("Note") == 1)
  }

  @Test("A form without the cookie is refused", arguments: paths)
  func noCookie(path: String) async throws {
    let store = try BrowsedStore.written()
    let token = try await store.formToken()
    var fields = BrowsedStore.formFields
    fields[.cookie] = nil
    let response = try await store.ask(path, method: .post, headers: fields, body: "token=\(token)")
    #expect(response.status == .unauthorized)
  }

  @Test(
    "A form from another site is refused, even with cookie and token",
    arguments: [
      [HTTPField.Name.origin: "https://evil.example"],
      [.origin: "null"],
      [.origin: "http://127.0.0.1.evil.example"],
      [.origin: "http://127.0.0.1:1"],
      [.named("Sec-Fetch-Site"): "cross-site"],
      [.named("Sec-Fetch-Site"): "same-site"],
      [.named("Sec-Fetch-Site"): "none"],
      [
        .named("Sec-Fetch-Site"): "cross-site", .named("Sec-Fetch-Mode"): "navigate",
        .named("Sec-Fetch-Dest"): "document",
      ],
      [.origin: "https://evil.example", .named("Sec-Fetch-Site"): "same-origin"],
    ] as [HTTPFields]
  )
  func foreignOrigin(fields: HTTPFields) async throws {
    let store = try BrowsedStore.written()
    let token = try await store.formToken()
    var all = BrowsedStore.formFields
    for field in fields { all[field.name] = field.value }
    let response = try await store.ask(
      "/entity/Note/1/deletion",
      method: .post,
      headers: all,
      body: "token=\(token)"
    )
    #expect(response.status == .forbidden)
    #expect(try await !store.page("/").contains("data-review"))
  }

  @Test(
    "A form of another content type is refused",
    arguments: ["text/plain", "multipart/form-data; boundary=x", "application/json", ""]
  )
  func contentType(type: String) async throws {
    let store = try BrowsedStore.written()
    let token = try await store.formToken()
    let fields: HTTPFields = [.cookie: BrowsedStore.cookie, .contentType: type]
    let response = try await store.ask("/edits/save", method: .post, headers: fields, body: "token=\(token)")
    #expect(response.status == .unsupportedMediaType)
  }

  @Test(
    "A form that no browser encodes in this way is refused",
    arguments: ["a=%", "a=%4", "a=%zz", "a=%FF", "%C3=1", "a=%ED%A0%80"]
  )
  func malformed(body: String) async throws {
    let store = try BrowsedStore.written()
    let token = try await store.formToken()
    let response = try await store.ask(
      "/edits/save",
      method: .post,
      headers: BrowsedStore.formFields,
      body: "token=\(token)&\(body)"
    )
    #expect(response.status == .badRequest)
  }

  @Test("A form is decoded byte by byte, with repeated names in order")
  func decoding() throws {
    let form = try FormFields(body: Array("a=1+2&a=%C3%bc%2B&&b&=x&a==%3D".utf8))
    #expect(form.values("a") == ["1 2", "ü+", "=="])
    #expect(form["b"] == "" && form[""] == "x" && form["c"] == nil)
  }

  @Test("A form that declares a size above the limit is refused before it is read")
  func tooLarge() async throws {
    let store = try BrowsedStore.written()
    let head =
      "Host: localhost\r\nCookie: \(BrowsedStore.cookie)\r\n"
      + "Content-Type: application/x-www-form-urlencoded\r\n"
    for (path, length) in [("/edits/save", 1_048_577), ("/seed", 16_777_217), ("/edits/save", 104_857_600)] {
      let answer = try await store.send(
        "POST \(path) HTTP/1.1\r\n\(head)Content-Length: \(length)\r\n\r\nthe beginning"
      )
      #expect(answer.hasPrefix("HTTP/1.1 413"), "\(answer.prefix(80))")
    }
  }

  @Test("A form of undeclared size is read up to the limit only")
  func endless() async throws {
    let head = HTTPRequest(
      method: .post,
      scheme: "http",
      authority: "localhost",
      path: "/edits/save",
      headerFields: [.contentType: "application/x-www-form-urlencoded"]
    )
    let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(repeating: 0x78, count: 1_001)))
    let error = await #expect(throws: HTTPError.self) {
      _ = try await FormRequests.read(request, token: BrowsedStore.token, largest: 1_000)
    }
    #expect(error?.status == .contentTooLarge)
  }

  @Test(
    "A form for a page that accepts none, or by another method, is refused",
    arguments: [HTTPRequest.Method.put, .delete, .patch, .post]
  )
  func methods(method: HTTPRequest.Method) async throws {
    let store = try BrowsedStore.written()
    let token = try await store.formToken()
    let paths = method == .post ? ["/", "/entity/Note", "/entity/Note/1", "/edits"] : ["/", "/edits/save"]
    for path in paths {
      let response = try await store.ask(
        path,
        method: method,
        headers: BrowsedStore.formFields,
        body: "token=\(token)"
      )
      #expect(response.status == .methodNotAllowed, "\(path)")
    }
  }

  @Test("A page sends its address as a referrer to its own server only")
  func referrer() async throws {
    let store = try BrowsedStore.written()
    #expect(try await store.get("/").headers[.named("Referrer-Policy")] == "same-origin")
  }

  @Test(
    "A form that names an unknown object or property gets a page that says so",
    arguments: [
      ("/entity/Nothing/new", HTTPResponse.Status.notFound), ("/entity/Note/77/edit", .notFound),
      ("/entity/Note/new-7/edit", .notFound), ("/entity/Note/0/edit", .notFound),
      ("/entity/Note/1/relate/nothing", .notFound), ("/seed/nothing", .notFound),
      ("/entity/Note/new-7/deletion", .notFound),
    ]
  )
  func nothing(path: String, status: HTTPResponse.Status) async throws {
    let store = try BrowsedStore.written()
    try await store.submit(path, [("do", "set 1 Person")], status: status)
  }

  @Test(
    "A form for an unknown edit is refused",
    arguments: [
      ("author", "", 400), ("author", "explode 1 Person", 400), ("author", "set 1", 400),
      ("author", "set x Person", 400),
      ("author", "set 1 Tag", 422), ("author", "add 1 Person", 422), ("tags", "set 1 Tag", 422),
      ("tags", "earlier 1 Tag", 422), ("author", "set 77 Person", 404), ("author", "set 1 Nothing", 404),
    ]
  )
  func wrongEdit(relationship: String, edit: String, status: Int) async throws {
    let store = try BrowsedStore.written()
    let path = "/entity/Note/1/relate/\(relationship)"
    try await store.submit(path, [("do", edit)], status: .init(code: status))
    #expect(try await !store.page("/").contains("data-review"))
  }
}
