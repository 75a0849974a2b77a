import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@Suite("Saved rows")
struct ExportTests {
  private static func fill(_ context: NSManagedObjectContext) {
    for (number, title) in ["=1+1", "two, \"three\"", "line\nbreak", "\u{202E}turned", ""].enumerated() {
      let values: [String: Any?] = ["title": title, "rating": number, "isPinned": number == 1]
      _ = BrowsedStore.insert("Note", values, in: context)
    }
  }

  @Test("Saved rows in CSV contain no spreadsheet formulas")
  func csv() async throws {
    let store = try BrowsedStore(Self.fill)
    let response = try await store.get("/entity/Note/export.csv?sort=rating")
    #expect(response.headers[.contentDisposition] == "attachment; filename=\"Note.csv\"")
    let lines = String(buffer: response.body).components(separatedBy: "\n")
    #expect(lines[0] == "key,title,createdAt,identifier,isPinned,price,rating,weight,author,tags")
    #expect(lines[1].contains(",'=1+1,,,false,"))
    #expect(lines[2].contains("\"two, \"\"three\"\"\""))
    // One text contains a line break, so the rows span 8 lines.
    #expect(lines.count == 8)
  }

  @Test("Saved rows in JSON are read back unchanged")
  func json() async throws {
    let store = try BrowsedStore(Self.fill)
    let response = try await store.get("/entity/Note/export.json?sort=rating")
    let rows = try #require(
      try JSONSerialization.jsonObject(with: Data(response.body.readableBytesView)) as? [[String: Any]]
    )
    #expect(
      rows.map { $0["title"] as? String } == ["=1+1", "two, \"three\"", "line\nbreak", "\u{202E}turned", ""]
    )
    #expect(rows.map { $0["isPinned"] as? Bool } == [false, true, false, false, false])
    #expect(!String(buffer: response.body).unicodeScalars.contains("\u{202E}"))
  }

  @Test("Saved rows include all pages of the predicate's objects")
  func allPages() async throws {
    let store = try BrowsedStore { context in
      for number in 0..<2_345 { _ = BrowsedStore.insert("Note", ["rating": number % 7], in: context) }
    }
    let text = String(
      buffer: try await store.get("/entity/Note/export.csv?where=rating+%3C+6&sort=rating").body
    )
    let matches = 2_345 - 335
    #expect(text.components(separatedBy: "\n").count == matches + 2)
    let empty = try await store.get("/entity/Tag/export.json")
    #expect(String(buffer: empty.body) == "[]\n")
  }

  @Test("Saving rows with an invalid predicate shows the error on a page")
  func wrong() async throws {
    let store = try BrowsedStore(Self.fill)
    #expect(try await store.get("/entity/Note/export.csv?where=nothing+%3D%3D+1").status == .badRequest)
  }
}
