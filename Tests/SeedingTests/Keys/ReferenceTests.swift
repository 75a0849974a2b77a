import CoreData
import Foundation
import Testing

@testable import Seeding

@Suite("References")
struct ReferenceTests {
  @Test(
    "a reference gives all properties of a composite key, in either spelling of their names",
    arguments: TestStore.Kind.allCases
  )
  func composite(kind: TestStore.Kind) throws {
    let store = try TestStore(kind, TestModel.library())
    try store.seed(
      "{\"cards\": [{\"suit\": \"hearts\", \"value\": 1, \"note\": \"ace\"}]}",
      name: "first.json"
    )
    let report = try store.seed(
      """
      {"shelves": [{"name": "A", "cards": [{"suit": "hearts", "value": 2}, {"Value": 1, "suit": "hearts"}]}],
       "cards": [{"suit": "hearts", "value": 2}, {"suit": "spades", "value": 1}]}
      """
    )
    #expect(report.description == "Card: 2 created\nShelf: 1 created")
    #expect(try store.lines("Shelf", "name", "cards.value") == ["A|1,2"])
    #expect(try store.lines("Card", "suit", "value", "note") == ["hearts|1|ace", "hearts|2|-", "spades|1|-"])
  }

  @Test(
    "a key that the header declares, with a relationship in it, finds existing objects",
    arguments: TestStore.Kind.allCases
  )
  func declared(kind: TestStore.Kind) throws {
    let store = try TestStore(kind, TestModel.library())
    let header = "\"$keys\": {\"books\": [\"title\", \"author\"]}"
    try store.seed(
      """
      {\(header), "authors": [{"name": "Ann"}, {"name": "Bob"}],
       "books": [{"title": "One", "author": "Ann", "pageCount": 10}, {"title": "One", "author": "Bob"}]}
      """,
      name: "first.json"
    )
    let report = try store.seed(
      """
      {\(header), "books": [{"title": "One", "author": "Bob", "pageCount": 20}, {"title": "Two", "author": "Bob"}],
       "shelves": [{"name": "A", "books": [{"title": "Two", "author": "Bob"}, {"title": "One", "author": "Ann"}]}]}
      """
    )
    #expect(report.description == "Book: 1 created, 1 updated\nShelf: 1 created")
    #expect(
      try store.lines("Book", "title", "author.name", "pageCount") == [
        "One|Ann|10", "One|Bob|20", "Two|Bob|-",
      ]
    )
    #expect(try store.lines("Shelf", "name", "books.title") == ["A|Two,One"])
  }

  @Test("an empty key list in the header means that records are always inserted")
  func noKey() throws {
    let store = try TestStore(.inMemory, TestModel.library())
    try store.seed("{\"$keys\": {\"authors\": []}, \"authors\": [{\"name\": \"Ann\"}, {\"name\": \"Ann\"}]}")
    #expect(try store.values("Author", "name") == ["Ann", "Ann"])
  }

  @Test(
    "labels refer to later records, in cycles and across the files of a run",
    arguments: TestStore.Kind.allCases
  )
  func labels(kind: TestStore.Kind) throws {
    let store = try TestStore(kind, TestModel.library())
    let report = try store.seed(files: [
      (
        "remarks.json",
        """
        {"remarks": [{"$id": "why", "text": "Why?", "book": {"$ref": "swift"}, "answers": [{"$ref": "so"}, {"$ref": 7}]},
                     {"$id": "so", "text": "So."}, {"$id": 7, "text": "Seven."}]}
        """
      ),
      ("books.json", "{\"books\": [{\"$id\": \"swift\", \"title\": \"Swift\"}]}"),
    ])
    #expect(report.total.created == 4)
    #expect(
      try store.lines("Remark", "text", "book.title", "answers.text", "question.text") == [
        "Seven.|-||Why?", "So.|-||Why?", "Why?|Swift|Seven.,So.|-",
      ]
    )
  }

  @Test("ordered relationships keep the order of labels")
  func order() throws {
    let store = try TestStore(.inMemory, TestModel.library())
    try store.seed(
      """
      {"shelves": [{"name": "A", "books": [{"$ref": "c"}, {"$ref": "a"}, {"$ref": "b"}]}],
       "books": [{"$id": "a", "title": "A"}, {"$id": "b", "title": "B"}, {"$id": "c", "title": "C"}]}
      """
    )
    #expect(try store.lines("Shelf", "books.title") == ["C,A,B"])
  }

  @Test(
    "a record can be nested instead of a reference, to any depth",
    arguments: TestStore.Kind.allCases
  )
  func nested(kind: TestStore.Kind) throws {
    let store = try TestStore(kind, TestModel.library())
    try store.seed("{\"authors\": [{\"name\": \"Ann\"}]}", name: "first.json")
    let report = try store.seed(
      """
      {"shelves": [{"name": "A", "books": [
         {"title": "One", "author": {"name": "Ann"}, "remarks": [{"text": "x"}, {"text": "x"}]},
         {"title": "Two", "author": {"name": "Bob"}, "owner": {"$entity": "Employee", "name": "Eve", "salary": 5}}]}]}
      """
    )
    #expect(
      report.description
        == "Author: 1 created, 1 unchanged\nBook: 2 created\nEmployee: 1 created\nRemark: 2 created\nShelf: 1 created"
    )
    #expect(
      try store.lines("Book", "title", "author.name", "owner.salary", "remarks.text", "shelf.name")
        == ["One|Ann|-|x,x|A", "Two|Bob|5||A"]
    )
  }

  @Test("equal nested records are one object, and are combined with a record of its own")
  func repeated() throws {
    let store = try TestStore(.inMemory, TestModel.library())
    let report = try store.seed(
      """
      {"books": [{"title": "One", "author": {"name": "Ann"}}, {"title": "Two", "author": {"name": "Ann"}},
                 {"title": "Three", "shelf": {"name": "A", "cards": [{"suit": "hearts", "value": 3, "note": "x"}]}}],
       "authors": [{"name": "Ann"}], "shelves": [{"name": "A"}]}
      """
    )
    #expect(report.entities["Author"]?.created == 1)
    #expect(
      try store.lines("Book", "title", "author.name", "shelf.cards.note") == [
        "One|Ann|-", "Three|-|x", "Two|Ann|-",
      ]
    )
  }

  @Test("a nested record can have a label, and other records can refer to it")
  func labelledNested() throws {
    let store = try TestStore(.inMemory, TestModel.library())
    try store.seed(
      """
      {"remarks": [{"text": "a", "book": {"$id": "b", "title": "One"}}, {"text": "b", "book": {"$ref": "b"}}]}
      """
    )
    #expect(try store.lines("Remark", "text", "book.title") == ["a|One", "b|One"])
    #expect(try store.count("Book") == 1)
  }

  @Test("a record can name its own subentity")
  func entities() throws {
    let store = try TestStore(.inMemory, TestModel.library())
    try store.seed(
      """
      {"people": [{"$entity": "employee", "name": "Eve", "salary": 1}, {"$entity": "Customer", "name": "Cal"}],
       "books": [{"title": "One", "owner": "Cal"}]}
      """
    )
    #expect(try store.count("Employee") == 1)
    #expect(try store.lines("Book", "owner.name") == ["Cal"])
  }

  @Test(
    "chunked imports support declared keys, and seeds with labels are imported as a whole"
  )
  func large() throws {
    let store = try TestStore(.sqlite, TestModel.library())
    let count = 20_100
    let authors = (0..<10).map { "{\"$entity\": \"authors\", \"name\": \"a\($0)\"}\n" }.joined()
    let books = (0..<count).map { number in
      "{\"$entity\": \"books\", \"title\": \"t\(number / 10)\", \"author\": \"a\(number % 10)\"}\n"
    }
    let text = "{\"$keys\": {\"books\": [\"title\", \"author\"]}}\n" + authors + books.joined()
    #expect(try store.seed(text, name: "one.jsonl").total.created == count + 10)
    let label =
      "{\"$entity\": \"remarks\", \"text\": \"x\", \"question\": {\"text\": \"y\"}, \"book\": {\"$ref\": \"b\"}}\n"
    let last = "{\"$entity\": \"books\", \"$id\": \"b\", \"title\": \"last\", \"author\": \"a0\"}\n"
    let report = try store.seed(text + label + last, name: "two.jsonl")
    #expect(report.total.unchanged == count + 10)
    #expect(report.total.created == 3)
    #expect(try store.lines("Remark", "text", "book.title", "question.text") == ["x|last|y", "y|-|-"])
  }

  @Test("each format writes headers and labels like its other values")
  func formats() throws {
    let store = try TestStore(.inMemory, TestModel.library())
    let report = try store.seed(files: [
      (
        "books.jsonl",
        """
        {"$keys": {"books": ["title", "author"]}, "$dates": "secondsSince2001"}
        {"$id": "one", "title": "One", "author": {"name": "Ann"}, "publishedAt": 0}
        """
      ),
      (
        "shelves.yaml",
        """
        $dates: dd.MM.yyyy
        shelves:
          - name: A
            books: [{$ref: one}, {title: Two, author: Ann, publishedAt: "02.01.2001"}]
        """
      ),
      ("remarks.csv", "$id,text\nfirst,Hello\n"),
      (
        "more.plist",
        """
        <plist version="1.0"><dict><key>$dates</key><string>iso8601</string><key>remarks</key><array>
        <dict><key>text</key><string>Again</string><key>question</key><dict><key>$ref</key><string>first</string></dict>
        </dict></array></dict></plist>
        """
      ),
    ])
    #expect(report.total.created == 6)
    #expect(try store.lines("Remark", "text", "question.text") == ["Again|Hello", "Hello|-"])
    #expect(try store.lines("Shelf", "books.title", "books.author.name") == ["One,Two|Ann,Ann"])
    #expect(
      try store.lines("Book", "title", "publishedAt")
        == ["One|2001-01-01 00:00:00 +0000", "Two|2001-01-02 00:00:00 +0000"]
    )
  }
}
