import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@testable import Browser

@Suite("Texts in forms")
struct WritingTextTests {
  private static let hostile = [
    "<script>alert(1)</script>", "\"><img src=x onerror=alert(1)>", "</textarea><script>alert(1)</script>",
    "' onfocus='alert(1)", "</title><svg/onload=1>", "{{formToken}}", "{{{formToken}}}", "{{#fields}}",
    "\"\u{301} onfocus=alert(1) x=\"", "<\u{338}script>", "\u{1B}[31mred", "\u{200F}עברית", "\n\nlines\n",
    "a\r\nb", "%3Cscript%3E", "&lt;b&gt;", "set 1 Person",
  ]
  private static let marks = [
    "<script>alert", "<img src=x", "<svg", "onfocus='alert", "\"\u{301} on", "\" onfocus",
  ]

  private static func check(_ page: String, _ text: String) {
    // Texts in quoted attributes are escaped too, but may contain marks that have no meaning there.
    let scalars = page.replacing(
      /\ (value|title|aria-label)="[^"]*"/.matchingSemantics(.unicodeScalar),
      with: ""
    )
    .unicodeScalars
    for mark in marks {
      #expect(scalars.firstRange(of: mark.unicodeScalars) == nil, "\(mark) of \(text.debugDescription)")
    }
  }

  @Test("Every writing page shows texts of a store and of a user literally", arguments: hostile)
  func texts(text: String) async throws {
    let store = try BrowsedStore.written()
    let title = try await store.field("title")
    let rating = try await store.field("rating")
    try await store.submit("/entity/Note/1/edit", [("text.\(title)", text)])
    let name = try await store.field("name", at: "/entity/Person/new")
    try await store.submit("/entity/Person/new", [("text.\(name)", text)])
    for path in [
      "/entity/Note/1/edit", "/entity/Note/1", "/entity/Note/1/relate/author", "/entity/Person/new-1/edit",
      "/edits",
      "/entity/Note/1/relate/author?search=\(PageAddress.encoded(text))", "/",
    ] { Self.check(try await store.page(path), text) }
    let wrong = try await store.submit(
      "/entity/Note/1/edit",
      [("text.\(rating)", text), ("text.\(title)", text)],
      status: .unprocessableContent
    )
    Self.check(String(buffer: wrong.body), text)
    let seed = try await store.submit("/seed", [("seed", text)], status: .conflict)
    Self.check(String(buffer: seed.body), text)
    try store.change(by: text) { $0.setValue(text + "theirs", forKey: "title") }
    try await store.submit("/edits/save")
    Self.check(try await store.page("/edits/conflicts"), text)
  }

  @Test("Texts that were not edited stay unchanged, whatever they contain", arguments: hostile)
  func untouched(text: String) async throws {
    let store = try BrowsedStore(allowsWriting: true) {
      _ = BrowsedStore.insert("Note", ["title": text], in: $0)
    }
    let (title, rating) = (try await store.field("title"), try await store.field("rating"))
    let page = try await store.page("/entity/Note/1/edit")
    let stamp = try #require(
      page.firstMatch(of: try Regex("name=\"stamp\\.\(title)\" value=\"([0-9a-f]+)\""))
    )
    // A browser ends the lines of a text box with CR LF.
    let sent = text.replacing("\r\n", with: "\n").replacing("\n", with: "\r\n")
    try await store.submit(
      "/entity/Note/1/edit",
      [
        ("text.\(title)", sent), ("stamp.\(title)", String(stamp.output[1].substring ?? "")),
        ("text.\(rating)", "4"),
      ]
    )
    try await store.submit("/edits/save")
    #expect(try store.stored("Note", "title") == text)
    #expect(try store.stored("Note", "rating") == "4")
  }
}
