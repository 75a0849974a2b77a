import CoreData
import Foundation
import Testing

@Suite("Keys of the values of attributes")
struct ValueKeyTests {
  /// Four notes. One has no category, and none has all values.
  private func stack(_ kind: StoreKind, isSaved: Bool) throws -> Stack {
    let stack = try Stack(kind)
    let (short, long) = (stack.category("ab"), stack.category("long \u{1F389}"))
    let tags = ["t", "tag", "\u{E9}e\u{301}"].map(stack.tag)
    stack.note("a", rating: 1, short, tags: [tags[0]])
    stack.note("Bb", rating: 2, long, tags: [tags[0], tags[1]])
      .setValue(URL(string: "https://example.org/b"), forKey: "link")
    stack.note("c\u{1F389}", rating: 3, long, tags: [tags[2]]).createdAt = Date(
      timeIntervalSinceReferenceDate: 60
    )
    stack.note("", rating: 4)
    if isSaved { try stack.save() }
    return stack
  }

  static let predicates: [(String, [Int64])] = [
    ("title.length == 1", [1]),
    ("title.length > 1", [2, 3]),
    // The length of NSString is measured in UTF-16.
    ("title.length == 3", [3]),
    ("title.length == 0", [4]),
    ("NOT title.length > 1", [1, 4]),
    ("title.length == rating", [1, 2, 3]),
    ("category.name.length == 2", [1]),
    ("category.name.length == nil", [4]),
    ("ANY tags.name.length == 1", [1, 2]),
    ("ANY tags.name.length == 3", [2, 3]),
    ("tags.@max.name.length == 3", [2, 3]),
    ("SUBQUERY(tags, $t, $t.name.length > 1).@count == 1", [2, 3]),
    ("title.uppercaseString == 'BB'", [2]),
    ("title.lowercaseString BEGINSWITH 'b'", [2]),
    ("title.uppercaseString.length == 2", [2]),
    ("createdAt.timeIntervalSinceReferenceDate == 60", [3]),
    ("link.absoluteString CONTAINS 'example'", [2]),
  ]

  @Test(
    "keys of attribute values find the same objects in every store, saved or not",
    arguments: StoreKind.allCases,
    [true, false]
  )
  func predicates(_ kind: StoreKind, _ isSaved: Bool) throws {
    let stack = try stack(kind, isSaved: isSaved)
    for (format, expected) in Self.predicates {
      #expect(try stack.fetch(Note.self, format).map(\.rating).sorted() == expected, "\(format)")
    }
  }

  @Test("objects can be sorted by keys of attribute values", arguments: StoreKind.allCases, [true, false])
  func sorting(_ kind: StoreKind, _ isSaved: Bool) throws {
    let stack = try stack(kind, isSaved: isSaved)
    let order = [
      NSSortDescriptor(key: "category.name.length", ascending: true),
      NSSortDescriptor(key: "title.length", ascending: false),
    ]
    #expect(try stack.fetch(Note.self, sort: order).map(\.rating) == [4, 1, 3, 2])
  }

  @Test("dictionaries can have columns for keys of attribute values", arguments: StoreKind.allCases)
  func columns(_ kind: StoreKind) throws {
    let stack = try stack(kind, isSaved: true)
    let request = AggregateRequest(
      properties: ["rating", AggregateRequest.column("length", "title.length")],
      sort: [NSSortDescriptor(key: "rating", ascending: true)]
    )
    let lengths = try stack.context.fetch(request.request()).map { $0["length"] as? Int }
    #expect(lengths == [1, 2, 3, 0])
  }

  @Test(
    "a key of a value that SQL does not have fails with an error that names the existing ones",
    arguments: StoreKind.inSQL
  )
  func unsaid(_ kind: StoreKind) throws {
    let stack = try stack(kind, isSaved: true)
    for format in ["title.capitalizedString == 'A'", "rating.length == 1", "title.length.length == 1"] {
      let error = #expect(throws: NSError.self) { try stack.newContext().fetch(Self.request(format)) }
      #expect(error?.code == NSPersistentStoreUnsupportedRequestTypeError)
      #expect(error?.localizedDescription.contains("text has length") == true, "\(format)")
    }
  }

  private static func request(_ format: String) -> NSFetchRequest<Note> {
    let request = NSFetchRequest<Note>(entityName: "Note")
    request.predicate = NSPredicate(format: format)
    return request
  }
}
