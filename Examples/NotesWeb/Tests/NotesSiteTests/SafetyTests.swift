import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTP1
import NotesSite
import Testing

@Suite("What other sites and strangers send")
struct SafetyTests {
  private static let fetchSite = HTTPField.Name("Sec-Fetch-Site")!
  private static let fetchMode = HTTPField.Name("Sec-Fetch-Mode")!

  @Test("every answer says what browsers may do with it", arguments: ["/", "/nowhere", "/assets/site.css"])
  func headers(uri: String) async throws {
    let headers = try await SiteServer().get(uri).headers
    let policy = try #require(headers[.contentSecurityPolicy])
    #expect(policy.hasPrefix("default-src 'self';") && policy.contains("frame-ancestors 'none'"))
    #expect(!policy.contains("unsafe"))
    #expect(headers[.xContentTypeOptions] == "nosniff")
    #expect(headers[HTTPField.Name("Cross-Origin-Resource-Policy")!] == "same-origin")
    #expect(headers[.accessControlAllowOrigin] == nil)
  }

  @Test("pages have no script, style or handler in their markup, which the policy would not run")
  func noInlineCode() async throws {
    let server = try await SiteServer()
    let note = try #require(try await server.note(titled: "The ash is late"))
    for uri in ["/", "/notes/new", "/notes/\(note.id)", "/notes/\(note.id)/edit", "/nowhere"] {
      let text = try await server.get(uri).text
      #expect(!text.contains("<script>") && !text.contains("style=") && !text.contains(/<[^>]* on\w+=/))
      #expect(!text.contains("<style"))
    }
  }

  @Test(
    "a foreign Host is refused, which is how a foreign name that leads here shows",
    arguments: [
      ("evil.example", 421), ("evil.example:80", 421), ("127.0.0.1.evil.example", 421),
      ("localhost.evil.example:8080", 421), ("127.0.0.1:x", 421), ("127.0.0.1@evil.example", 421),
      ("[::1].evil.example", 421), ("10.0.0.1", 421), ("127.0.0.1:8080", 200), ("localhost", 200),
      ("[::1]:99", 200),
    ]
  )
  func foreignHost(host: String, status: UInt) async throws {
    let server = try await SiteServer()
    try await ServedSite.serve(server) { site in
      try await StreamedResponse.get("/", host: host, port: site.port) { answer in
        #expect(answer.status.code == status)
        let text = try await answer.text()
        #expect(text.contains("The ash is late") == (status == 200))
      }
    }
  }

  @Test(
    "a form of another site does nothing, though it has the token",
    arguments: [
      (origin: "http://evil.example", site: nil), ("null", nil), ("https://localhost", nil),
      ("http://localhost:1", nil), (nil, "cross-site"), (nil, "same-site"), (nil, "none"),
      ("http://localhost", "cross-site"),
    ] as [(origin: String?, site: String?)]
  )
  func foreignForm(origin: String?, site: String?) async throws {
    let server = try await SiteServer()
    var headers: HTTPFields = [:]
    headers[.origin] = origin
    headers[Self.fetchSite] = site
    let note = try #require(try await server.note(titled: "The ash is late"))
    for (uri, fields) in [
      ("/notes", SiteServer.fields()), ("/notes/\(note.id)", SiteServer.fields(revision: note.revision)),
      ("/notes/\(note.id)/delete", [("revision", note.revision)]), ("/undo/x", []),
    ] {
      #expect(try await server.post(uri, fields, headers: headers).status == .forbidden)
    }
    #expect(try await server.store.notes(NoteQuery()).total == 36)
    #expect(try await server.store.note(note.id) == note)
  }

  @Test("a form of the site's own page is taken")
  func ownForm() async throws {
    let server = try await SiteServer()
    let headers: HTTPFields = [.origin: "http://localhost", Self.fetchSite: "same-origin"]
    #expect(try await server.post("/notes", SiteServer.fields(), headers: headers).status == .seeOther)
  }

  @Test(
    "a form without this server's token does nothing, and what was written can be saved once more",
    arguments: ["", "x", "0000000000000000000000000000000000000000000000000000"]
  )
  func noToken(token: String) async throws {
    let server = try await SiteServer()
    let note = try #require(try await server.note(titled: "The ash is late"))
    let form = try await server.post("/notes", SiteServer.fields("Written"), token: token)
    #expect(form.status == .forbidden && form.text.contains(#"value="Written""#))
    #expect(form.text.contains("name=\"token\" value=\"\(server.site.token.text)\""))
    let edit = try await server.post(
      "/notes/\(note.id)",
      SiteServer.fields(revision: note.revision),
      token: token
    )
    #expect(edit.status == .forbidden)
    let deletion = try await server.post(
      "/notes/\(note.id)/delete",
      [("revision", note.revision)],
      token: token
    )
    #expect(deletion.status == .forbidden)
    let undo = try #require(try await server.delete(titled: "Field maple turns to butter"))
    #expect(try await server.post(undo, token: token).status == .forbidden)
    #expect(try await server.store.notes(NoteQuery()).total == 35)
    #expect(try await server.store.note(note.id) == note)
    // The page that made the change can still undo it.
    #expect(try await server.post(undo).location?.hasPrefix("/notes/") == true)
  }

