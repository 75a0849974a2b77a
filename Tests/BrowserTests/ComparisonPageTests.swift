import CoreData
import Foundation
import HTTPTestClient
import HTTPTypes
import NIOCore
import Testing

@testable import Browser

@Suite("The pages of a comparison")
struct ComparisonPageTests {
  /// A store and the one that it is compared with. The pair keeps the other store alive during the comparison.
  private struct Pair {
    let other: BrowsedStore
    let store: BrowsedStore

    init(
      type: String = NSSQLiteStoreType,
      _ there: (NSManagedObjectContext) -> Void,
      _ here: (NSManagedObjectContext) -> Void
    ) throws {
      other = try BrowsedStore(type: type, there)
      var counterparts = StoreBrowser.Counterparts()
      counterparts.store = .init(other.coordinator, name: "Other <b>.store")
      store = try BrowsedStore(type: type, counterparts: counterparts, here)
    }

    /// The result page of the comparison.
    func compared(after number: Int = 0) async throws -> String {
      let start = try await store.get("/comparison/start?after=\(number)")
      #expect(start.status == .seeOther && start.headers[.location] == "/comparison")
      while true {
        let page = try await store.page("/comparison")
        if !page.contains("data-progress") { return page }
      }
    }
  }

  private static func note(_ number: Int, _ title: String, in context: NSManagedObjectContext) {
    let identifier = UUID(uuidString: "00000000-0000-0000-0000-\(100_000_000_000 + number)")
    _ = BrowsedStore.insert(
      "Note",
      ["identifier": identifier, "title": title, "rating": number],
      in: context
    )
  }

  private static func pair(type: String = NSSQLiteStoreType) throws -> Pair {
    try Pair(type: type) { context in
      for number in 0..<70 { note(number, "Note \(number)", in: context) }
    } _: { context in
      // Numbers below 3 exist only in the other store, numbers from 70 only in this one.
      for number in (3..<75).reversed() {
        note(number, number == 5 ? "<i>Five" : "Note \(number)", in: context)
      }
    }
  }

  @Test(
    "A comparison shows the counts of each entity and links to each object that differs",
    arguments: [NSSQLiteStoreType, NSXMLStoreType, NSBinaryStoreType]
  )
  func counts(type: String) async throws {
    let pair = try Self.pair(type: type)
    let first = try await pair.store.page("/comparison")
    #expect(first.contains(">Compare</button>") && first.contains("Other &lt;b&gt;.store"))
    let page = try await pair.compared()
    #expect(page.contains("Compare anew"))
    func link(_ title: String) throws -> (count: String, path: String) {
      let pattern = try Regex(
        "<a href=\"([^\"]*)\">(\\d+)<span class=\"visually-hidden\"> of <bdi>Note</bdi>, \(title)</span>",
        as: (Substring, Substring, Substring).self
      )
      let found = try #require(page.firstMatch(of: pattern))
      return (String(found.output.2), String(found.output.1.replacing("&amp;", with: "&")))
    }
    let (here, there) = (try link("only in this store"), try link("only in the other store"))
    let different = try link("different")
    #expect([here.count, there.count, different.count] == ["5", "3", "1"])
    let changed = try await pair.store.page(different.path)
    #expect(changed.contains("&lt;i&gt;Five") && changed.contains("<bdi>title</bdi>"))
    let object = try #require(changed.firstMatch(of: /<li><a href="(\/comparison\/entity[^"]*)"/))
    let sides = try await pair.store.page(String(object.output.1.replacing("&amp;", with: "&")))
    #expect(sides.contains("&lt;i&gt;Five") && sides.contains("&quot;Note 5&quot;"))
    let own = try #require(sides.firstMatch(of: /href="(\/entity\/Note\/\d+)">The object in this store/))
    #expect(try await pair.store.page(String(own.output.1)).contains("&lt;i&gt;Five"))
    #expect(try await pair.store.page(here.path).matches(of: /<li><a href="\/comparison\/entity/).count == 5)
    let gone = try await pair.store.page(there.path)
    let lost = try #require(gone.firstMatch(of: /<li><a href="(\/comparison\/entity[^"]*)"/))
    let alone = try await pair.store.page(String(lost.output.1.replacing("&amp;", with: "&")))
    #expect(alone.contains("only in <bdi>") && !alone.contains("The object in this store"))
  }

