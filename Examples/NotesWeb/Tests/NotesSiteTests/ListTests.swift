import Foundation
import HTTPTypes
import Hummingbird
import NotesSite
import Testing

@Suite("The list of notes")
struct ListTests {
  /// The titles on a page, in their order.
  private func titles(_ response: TestResponse) -> [String] {
    response.text.matches(of: /id="row-p\d+"[^>]*>([^<]*)</).map { String($0.1) }
  }

  @Test("has the notes of the seed by month, the newest first, with the colours of their categories")
  func seeded() async throws {
    let answer = try await SiteServer().get("/")
    #expect(answer.status == .ok)
    #expect(answer.headers[.contentType] == "text/html; charset=utf-8")
    let titles = titles(answer)
    #expect(titles.count == 36)
    #expect(titles.first == "Holly is armed where deer can reach")
    #expect(titles.last == "A hazel catkin is all pollen")
    let months = answer.text.matches(of: /<h2>(\w+ 20\d\d)<\/h2>/).map { String($0.1) }
    #expect(months.first == "December 2024" && months.last == "January 2024" && months.count == 12)
    #expect(answer.text.contains(##"fill="#4E6B2F""##))
  }

  @Test("counts all notes, and those of each category and tag")
  func counts() async throws {
    let server = try await SiteServer()
    let list = try await server.store.notes(NoteQuery())
    #expect(list.total == 36 && list.count == 36)
    #expect(list.categories.map(\.name) == ["Birds", "Climbers", "Herbs", "Insects", "Shrubs", "Trees"])
    #expect(list.categories.map(\.noteCount) == [4, 6, 7, 5, 9, 5])
    #expect(list.tags.map(\.name).contains("Poisonous"))
    for tag in list.tags {
      let found = try await server.store.notes(NoteQuery(tag: tag.name))
      #expect(found.count == tag.noteCount)
    }
  }

  @Test(
    "a search finds the notes that have each word in their text or as a tag, whatever the case",
    arguments: [
      ("?q=WASP", 2), ("?q=edible+frost", 1), ("?q=wasp+whale", 0), ("?category=Trees", 5),
      ("?category=Trees&tag=Edible", 2), ("?tag=Edible&q=apple", 1), ("?category=Fish", 0), ("?q=%25", 0),
      ("?q=%FF", 0), ("?q=%00", 0),
      ("?q=%27+OR+1%3D1", 0),
    ]
  )
  func search(query: String, count: Int) async throws {
    let answer = try await SiteServer().get("/" + query)
    #expect(answer.status == .ok)
    #expect(titles(answer).count == count)
    #expect(answer.text.contains("id=\"list-count\">\(count) note"))
  }

  @Test("links keep what was looked for")
  func links() async throws {
    let answer = try await SiteServer().get("/?q=frost&tag=Edible")
    let title = try #require(answer.text.firstMatch(of: /href="(\/notes\/p\d+\?[^"]*)"/))
    #expect(
      title.1 == "/notes/\(title.1.split(separator: "/")[1].prefix { $0 != "?" })?q=frost&amp;tag=Edible"
    )
    #expect(answer.text.contains(#"<input type="hidden" name="tag" value="Edible">"#))
  }

  @Test("of many notes has a page at a time")
  func pages() async throws {
    let notes = (1...120).map { #"{"title": "n\#($0)", "createdAt": "2024-01-01", "category": "Trees"}"# }
    let server = try await SiteServer.with(notes.joined(separator: ","))
    var found: Set<String> = []
    for (page, count) in [(1, 50), (2, 50), (3, 20), (4, 0)] {
      let answer = try await server.get("/?page=\(page)")
      let titles = titles(answer)
      #expect(titles.count == count)
      found.formUnion(titles)
      #expect(answer.text.contains("rel=\"next\"") == (page < 3))
      #expect(answer.text.contains("rel=\"prev\"") == (page > 1))
    }
    #expect(found.count == 120)
  }

  @Test(
    "what is not a query is a bad request that says so, and never an error of the server",
    arguments: ["page=x", "q=a&q=b", "page=", "page=99999999999999999999"]
  )
  func badQueries(query: String) async throws {
    let answer = try await SiteServer().get("/?" + query)
    #expect(answer.status == .badRequest)
    #expect(answer.text.contains("<h1>That was not understood</h1>"))
  }

  @Test("any number of a page is answered", arguments: ["0", "-7", "1000000", "9223372036854775807"])
  func extremes(page: String) async throws {
    #expect(try await SiteServer().get("/?page=" + page).status == .ok)
  }

  @Test("says so when there are none")
  func empty() async throws {
    let server = try await SiteServer(isSeeded: false)
    #expect(try await server.get("/").text.contains("Nothing is written here yet."))
    let seeded = try await SiteServer()
    #expect(try await seeded.get("/?q=whale").text.contains("No note is like that."))
  }

  @Test("a note that another program left without a day or a category is there, too")
  func sparse() async throws {
    let server = try await SiteServer.with(#"{"title": "bare"}"#)
    let list = try await server.get("/").text
    #expect(list.contains("Without a day") && list.contains(">bare<"))
    let note = try #require(try await server.note(titled: "bare"))
    #expect(try await server.get("/notes/\(note.id)").text.contains("Nothing more was written."))
    #expect(try await server.get("/notes/\(note.id)/edit").status == .ok)
  }
}
