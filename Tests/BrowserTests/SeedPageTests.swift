import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import Seeding
import TestModels
import TestSupport
import Testing

@testable import Browser

@Suite("Rows as a seed")
struct SeedPageTests {
  private static func fill(_ context: NSManagedObjectContext) {
    let people = ["Ada", "Bob"].map {
      BrowsedStore.insert("Person", ["name": $0, "photo": Data([1])], in: context)
    }
    let tags = ["red", "green", "\u{202E}<b>"].map { BrowsedStore.insert("Tag", ["name": $0], in: context) }
    for number in 0..<12 {
      let values: [String: Any?] = [
        "title": number == 3 ? nil : "Note \(number % 5) \"'<", "rating": number,
        "weight": Double(number) / 3,
        "price": NSDecimalNumber(string: "1.10"), "createdAt": Date(timeIntervalSinceReferenceDate: 5.25),
        "isPinned": number % 2 == 0, "identifier": UUID(),
        "author": number % 3 == 0 ? nil : people[number % 2],
        "tags": Set(tags.prefix(number % 4)),
      ]
      _ = BrowsedStore.insert("Note", values, in: context)
    }
  }

  /// The objects of a store with their values, in an order that does not depend on their keys.
  private static func lines(_ store: BrowsedStore, _ predicate: String) throws -> [String] {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = store.coordinator
    return try context.performAndWait {
      let request = NSFetchRequest<NSManagedObject>(entityName: "Note")
      request.predicate = NSPredicate(format: predicate)
      return try context.fetch(request).map { note in
        let values = note.entity.attributesByName.keys.sorted().map { "\(note.value(forKey: $0) ?? "none")" }
        let author = note.value(forKey: "author") as? NSManagedObject
        let tags = (note.value(forKey: "tags") as? Set<NSManagedObject>) ?? []
        let photo = author?.value(forKey: "photo") as? Data
        return values.joined(separator: "|")
          + " \(author?.value(forKey: "name") ?? "none") \(photo?.count ?? 0) "
          + tags.map { "\($0.value(forKey: "name") ?? "none")" }.sorted().joined(separator: ",")
      }
      .sorted()
    }
  }

  @Test("Pages with seeds say what a seed is")
  func explanation() async throws {
    let store = try BrowsedStore.written()
    for path in ["/entity/Note/seed", "/entity/Note/1/seed", "/seed"] {
      #expect(try await store.page(path).contains("A seed is a JSON file of objects."), "\(path)")
    }
    for path in ["/", "/entity/Note", "/entity/Note/1"] {
      let page = try await store.page(path)
      #expect(page.firstMatch(of: /seed[ …]*<\/a> <span class="note">[^<]*file/) != nil, "\(path)")
    }
  }