  @Test("A comparison lists each object once, page by page")
  func paging() async throws {
    let pair = try Pair { _ in
    } _: { context in
      for number in 0..<120 { Self.note(number, "Note \(number)", in: context) }
    }
    _ = try await pair.compared()
    var names: [String] = []
    var path: String? = "/comparison/entity/Note?way=here"
    while let present = path {
      let page = try await pair.store.page(present)
      names += page.matches(of: /<li><a href="\/comparison\/entity[^"]*"><bdi>([^<]*)</).map {
        String($0.output.1)
      }
      path = page.firstMatch(of: /href="([^"]*)" rel="next"/).map {
        String($0.output.1).replacing("&amp;", with: "&")
      }
    }
    #expect(names.count == 120 && Set(names).count == 120)
    for odd in ["offset=5000", "offset=-1", "offset=x"] {
      _ = try await pair.store.page("/comparison/entity/Note?way=here&\(odd)")
    }
  }

  @Test("A comparison runs once for each request, and again when the user asks for it")
  func once() async throws {
    let pair = try Self.pair()
    _ = try await pair.compared()
    // A reloaded page repeats its request, and a hand-written address can carry any value: neither starts a comparison.
    for odd in ["0", "7", "-1", "x", ""] { _ = try await pair.store.get("/comparison/start?after=\(odd)") }
    #expect(try await pair.store.page("/comparison").contains("name=\"after\" value=\"1\""))
    try pair.store.change(by: "Ada", rating: 6) { $0.setValue("Changed since", forKey: "title") }
    #expect(try await pair.compared(after: 1).contains("name=\"after\" value=\"2\""))
    let changed = try await pair.store.page("/comparison/entity/Note?way=different")
    #expect(changed.contains("Changed since"))
    // No comparison is running that the request could stop.
    _ = try await pair.store.get("/comparison/stop?number=2")
    #expect(try await !pair.store.page("/comparison").contains("Stopped"))
  }

  @Test("A comparison of equal stores says that they are equal")
  func same() async throws {
    let pair = try Pair {
      Self.note(1, "One", in: $0)
    } _: {
      Self.note(1, "One", in: $0)
    }
    #expect(try await pair.compared().contains("The stores have the same objects."))
  }

  @Test("A comparison shows an object's later state if it has changed since")
  func since() async throws {
    let pair = try Self.pair()
    _ = try await pair.compared()
    let list = try await pair.store.page("/comparison/entity/Note?way=different")
    let path = try #require(list.firstMatch(of: /<li><a href="(\/comparison\/entity[^"]*)"/)).output.1
    let object = String(path.replacing("&amp;", with: "&"))
    try pair.store.change(by: "Ada", rating: 5) { $0.setValue("Note 5", forKey: "title") }
    #expect(try await pair.store.page("/comparison/entity/Note?way=different").contains("the same by now"))
    #expect(try await pair.store.page(object).contains("the same in both stores by now"))
    try pair.store.change(by: "Ada", rating: 5) { $0.managedObjectContext?.delete($0) }
    #expect(try await pair.store.page("/comparison/entity/Note?way=different").contains("gone since"))
    #expect(try await pair.store.page(object).contains("only in <bdi>"))
  }

  @Test(
    "Pages of a comparison for unknown entities or objects are errors",
    arguments: [
      "entity/Note", "entity/Note?way=sideways", "entity/Nothing?way=here", "entity/Note/object",
      "entity/Note/object?here=0", "entity/Note/object?here=x&there=y",
      "entity/Note/object?here=999999&there=999999",
      "entity/..%2F..%2Fetc?way=here", "nothing",
    ]
  )
  func odd(path: String) async throws {
    let pair = try Pair({ _ in }, { _ in })
    #expect(try await pair.store.get("/comparison/\(path)").status == .notFound)
  }

  @Test("Without another store there are no comparison pages")
  func none() async throws {
    let store = try BrowsedStore()
    #expect(try await store.page("/comparison").contains("--compare"))
    for path in ["/start?after=0", "/stop?number=0", "/entity/Note?way=here"] {
      _ = try await store.page("/comparison\(path)", status: .notFound)
    }
  }

  @Test("A comparison with a store of another model is refused when it starts")
  func otherModel() throws {
    let other = try BrowsedStore(model: ModelDifferencePageTests.changed)
    var counterparts = StoreBrowser.Counterparts()
    counterparts.store = .init(other.coordinator, name: "Other")
    #expect {
      _ = try BrowsedStore(counterparts: counterparts)
    } throws: { "\($0)".contains("Note") }
  }
}