  @Test("other sites may lead here, and may not fetch or embed anything")
  func embedding() async throws {
    let server = try await SiteServer()
    for mode in ["cors", "no-cors"] {
      let headers: HTTPFields = [Self.fetchSite: "cross-site", Self.fetchMode: mode]
      #expect(try await server.get("/", headers: headers).status == .forbidden)
    }
    let link: HTTPFields = [Self.fetchSite: "cross-site", Self.fetchMode: "navigate"]
    #expect(try await server.get("/", headers: link).status == .ok)
  }

  static let hostileTexts = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onfocus='alert(1)' autofocus='",
    "</textarea><script>alert(1)</script>", "</title><script>alert(1)</script>", "<!--", "]]>", "&lt;b&gt;",
    "\"\u{301} onfocus=alert(1) autofocus x=\"", "<\u{338}script>", "'\u{200D} onclick='x", "<\u{FE0F}b>",
    "{{title}}", "{{{title}}}", "{{> page}}", "javascript:alert(1)", "\u{202E}gnp.evil", "a\u{2066}b\u{2069}",
    "\u{85}\u{9B}x", "%3Cscript%3E", "x'; DROP TABLE ZNOTE; --", "%@ %s %n",
  ]

  @Test("markup, quotes and marks in a note are text on every page", arguments: hostileTexts)
  func markup(text: String) async throws {
    let server = try await SiteServer()
    let tag = text.replacing(",", with: "")
    let answer = try await server.post(
      "/notes",
      SiteServer.fields("T\(text)", contents: text, others: tag)
    )
    let note = try #require(try await server.note(titled: NoteDraft.cleaned("T\(text)")))
    let address = "/notes/\(note.id)"
    try await server.post("\(address)", SiteServer.fields("Other", revision: note.revision))
    let changed = try await server.store.note(note.id)
    try await server.post(
      address,
      SiteServer.fields("T\(text)", contents: text, others: tag, revision: changed.revision)
    )
    let query = SiteServer.body([("q", text)])
    let tagQuery = SiteServer.body([("tag", note.tags.first ?? ""), ("category", text)])
    var pages: [TestResponse] = []
    for uri in [
      "/", try #require(answer.location), address, "\(address)/edit", "/?\(query)", "/?\(tagQuery)",
      "/notes/new?\(tagQuery)", "\(address)?\(query)",
    ] {
      pages.append(try await server.get(uri))
    }
    // Refused forms and conflicts also show the written text.
    pages.append(
      try await server.post("/notes", SiteServer.fields(text, contents: text, day: text, category: text))
    )
    pages.append(
      try await server.post(address, SiteServer.fields(text, contents: text, others: text, revision: text))
    )
    for page in pages {
      #expect(page.status.code < 500)
      let scalars = Array(page.text.unicodeScalars)
      for markup in ["<script>", "<img", "<b>", "<!--", "onerror=alert(1)>", "</textarea><"] {
        #expect(!page.text.unicodeScalars.contains(markup.unicodeScalars))
      }
      // The characters after an attribute's quotation mark come from the templates.
      for index in scalars.indices where scalars[index] == "\"" || scalars[index] == "<" {
        guard index + 1 < scalars.count else { continue }
        let next = scalars[index + 1]
        #expect(next.isASCII || scalars[index] == "\"" && index > 0 && scalars[index - 1] == "=")
      }
    }
    #expect(try await server.store.note(note.id).contents == NoteDraft.cleaned(text))
  }

  @Test(
    "no path leads out of the three assets, and no name to anything but a note",
    arguments: [
      "/assets/../Package.swift", "/assets/..%2f..%2fPackage.swift", "/assets/%2e%2e/seed.json",
      "/assets//etc/passwd", "/assets/site.css%00.html", "/assets/page.mustache", "/assets/", "/notes/p0",
      "/notes/p-1", "/notes/p99999999999999999999", "/notes/1", "/notes/x", "/notes/%00",
      "/notes/p1%2Fdelete",
      "/notes/../health2", "/Notes.momd", "/notes/p999999", "/notes/t1", "/notes/p1%0d%0aX-A:%20b",
      "/notes/p¹",
    ]
  )
  func paths(uri: String) async throws {
    let answer = try await SiteServer().get(uri)
    #expect(answer.status == .notFound)
    #expect(answer.headers[.contentType]?.hasPrefix("text/html") == true)
  }

  @Test("a body that is longer than any form is refused, and the next request is answered")
  func longBody() async throws {
    let server = try await SiteServer()
    let text = String(repeating: "a", count: 700_000)
    #expect(try await server.post("/notes", SiteServer.fields(contents: text)).status == .contentTooLarge)
    #expect(try await server.get("/").status == .ok)
  }

  @Test(
    "a body that is not a form of a note is refused as such",
    arguments: [
      "title=%ZZ", "title=a&title=b", "title[a]=b", "tags[a]=b", "tags[7]=b", "\u{0}", "[[[[=", "tags[][]=x",
      "{}",
    ]
  )
  func noForm(body: String) async throws {
    let server = try await SiteServer()
    let answer = try await server.send(.post, "/notes", [:], body)
    #expect(answer.status == .badRequest || answer.status == .forbidden)
    #expect(try await server.store.notes(NoteQuery()).total == 36)
  }

  @Test("a page that was opened tells its address to no other site")
  func referrer() async throws {
    let headers = try await SiteServer().get("/?q=secret").headers
    #expect(headers[HTTPField.Name("Referrer-Policy")!] == "same-origin")
  }
}

extension NoteDraft {
  /// The text after cleaning, as the form's contents.
  static func cleaned(_ text: String) -> String {
    var draft = NoteDraft()
    draft.contents = text
    return draft.cleaned.contents
  }
}
