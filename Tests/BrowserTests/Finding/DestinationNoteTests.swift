import CoreData
import HTTPTestClient
import TestModels
import Testing

@testable import Browser

@Suite("The notes after the names of destinations in a grid")
struct DestinationNoteTests {
  /// A store with notes by two authors.
  ///
  /// - Parameter names: the authors' names, in the order of their keys.
  private static func store(_ names: [String]) throws -> BrowsedStore {
    try BrowsedStore { context in
      let people = names.map { BrowsedStore.insert("Person", ["name": $0], in: context) }
      for person in people { try context.obtainPermanentIDs(for: [person]) }
      // Each author has three notes, so that the same destination appears in several rows.
      for number in 0..<(3 * people.count) {
        let author = people[number % people.count]
        _ = BrowsedStore.insert("Note", ["title": "Note \(number)", "author": author], in: context)
      }
    }
  }

  /// The cells that link to a person: the name, and the note after it.
  private static func cells(_ page: String) -> [String] {
    page.matches(
      of:
        /<a href="\/entity\/Person\/([0-9]+)"><bdi>([^<]*)<\/bdi><\/a>(?: <span class="note"><bdi>([^<]*)<\/bdi>)?/
    )
    .map { "\($0.output.2)|\($0.output.3 ?? "")|\($0.output.1)" }
  }

  @Test("Rows with destinations of different names show the names alone, also where rows share a destination")
  func unique() async throws {
    let cells = Self.cells(try await Self.store(["Ada", "Grace"]).page("/entity/Note"))
    #expect(cells.count == 6)
    #expect(Set(cells) == ["Ada||1", "Grace||2"])
  }

  @Test("Different destinations of one name show their keys, and a destination of another name does not")
  func shared() async throws {
    let cells = Self.cells(try await Self.store(["Ada", "Ada", "Grace"]).page("/entity/Note"))
    #expect(cells.count == 9)
    #expect(Set(cells) == ["Ada|1|1", "Ada|2|2", "Grace||3"])
  }

  @Test("A second value follows the key where destinations of one name have one")
  func secondValue() async throws {
    let note = makeEntity("Note", makeAttribute("title"), makeAttribute("rating", .integer32AttributeType))
    let file = makeEntity("File", makeAttribute("path"))
    relate(note, "files", isToMany: true, file, "note", isToMany: false)
    let store = try BrowsedStore(model: makeModel([note, file])) { context in
      for rating in [7, 8] {
        let note = BrowsedStore.insert("Note", ["title": "Lisbon", "rating": rating], in: context)
        _ = BrowsedStore.insert("File", ["path": "\(rating).txt", "note": note], in: context)
      }
    }
    let key = try await store.key(of: "Note", where: "rating == 8")
    let page = try await store.page("/entity/File")
    #expect(page.contains("<bdi>Lisbon</bdi></a> <span class=\"note\"><bdi>\(key) · 8</bdi></span>"))
  }

  @Test("A destination of the same name on another page of the grid adds no note")
  func otherPage() async throws {
    let store = try BrowsedStore { context in
      let people = ["Ada", "Ada"].map { BrowsedStore.insert("Person", ["name": $0], in: context) }
      for number in 0..<100 {
        let author = people[number / 50]
        _ = BrowsedStore.insert("Note", ["rating": number, "author": author], in: context)
      }
    }
    let cells = Self.cells(try await store.page("/entity/Note?sort=rating"))
    #expect(cells.count == 50 && cells.allSatisfy { $0.hasPrefix("Ada||") })
  }
}
