import CoreData
import Foundation
import Testing

@testable import CoreData

@Suite("Fetches that cannot be translated into SQL")
struct UntranslatableTests {
  @Test(
    "an untranslatable fetch fails before it runs, and the error names the part",
    arguments: [
      ("nonsense == 1", "no property nonsense"),
      ("category.nonsense == 1", "category.nonsense"),
      ("title.nonsense == 1", "title.nonsense"),
      ("draft == 'a'", "Note.draft is transient"),
      ("tags == nil", "use ANY"),
      ("tags.name == 'a'", "use ANY"),
      ("rating LIKE 'a'", "both sides must be text"),
      ("title < 5", "have no order"),
      ("link < link", "have no order"),
      ("ANY rating == 1", "to-many relationship"),
      ("tags.@count.x == 1", "nothing can follow @count"),
      ("tags.@distinctUnionOfObjects.name == 1", "only @count"),
      ("rating == $missing", "$missing"),
      ("mode:(rating) == 2", "mode:"),
    ]
  )
  func named(_ format: String, _ part: String) throws {
    let error = #expect(throws: NSError.self) {
      try TranslatedFetch.statement("Note", NSPredicate(parsing: format, arguments: []))
    }
    #expect(error?.domain == NSCocoaErrorDomain)
    #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
    #expect(error?.localizedDescription.contains(part) == true, "\(error?.localizedDescription ?? "")")
  }

  @Test("a block predicate names the remedy")
  func block() throws {
    let predicate = NSPredicate { _, _ in true }
    let error = #expect(throws: NSError.self) { try TranslatedFetch.statement("Note", predicate) }
    #expect(error?.localizedDescription.contains("in memory") == true)
  }

  @Test("an invalid regular expression is detected before the query runs")
  func regularExpression() {
    #expect(throws: (any Error).self) {
      try TranslatedFetch.statement("Note", NSPredicate(parsing: "title MATCHES '['", arguments: []))
    }
  }

  @Test("a sort descriptor with a closure, a to-many key or an unknown one is refused")
  func sorting() {
    let descriptors = [
      NSSortDescriptor(key: "title", ascending: true) { _, _ in .orderedSame },
      NSSortDescriptor(key: "tags", ascending: true), NSSortDescriptor(key: "nonsense", ascending: true),
      NSSortDescriptor(key: "link", ascending: true), NSSortDescriptor(key: "body", ascending: true),
    ]
    for descriptor in descriptors {
      #expect(throws: NSError.self) { try TranslatedFetch.statement("Note", sort: [descriptor]) }
    }
  }
}
