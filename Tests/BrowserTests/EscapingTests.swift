import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import TestModels
import Testing

@testable import Browser

@Suite("Texts of a store")
struct EscapingTests {
  /// Texts that have a meaning for a browser, a parser or a person who reads the page.
  private static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "' onfocus='alert(1)",
    "</title><svg/onload=1>",
    "&lt;b&gt;", "<!--", "]]>", "{{name}}", "{{{name}}}", "{{#rows}}", "\"\u{301} onfocus=alert(1) x=\"",
    "<\u{338}script>", "javascript:alert(1)", "\u{0}<b>", "\u{1B}[31mred", "a\u{202E}gnp.exe",
    "\u{2066}x\u{2069}",
    "\u{200F}עברית", "\u{FEFF}", "\u{85}\u{2028}\u{2029}", "\r\n\r\nSet-Cookie: a=b", "%3Cscript%3E",
    "\\u003cscript>", "'\u{308} onmouseover='alert(1)", "\u{7F}\u{9B}31m",
    "\u{202A}\u{202B}\u{202D}x\u{202C}",
    "\u{2068}\u{61C}\u{200E}x", "&#60;script&#62;", "<\u{200D}script>", "</textarea></bdi></main><script>",
    "--><script>", "\u{FFFE}\u{FFFF}", "\u{E0001}\u{E007F}", "<?php", "{{>frame}}{{&name}}", "{{=<% %>=}}",
    "\\\"><b>", "data:text/html,<script>", "a\u{301}\u{302}\u{303}<b>", "\t\u{B}\u{C}", "`${1}`",
    String(repeating: "<", count: 5_000),
  ]

  /// Marks that only unescaped input can bring into a page.
  private static let marks = [
    "<script>", "<img src=x", "<svg/", "<b>", "onfocus='alert", "\" onfocus", "\"\u{301} on", "\u{1B}",
    "\u{202E}", "\u{2066}",
    "\u{2028}", "\u{0}", "\u{7F}", "\u{9B}", "\u{202A}", "\u{202B}", "\u{202D}", "\u{2068}", "<?php",
    "'\u{308} on", "\u{B}",
  ]

  /// Checks that a page contains none of the marks outside of form values. A form has to return a value unchanged, and a
  /// value has no effect outside of its box.
  private static func check(_ page: String, _ text: String) {
    #expect(!page.isEmpty)
    let bytes = withoutValues(page)
    for mark in marks {
      let place = bytes.range(of: Data(mark.utf8))
      let before = place.map { String(decoding: bytes[..<$0.lowerBound].suffix(80), as: UTF8.self) }
      #expect(
        place == nil,
        "\(mark.debugDescription) of \(text.debugDescription) behind \(before?.debugDescription ?? "")"
      )
    }
  }

  /// The page without the values of its form fields. Searching bytes takes a fraction of the time of searching characters.
  private static func withoutValues(_ page: String) -> Data {
    let start = Data(" value=\"".utf8)
    var (rest, kept) = (Data(page.utf8), Data())
    while let range = rest.range(of: start),
      let end = rest[range.upperBound...].firstIndex(of: UInt8(ascii: "\""))
    {
      kept += rest[..<range.lowerBound]
      rest = rest[(end + 1)...]
    }
    return kept + rest
  }

  @Test("Grids and object pages show a stored text literally", arguments: hostile)
  func values(text: String) async throws {
    let store = try BrowsedStore { context in
      let person = BrowsedStore.insert("Person", ["name": text, "photo": Data(text.utf8)], in: context)
      _ = BrowsedStore.insert("Note", ["title": text, "author": person], in: context)
    }
    for path in [
      "/entity/Person", "/entity/Note", "/entity/Note/1", "/entity/Person/1", "/entity/Note/1/deletion",
      "/entity/Person/1/deletion", "/entity/Note/orphans", "/entity/Note/facet?by=title",
      "/entity/Note/facet?by=author", "/entity/Note/duplicates?by=title", "/entity/Note/filter?by=title",
      "/entity/Note/columns", "/entity/Note/1/value/title/page",
    ] {
      Self.check(try await store.page(path), text)
    }
  }

  @Test("A page shows a text in its address literally", arguments: hostile)
  func addresses(text: String) async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": text], in: $0) }
    let word = PageAddress.encoded(text)
    for path in [
      "/entity/Note?where=\(word)", "/entity/Note?sort=\(word)",
      "/entity/Note?sort=title&after=1&value=t\(word)",
      "/entity/Note?of=\(word)&key=1&owner=\(word)&relationship=\(word)", "/entity/\(word)",
      "/entity/Note/1/value/\(word)", "/entity/Note/1/value/\(word)/page",
      "/entity/Note/1?from=\(word)", "/entity/Note?columns=\(word)", "/entity/Note/columns?columns=\(word)",
      "/entity/Note/filter?by=\(word)", "/entity/Note/filter?by=rating&do=between&least=\(word)",
      "/entity/Note/duplicates?by=\(word)", "/?find=\(word)", "/diagram?find=\(word)", "/link?to=\(word)",
      "/\(word)", "/entity/Note?after=\(word)&value=\(word)",
    ] where path.utf8.count < 20_000 {
      Self.check(String(buffer: try await store.get(path).body), text)
    }
  }

  @Test("Pages show the names of entities and properties literally", arguments: hostile)
  func names(text: String) async throws {
    // Apple's model editor does not allow such names, but a model may come from another source.
    let named = makeEntity(text, makeAttribute(text))
    named.managedObjectClassName = "NSManagedObject"
    let store = try BrowsedStore(type: NSInMemoryStoreType, model: makeModel([named])) { context in
      _ = BrowsedStore.insert(text, [text: text], in: context)
    }
    let place = "/entity/\(PageAddress.encoded(text))"
    for path in [
      "/", "/model", place, "\(place)/1", "\(place)/columns", "\(place)/duplicates",
      "\(place)/filter?by=\(PageAddress.encoded(text))",
    ] {
      Self.check(String(buffer: try await store.get(path).body), text)
    }
  }

  @Test("Pages show names of parents, relationships and inverses literally", arguments: hostile)
  func relatedNames(text: String) async throws {
    let (parent, child) = (
      makeEntity("\(text)1", makeAttribute("name")), makeEntity(text, makeAttribute("title"))
    )
    parent.subentities = [child]
    relate(child, "\(text)2", isToMany: false, parent, "\(text)3", isToMany: true)
    let model = makeModel([parent, child])
    let store = try BrowsedStore(type: NSInMemoryStoreType, model: model) { context in
      let destination = BrowsedStore.insert("\(text)1", in: context)
      _ = BrowsedStore.insert(text, ["\(text)2": destination], in: context)
    }
    let (place, other) = (PageAddress.encoded(text), PageAddress.encoded("\(text)1"))
    for path in [
      "/", "/model", "/diagram", "/diagram.svg", "/diagram?entity=\(place)", "/entity/\(place)",
      "/entity/\(other)", "/entity/\(place)/orphans", "/entity/\(other)/orphans",
      "/entity/\(place)/facet?by=\(PageAddress.encoded("\(text)2"))", "/entity/\(place)/1",
      "/entity/\(other)/1",
      "/entity/\(place)/2", "/entity/\(other)/2", "/entity/\(place)/1/deletion",
      "/entity/\(other)/2/deletion",
    ] where path.utf8.count < 20_000 {
      Self.check(String(buffer: try await store.get(path).body), text)
    }
  }

  @Test("The history shows its texts literally", arguments: hostile)
  func histories(text: String) async throws {
    let store = try BrowsedStore(options: [NSPersistentHistoryTrackingKey: true]) { context in
      context.transactionAuthor = text
      context.name = text
      _ = BrowsedStore.insert("Note", ["title": text], in: context)
    }
    for path in ["/history", "/history?author=\(PageAddress.encoded(text))", "/history/transaction/1"]
    where path.utf8.count < 20_000 {
      Self.check(try await store.page(path), text)
    }
  }

  @Test("A text that is sent unchanged has no other content type", arguments: hostile)
  func files(text: String) async throws {
    let store = try BrowsedStore { context in
      _ = BrowsedStore.insert("Person", ["name": text, "photo": Data(text.utf8)], in: context)
    }
    for path in [
      "/entity/Person/1/value/name", "/entity/Person/1/value/photo", "/entity/Person/export.csv",
      "/entity/Person/export.json",
    ] {
      let response = try await store.get(path)
      #expect(response.headers[.xContentTypeOptions] == "nosniff")
      #expect(response.headers[.contentSecurityPolicy]?.hasPrefix("default-src '") == true)
      let type = try #require(response.headers[.contentType])
      #expect(
        !type.contains("html") && !type.contains("svg") && !type.contains("xml") && !type.contains("script")
      )
      let isSandboxed = response.headers[.contentSecurityPolicy]?.hasSuffix("sandbox") == true
      let isPlainText = type == "text/plain; charset=utf-8" && isSandboxed
      let isSaved = response.headers[.contentDisposition]?.hasPrefix("attachment") == true
      #expect(path.hasSuffix("/name") ? isPlainText : isSaved, "\(path)")
      #expect(response.headers[.setCookie] == nil)
    }
  }

  @Test("Escaping goes by Unicode scalars, not by the characters that a reader sees")
  func escaping() {
    #expect(EscapedText("\"\u{301}<\u{338}&'>").renderText == "&quot;\u{301}&lt;\u{338}&amp;&#39;&gt;")
    #expect(EscapedText("plain ü").renderText == "plain ü")
    #expect(EscapedText("\u{0}").renderText == "\u{FFFD}")
  }

  @Test("Pages show the names of stores, moments and seeds literally", arguments: hostile)
  func comparisons(text: String) async throws {
    let identifier = UUID()
    func fill(_ text: String, _ context: NSManagedObjectContext) {
      _ = BrowsedStore.insert("Note", ["identifier": identifier, "title": text], in: context)
      _ = BrowsedStore.insert("Tag", ["name": text], in: context)
    }
    let other = try BrowsedStore { fill("other", $0) }
    var counterparts = StoreBrowser.Counterparts()
    counterparts.store = .init(other.coordinator, name: text)
    counterparts.model = .init(other.coordinator.managedObjectModel, name: text)
    let store = try BrowsedStore(options: [NSPersistentHistoryTrackingKey: true], counterparts: counterparts) {
      fill(text, $0)
    }
    _ = try await store.get("/comparison/start?after=0")
    while try await store.page("/comparison").contains("data-progress") {}
    for path in [
      "/comparison", "/comparison/entity/Note?way=different", "/comparison/entity/Tag?way=here",
      "/comparison/entity/Note/object?here=1&there=1", "/comparison/entity/Tag/object?there=1",
      "/model", "/model/difference", "/history/difference", "/entity/Note/seed",
    ] {
      Self.check(try await store.page(path), text)
    }
    for path in ["/comparison/entity/Note?way=", "/history/difference?from=", "/entity/Note/seed?where="] {
      let address = path + PageAddress.encoded(text)
      guard address.utf8.count < 20_000 else { continue }
      Self.check(String(buffer: try await store.get(address).body), text)
    }
  }
}