  @Test(
    "Rows saved as a seed load into a new store as the same objects",
    arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType],
    [("TRUEPREDICATE", 12), ("rating < 5", 5), ("rating == 3", 1)]
  )
  func roundTrip(type: String, selection: (predicate: String, count: Int)) async throws {
    let store = try BrowsedStore(type: type, Self.fill)
    let query = "where=" + PageAddress.encoded(selection.predicate)
    let page = try await store.page("/entity/Note/seed?\(query)")
    #expect(page.contains("<strong>\(selection.count)</strong> <bdi>Note</bdi>"))
    #expect(page.contains("/entity/Note/export.seed.json?where="))
    let file = try await store.get("/entity/Note/export.seed.json?\(query)")
    #expect(file.headers[.contentDisposition] == "attachment; filename=\"Note.seed.json\"")
    let fresh = try BrowsedStore()
    let seed = SeedSource.data(Data(file.body.readableBytesView), name: "Note.seed.json")
    _ = try Seeder(seed).runAndWait(in: fresh.coordinator)
    let (own, loaded) = (
      try Self.lines(store, selection.predicate), try Self.lines(fresh, "TRUEPREDICATE")
    )
    #expect(own == loaded && own.count == selection.count)
  }

  @Test("In a relationship's grid, the seed has the relationship's objects")
  func scope() async throws {
    let store = try BrowsedStore { context in
      let people = ["Ada", "Bob"].map { BrowsedStore.insert("Person", ["name": $0], in: context) }
      for number in 0..<5 {
        _ = BrowsedStore.insert("Note", ["title": "\(number)", "author": people[number % 2]], in: context)
      }
    }
    let grid = try await store.page("/entity/Person")
    let row = try #require(grid.components(separatedBy: "<tr data-row>").first { $0.contains("<bdi>Ada<") })
    let link = try #require(row.firstMatch(of: /<td class="number"><a href="([^"]*)"/))
    let notes = try await store.page(String(link.output.1.replacing("&amp;", with: "&")))
    let seed = try #require(notes.firstMatch(of: /<a href="([^"]*)">seed …</))
    let page = try await store.page(String(seed.output.1.replacing("&amp;", with: "&")))
    #expect(page.contains("<strong>3</strong> <bdi>Note</bdi>"))
    #expect(page.contains("<strong>1</strong> <bdi>Person</bdi>"))
  }

  @Test("An object's page offers seeds with keys, with owned objects and with required ones, and counts each")
  func reaches() async throws {
    let store = try BrowsedStore(model: Self.owners) { context in
      let shelf = BrowsedStore.insert("Shelf", ["name": "Top"], in: context)
      let book = BrowsedStore.insert("Book", ["title": "One", "shelf": shelf], in: context)
      for text in ["a", "b"] { _ = BrowsedStore.insert("Page", ["text": text, "book": book], in: context) }
    }
    #expect(try await store.page("/entity/Book/1").contains("href=\"/entity/Book/1/seed\""))
    let start = try await store.page("/entity/Book/1/seed")
    #expect(start.contains("<strong>This object, with references as keys</strong>: 1 object."))
    #expect(start.contains("With what it owns</a>: 3 objects."))
    #expect(start.contains("With everything that it needs</a>: 4 objects."))
    for (name, count) in [("owned", 3), ("needed", 4), ("keys", 1)] {
      let page = try await store.page("/entity/Book/1/seed?with=\(name)")
      let address = "/entity/Book/1/export.seed.json?with=\(name)"
      #expect(page.contains("href=\"\(address)\""))
      let file = try await store.get(address)
      let seed = try JSONSerialization.jsonObject(with: Data(file.body.readableBytesView))
      let records = try #require(seed as? [String: Any]).values.compactMap { $0 as? [Any] }.map(\.count)
      #expect(records.reduce(0, +) == count, "\(name)")
    }
    #expect(try await store.get("/entity/Book/9/seed").status == .notFound)
  }

  /// Books that own their pages, and shelves with natural keys on which the books stand.
  private static var owners: NSManagedObjectModel {
    let shelf = makeEntity("Shelf", makeAttribute("name"))
    shelf.uniquenessConstraints = [["name"]]
    let (book, page) = (makeEntity("Book", makeAttribute("title")), makeEntity("Page", makeAttribute("text")))
    relate(shelf, "books", isToMany: true, book, "shelf", isToMany: false)
    relate(book, "pages", isToMany: true, page, "book", isToMany: false)
    let pages = book.properties.compactMap { $0 as? NSRelationshipDescription }.first { $0.name == "pages" }
    pages?.deleteRule = .cascadeDeleteRule
    return makeModel([shelf, book, page])
  }

  @Test("A page says what a seed cannot express, and saves the seed without it")
  func omissions() async throws {
    let never = Date(timeIntervalSinceReferenceDate: 1e300)
    let store = try BrowsedStore { context in
      _ = BrowsedStore.insert("Note", ["title": "One", "createdAt": never], in: context)
    }
    let page = try await store.page("/entity/Note/seed")
    #expect(page.contains("What a seed cannot say is left out") && page.contains("Note.createdAt with"))
    let text = String(buffer: try await store.get("/entity/Note/export.seed.json").body)
    #expect(text.contains("\"One\"") && !text.contains("createdAt"))
  }

  @Test("A seed of no rows or of an invalid predicate says so")
  func odd() async throws {
    let store = try BrowsedStore(Self.fill)
    #expect(try await store.page("/entity/Attachment/seed").contains("There are no such objects."))
    let file = try await store.get("/entity/Attachment/export.seed.json")
    #expect(String(buffer: file.body) == "{}\n")
    for path in ["seed", "export.seed.json"] {
      let response = try await store.get("/entity/Note/\(path)?where=nothing+%3D%3D+1")
      #expect(response.status == .badRequest)
      #expect(try await store.get("/entity/Nothing/\(path)").status == .notFound)
    }
  }
}
