import CoreData
import Foundation
import TestModels
import Testing

@testable import Seeding

@Suite("Seeds in tables")
struct TableTests {
  private func things(_ text: String, name: String = "things.csv") throws -> TestStore {
    let store = try TestStore(.inMemory, TestModel.things())
    try store.seed(text, name: name)
    return store
  }

  @Test(
    "a table keeps leading and trailing blanks of texts, and ignores them around numbers, keys and quotes"
  )
  func blanks() throws {
    let store = try things("name, int16 ,double,\"plain\"\n  A  , 7 ,\t2.5, \" x \" \n")
    #expect(try store.lines("Thing", "name", "int16", "double", "plain") == ["  A  |7|2.5| x "])
    let notes = try TestStore()
    try notes.seed(#"{"categories": [{"name": "C"}], "tags": [{"name": "T"}]}"#)
    try notes.seed("title\tcategory\ttags\nA\t C \t T | T \n", name: "notes.tsv")
    #expect(try notes.noteLines() == ["A|C|T"])
  }

  @Test(
    "every row of a table has a field for each key",
    arguments: ["title,contents\nA\n", "title,contents\nA,b,c\n"]
  )
  func short(text: String) throws {
    let error = #expect(throws: SeedError.self) { try TestStore().seed(text, name: "notes.csv") }
    #expect(error?.code == .wrongShape && error?.position?.line == 2 && error?.position?.record == 1)
    #expect(error?.problem.hasSuffix("fields, and the first row 2 keys") == true)
  }

  @Test(
    #"an empty field of a table sets no value, "" an empty text, \N null, and "\N" the text \N"#,
    arguments: TestStore.Kind.allCases
  )
  func nothing(kind: TestStore.Kind) throws {
    for (field, expected) in [
      ("", "x"), ("  ", "x"), ("\"\"", ""), ("\\N", "-"), (" \\N ", "-"), ("\"\\N\"", "\\N"),
    ] {
      let store = try TestStore(kind)
      try store.seed(#"{"notes": [{"title": "A", "contents": "x"}]}"#)
      try store.seed("title,contents\nA,\(field)\n", name: "notes.csv")
      #expect(try store.values("Note", "contents") == [expected], "\(field)")
    }
  }

  @Test(#"\N in a table empties numbers, dates and relationships, and "" or an empty field keeps them"#)
  func emptied() throws {
    let first =
      #"{"categories": [{"name": "C"}], "tags": [{"name": "T"}], "notes": [{"title": "A", "createdAt": 0, "category": "C", "tags": ["T"]}]}"#
    for (field, isEmptied) in [("", false), ("\"\"", false), ("\\N", true)] {
      let store = try TestStore()
      try store.seed(first)
      try store.seed("title,createdAt,category,tags\nA,\(field),\(field),\(field)\n", name: "notes.csv")
      #expect(try store.noteLines() == [isEmptied ? "A|-|" : "A|C|T"])
      #expect(
        try store.values("Note", "createdAt") == [isEmptied ? "-" : "\(Date(timeIntervalSince1970: 0))"]
      )
    }
  }

  @Test(
    "a table refers to objects by composite keys, in one column for each part",
    arguments: TestStore.Kind.allCases
  )
  func references(kind: TestStore.Kind) throws {
    let store = try TestStore(kind, TestModel.library())
    try store.seed(
      files: [
        (
          "a.json",
          #"{"$keys": {"books": ["title", "author"]}, "authors": [{"name": "Ann"}, {"name": "Bob"}]}"#
        ),
        ("books.csv", "title,author\nOne,Ann\nOne,Bob\n"),
        ("cards.csv", "suit,value\nhearts,1\nhearts,2\nspades,1\n"),
        (
          "shelves.csv",
          "name,books.title,books.author,cards.suit,cards.value\nS,One|One,Bob | Ann,spades|hearts,1|2\n\"T\",\"\",\"\",\"\",\"\"\n"
        ),
        ("remarks.csv", "text,book.title,book.author\nHello, One,Bob\n"),
      ]
    )
    #expect(
      try store.lines("Shelf", "name", "books.author.name", "cards.suit") == [
        "S|Bob,Ann|hearts,spades", "T||",
      ]
    )
    #expect(try store.lines("Remark", "text", "book.author.name") == ["Hello|Bob"])
    try store.seed(
      files: [
        ("a.json", #"{"$keys": {"books": ["title", "author"]}}"#),
        ("shelves.csv", "name,books.title,books.author\nS,\\N,\\N\n"),
      ]
    )
    #expect(try store.lines("Shelf", "name", "books.title") == ["S|", "T|"])
  }

  @Test(
    "an error names what is wrong with the columns of a table's reference",
    arguments: [
      (
        "name,cards.suit,cards.value\nS,hearts|spades,1\n",
        "the columns of the relationship have different numbers of values: 2 in suit, 1 in value"
      ),
      ("name,cards.suit,cards.value\nS,hearts,\n", "the row has no value for the Card that it refers to"),
      ("name,cards.suit,cards.value\nS,clubs,9\n", "there is no Card with the suit, value"),
      ("name,cards.suit.\nS,x\n", "the key \"cards.suit.\" is not a path of keys with dots between them"),
      ("name,.a\nS,x\n", "the key \".a\" is not a path"),
      ("name,a.b.c.d.e.f.g.h.i.j.k\nS,x\n", "is not a path of keys"),
      ("name,cards.suit, cards.suit\nS,x,y\n", "the key \"cards.suit\" stands twice"),
      ("name,name.x\nS,x\n", "an object is not a value for a String"),
      ("name,cards,cards.suit\nS,a,x\n", "not a natural key of 2 properties"),
      ("name,shelf.x\nS,x\n", "Shelf has no property of this name"),
    ]
  )
  func wrong(text: String, problem: String) throws {
    let store = try TestStore(.inMemory, TestModel.library())
    let error = #expect(throws: SeedError.self) { try store.seed(text, name: "shelves.csv") }
    #expect(
      error?.problem.hasPrefix(problem) == true || error?.problem.contains(problem) == true,
      "\(String(describing: error))"
    )
    #expect(error?.position?.line != nil)
  }

  @Test("a table has nested records in columns with dots, elements of composites, and labels")
  func objects() throws {
    let store = try TestStore()
    try store.seed(
      "title,category.name,category.color_as_hex\nA,C,00FF00\nB,C,00FF00\nD,,\n",
      name: "notes.csv"
    )
    #expect(try store.lines("Note", "title", "category.colorAsHex") == ["A|00FF00", "B|00FF00", "D|-"])
    #expect(try store.count("Category") == 1)
    let things = try self.things("name,place.x,place.label\nA,1.5,here\nB,,\n")
    #expect(try things.values("Thing", "place").contains { $0.contains("here") && $0.contains("1.5") })
  }

  @Test(
    "an empty field or a missing column of a table leaves the element of a composite unchanged",
    arguments: SeedWay.allCases
  )
  func elements(way: SeedWay) throws {
    for (table, x, label) in [
      ("name,place.x,place.label\nA,7,\n", "7.0", "here"), ("name,place.x\nA,7\n", "7.0", "here"),
      ("name,place.x,place.label\nA,,there\n", "1.5", "there"),
      ("name,place.x,place.label\nA,,\n", "1.5", "here"),
      ("name,place.x,place.label\nA,\"\",\"\"\n", "1.5", ""), ("name,place.label\nA,\"\"\n", "1.5", ""),
      ("name,place.x,place.label\nA,\\N,\n", "-", "here"), ("name,place.x\nA,\\N\n", "-", "here"),
      ("name,place.x,place.label\nA,\\N,\\N\n", "-", "-"), ("name\nA\n", "1.5", "here"),
      ("name,place.x,place.label\nA,\\N,there\n", "-", "there"),
    ] {
      let store = try way.store(TestModel.things(key: "name"))
      try way.seed(store, ["a.json": #"{"things": [{"name": "A", "place": {"x": 1.5, "label": "here"}}]}"#])
      try way.seed(store, ["things.csv": table])
      #expect(try place(in: store) == [x, label], "\(table)")
      let again = try way.seed(store, ["things.csv": table], policy: .always)
      #expect(again.description == "Thing: 1 unchanged", "\(table)")
    }
  }

  @Test("a new object gets only the composite elements that its row has", arguments: SeedWay.allCases)
  func elementsOfNewObjects(way: SeedWay) throws {
    let store = try way.store(TestModel.things(key: "name"))
    try way.seed(store, ["things.csv": "name,place.x,place.label\nA,7,\n"])
    #expect(try place(in: store) == ["7.0", "-"])
  }

  @Test("a composite element that JSON does not name stays, and null removes it", arguments: SeedWay.allCases)
  func elementsInJSON(way: SeedWay) throws {
    let store = try way.store(TestModel.things(key: "name"))
    for (given, expected) in [
      (#"{"x": 1.5, "label": "here"}"#, ["1.5", "here"]), (#"{"x": 2.5}"#, ["2.5", "here"]),
      ("{}", ["2.5", "here"]),
      (#"{"label": null}"#, ["2.5", "-"]), (#"{"x": null, "label": "there"}"#, ["-", "there"]),
      ("null", ["-", "-"]),
    ] {
      try way.seed(store, ["a.json": "{\"things\": [{\"name\": \"A\", \"place\": \(given)}]}"])
      #expect(try place(in: store) == expected, "\(given)")
    }
  }

  @Test(
    "a user's change to one composite element does not conflict with a row that has other elements",
    arguments: SeedWay.allCases
  )
  func mergedElements(way: SeedWay) throws {
    let store = try way.store(TestModel.things(key: "name"))
    try way.seed(store, ["things.csv": "name,place.x\nA,1\n"], mode: .merge)
    try store.set("Thing", "name", "A", "place", to: ["x": 1.0, "label": "mine"])
    let report = try way.seed(store, ["things.csv": "name,place.x\nA,2\n"], mode: .merge)
    #expect(report.conflicts == [])
    #expect(try place(in: store) == ["2.0", "mine"])
    try store.set("Thing", "name", "A", "place", to: ["x": 9.0, "label": "mine"])
    #expect(
      try way.seed(store, ["things.csv": "name,place.x\nA,3\n"], mode: .merge).conflicts.map(\.key) == [
        "place"
      ]
    )
    #expect(try place(in: store) == ["9.0", "mine"])
  }

  /// The elements of the composite `place` of the only thing.
  private func place(in store: TestStore) throws -> [String] {
    let context = store.newContext()
    return try context.performAndWait {
      let thing = try #require(context.fetch(NSFetchRequest<NSManagedObject>(entityName: "Thing")).first)
      let place = thing.value(forKey: "place") as? [String: Any] ?? [:]
      let x = (place["x"] as? NSNumber).map { "\($0.doubleValue)" }
      return [x ?? "-", place["label"] as? String ?? "-"]
    }
  }

  #if !canImport(Darwin)
    @Test("a table with many rows gives the same result when it is imported in chunks")
    func streamed() throws {
      let rows = (0..<Seeder.manyRecords).map { "\($0),\($0 == 7 ? "\\N" : " x "),h,\($0 % 2 + 1)" }
      let store = try TestStore(
        .sqlite,
        TestModel.library { entities in
          guard let card = entities["Card"], let remark = entities["Remark"] else { return }
          relate(remark, "card", isToMany: false, card, "remarks", isToMany: true)
          remark.properties += [makeAttribute("name", .stringAttributeType)]
        }
      )
      try store.seed(
        files: [
          ("cards.csv", "suit,value\nh,1\nh,2\n"),
          ("remarks.csv", (["name,text,card.suit,card.value"] + rows).joined(separator: "\n")),
        ]
      )
      #expect(try store.count("Remark") == Seeder.manyRecords)
      #expect(try store.values("Remark", "text").count { $0 == " x " } == Seeder.manyRecords - 1)
      #expect(try store.lines("Remark", "card.value").count { $0 == "2" } == Seeder.manyRecords / 2)
    }
  #endif
}
