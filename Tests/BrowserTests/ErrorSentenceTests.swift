import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@testable import Browser

@Suite("The sentences of errors")
struct ErrorSentenceTests {
  @Test(
    "The text of an error becomes a sentence, and a name at its beginning keeps its spelling",
    arguments: [
      ("the store has no Note with the key 7; look for it", "The store has no Note with the key 7; look for it."),
      ("write a whole number, such as 1", "Write a whole number, such as 1."),
      ("Write a date.", "Write a date."), ("is that so?", "Is that so?"), ("cut in the mid...", "Cut in the mid..."),
      ("title cannot be sorted", "title cannot be sorted."), ("note.title is text", "note.title is text."),
      ("notes: the key is unknown", "notes: the key is unknown."), ("createdAt is a date", "createdAt is a date."),
      ("/tmp/a.sqlite was opened to be read only", "/tmp/a.sqlite was opened to be read only."),
      ("\"2024\" is not a date; write \"2024-10-01\"", "\"2024\" is not a date; write \"2024-10-01\"."),
      ("done. again", "Done. again."), ("", ""),
    ]
  )
  func sentence(_ text: String, expected: String) {
    #expect(ErrorSentence.text(text) { $0 == "title" } == expected)
  }

  /// The texts in the paragraphs and lines of a page that show an error.
  private static func problems(_ page: String) -> [String] {
    page.matches(of: /class="(?:problem|bad|empty)[ "][^>]*>\s*(?:<(?:p|bdi|span)>)?([^<]+)</)
      .map { String($0.output.1) }
  }

  @Test(
    "Every page shows an error as a sentence",
    arguments: [
      "/entity/Nothing", "/entity/Note/77", "/entity/Note/77/deletion", "/entity/Note/77/seed", "/nothing",
      "/entity/Note?where=title", "/entity/Note?where=titel+%3D%3D+1", "/entity/Note?sort=author",
      "/entity/Note/filter?by=rating&do=between&least=many", "/entity/Note/filter?by=nothing",
      "/entity/Note/facet?by=nothing", "/history?since=odd", "/model/difference", "/comparison/entity/Note",
    ]
  )
  func pages(_ path: String) async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Note", ["title": "Milk"], in: $0) }
    let page = String(buffer: try await store.get(path).body)
    let problems = Self.problems(page)
    #expect(!problems.isEmpty)
    for problem in problems {
      #expect(problem.first?.isLowercase == false && problem.hasSuffix("."), "\(problem)")
    }
  }

  @Test("A problem of a pasted seed and a refused form are sentences")
  func forms() async throws {
    let store = try BrowsedStore.written()
    let response = try await store.submit(
      "/seed",
      [("seed", #"{"nothing": []}"#)],
      status: .unprocessableContent
    )
    let text = try #require(String(buffer: response.body).firstMatch(of: /data-summary><bdi>([^<]*)</)?.output.1)
    #expect(text.hasSuffix(".") && !text.hasSuffix(".."))
  }
}
