import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import TestSupport
import Testing

@testable import Browser

@Suite("The page of an object")
struct ObjectPageTests {
  private static let picture = Data(
    base64Encoded:
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
  )

  private static func fill(_ context: NSManagedObjectContext) throws {
    let ada = BrowsedStore.insert("Person", ["name": "Ada", "photo": picture], in: context)
    try context.obtainPermanentIDs(for: [ada])
    let note = BrowsedStore.insert(
      "Note",
      [
        "title": "First line\nsecond line", "rating": 5, "weight": 0.1,
        "price": NSDecimalNumber(string: "12.50"),
        "createdAt": Date(timeIntervalSinceReferenceDate: 0.5), "isPinned": true, "author": ada,
        "identifier": UUID(uuidString: "0E984725-C51C-4BF4-9960-E1C80E27ABA0"),
      ],
      in: context
    )
    _ = BrowsedStore.insert("Attachment", ["path": "/a", "subject": note], in: context)
    _ = BrowsedStore.insert("Attachment", ["path": "/b", "subject": note], in: context)
    for number in 0..<25 {
      _ = BrowsedStore.insert("Note", ["title": "N\(number)", "author": ada], in: context)
    }
  }

  @Test("An object's page shows every value in full, by its type")
  func values() async throws {
    let store = try BrowsedStore(Self.fill)
    let key = try await store.key(of: "Note", where: "rating == 5")
    let page = try await store.page("/entity/Note/\(key)")
    for text in [
      "<pre class=\"block\" tabindex=\"0\"><bdi>First line\nsecond line</bdi></pre>", ">5</bdi>",
      ">0.1</bdi>",
      ">12.5</bdi>", ">2001-01-01 00:00:00.5Z</bdi>", ">true</bdi>",
      ">0E984725-C51C-4BF4-9960-E1C80E27ABA0</bdi>",
    ] { #expect(page.contains(text), "\(text)") }
  }

  @Test("An object's page links to related objects, and to objects that refer to it without an inverse")
  func relationships() async throws {
    let store = try BrowsedStore(Self.fill)
    let key = try await store.key(of: "Note", where: "rating == 5")
    let page = try await store.page("/entity/Note/\(key)")
    #expect(page.contains("<a href=\"/entity/Person/1\"><bdi>Ada</bdi></a>"))
    #expect(page.contains("Referenced by"))
    #expect(page.contains("<bdi>Attachment</bdi>.<bdi>subject</bdi> <span class=\"count\">2</span>"))
    // Attachments have only a path, which does not name an object for a reader, so the page shows their keys.
    for key in [1, 2] { #expect(page.contains("<bdi>Attachment p\(key)</bdi>"), "\(page)") }
    let all = "/entity/Attachment?of=Note&key=\(key)&owner=Attachment&relationship=subject"
    #expect(try await store.page(all).contains("<strong>2</strong> objects"))
  }

  @Test("An object's page lists the first objects of a relationship, and links to all")
  func manyObjects() async throws {
    let store = try BrowsedStore(Self.fill)
    let page = try await store.page("/entity/Person/1")
    #expect(page.contains("<span class=\"count\">26</span>"))
    #expect(page.components(separatedBy: "<li><a href=\"/entity/Note/").count == 21)
    #expect(
      page.contains("/entity/Note?of=Person&amp;key=1&amp;owner=Person&amp;relationship=notes\">all 26 …")
    )
  }

  @Test("An object's page shows a picture, and serves its bytes so that nothing runs")
  func picture() async throws {
    let store = try BrowsedStore(Self.fill)
    let page = try await store.page("/entity/Person/1")
    #expect(page.contains("<img src=\"/entity/Person/1/value/photo\" alt=\"photo\""))
    let response = try await store.get("/entity/Person/1/value/photo")
    #expect(response.headers[.contentType] == "image/png")
    #expect(response.headers[.contentSecurityPolicy] == "default-src 'none'; sandbox")
    #expect(Data(response.body.readableBytesView) == Self.picture)
  }

  @Test(
    "Bytes that are not a picture can only be downloaded",
    arguments: [
      "<script>alert(1)</script>", "<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>", "%PDF-1.7",
    ]
  )
  func bytes(text: String) async throws {
    let store = try BrowsedStore { _ = BrowsedStore.insert("Person", ["photo": Data(text.utf8)], in: $0) }
    let response = try await store.get("/entity/Person/1/value/photo")
    #expect(response.headers[.contentType] == "application/octet-stream")
    #expect(response.headers[.contentDisposition]?.hasPrefix("attachment") == true)
    #expect(response.headers[.xContentTypeOptions] == "nosniff")
    #expect(try await !store.page("/entity/Person/1").contains("<script>alert"))
  }

  @Test("An object's page shows the content of bytes: JSON, property lists, texts, or hexadecimal digits")
  func contents() throws {
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["list": [1, "two"]],
      format: .binary,
      options: 0
    )
    guard case .text(let text, "property list") = DataContents(list) else {
      Issue.record("a property list is shown as \(DataContents(list))")
      return
    }
    #expect(text == "{1}\n  list: [2]\n    0: 1\n    1: two")
    guard case .text(_, "JSON") = DataContents(Data(#"{"a":[1]}"#.utf8)) else {
      Issue.record("JSON is not shown as such")
      return
    }
    let nested = Data(String(repeating: "[", count: 100_000).utf8)
    if case .text(_, "JSON") = DataContents(nested) { Issue.record("brackets without end are not JSON") }
    #expect(
      DataContents.dump(Data([0, 65, 255]), atMost: 16) == "000000  00 41 ff"
        + String(repeating: " ", count: 41) + "·A·"
    )
  }

  @Test("The page of a deleted object says that it is gone")
  func gone() async throws {
    let store = try BrowsedStore(Self.fill)
    #expect(try await store.page("/entity/Person/77", status: .notFound).contains("There is no such object"))
  }
}

extension BrowsedStore {
  /// The key of the first object that matches a predicate.
  func key(of entity: String, where predicate: String) async throws -> String {
    let context = NSManagedObjectContext(concurrencyType: .privateQueueConcurrencyType)
    context.persistentStoreCoordinator = coordinator
    return try await context.perform {
      let request = NSFetchRequest<NSManagedObject>(entityName: entity)
      request.predicate = NSPredicate(format: predicate)
      let uri = try context.fetch(request).first?.objectID.uriRepresentation()
      return String(uri?.lastPathComponent.dropFirst() ?? "")
    }
  }
}
