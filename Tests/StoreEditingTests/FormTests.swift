import CoreData
import Foundation
import StoreExploration
import Testing

@testable import StoreEditing

@Suite("Forms of objects")
struct FormTests {
  @Test("forms show values as texts that a user can edit", arguments: EditedKind.allCases)
  func texts(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let recipe = try store.insert(
      "Recipe",
      [
        "title": "Soup", "servings": 4, "price": NSDecimalNumber(string: "12.50"), "weight": 0.1,
        "cookedAt": Date(timeIntervalSinceReferenceDate: 0.5), "isSpicy": true,
        "identifier": try #require(UUID(uuidString: "0E984725-C51C-4BF4-9960-E1C80E27ABA0")),
        "link": try #require(URL(string: "https://example.org/a%20b")), "picture": Data([1, 2, 3]),
        "place": ["city": "Ghent", "zip": 9000] as [String: any Sendable],
      ]
    )
    let form = try await store.session.form(of: recipe)
    let texts = Dictionary(uniqueKeysWithValues: form.fields.map { ($0.path.description, $0.text) })
    #expect(form.link.name == "Soup" && form.link.object == recipe)
    #expect(texts["title"] == "Soup" && texts["text"] == "" && texts["servings"] == "4")
    #expect(texts["price"] == "12.5" && texts["weight"] == "0.1" && texts["isSpicy"] == "true")
    #expect(texts["cookedAt"] == "2001-01-01 00:00:00.5Z")
    #expect(texts["identifier"] == "0E984725-C51C-4BF4-9960-E1C80E27ABA0")
    #expect(texts["link"] == "https://example.org/a%20b" && texts["picture"] == "")
    #expect(texts["place.city"] == "Ghent" && texts["place.zip"] == "9000")
    guard case .clearable = form.fields.first(where: { $0.path == "picture" })?.access else {
      Issue.record("bytes can be set to none")
      return
    }
  }

  @Test("a form stages its values, and a save stores them", arguments: EditedKind.allCases)
  func stage(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let recipe = try store.insert("Recipe", ["title": "Soup", "picture": Data([1])])
    let zip = FieldPath(attribute: "place", elements: ["zip"])
    let isStaged = try await store.session.stage(
      [
        "title": FieldInput("Stew"), "servings": FieldInput(" 3 "), "price": FieldInput("-0.10"),
        "weight": FieldInput("1e-3"), "heat": FieldInput("0.1"), "cookedAt": FieldInput("2024-02-29"),
        "isSpicy": FieldInput("false"), "identifier": FieldInput("0e984725-c51c-4bf4-9960-e1c80e27aba0"),
        "link": FieldInput("mailto:a@example.org"), "picture": .none, zip: FieldInput("9000"),
      ],
      of: recipe
    )
    #expect(isStaged && store.session.summary.count == 1)
    #expect(try store.text(recipe, "title") == "Soup")
    #expect(try await store.session.save().isSaved)
    #expect(store.session.summary.count == 0)
    try store.change(recipe) { object in
      #expect(object.value(forKey: "title") as? String == "Stew")
      #expect(object.value(forKey: "servings") as? Int == 3)
      #expect(object.value(forKey: "price") as? NSDecimalNumber == NSDecimalNumber(string: "-0.1"))
      #expect(object.value(forKey: "weight") as? Double == 0.001)
      #expect((object.value(forKey: "heat") as? NSNumber)?.floatValue == 0.1)
      #expect(object.value(forKey: "cookedAt") as? Date == Date(timeIntervalSince1970: 1_709_164_800))
      #expect(object.value(forKey: "isSpicy") as? Bool == false)
      #expect((object.value(forKey: "identifier") as? UUID)?.uuidString.hasPrefix("0E98") == true)
      #expect((object.value(forKey: "link") as? URL)?.scheme == "mailto")
      #expect(object.value(forKey: "picture") == nil)
      #expect((object.value(forKey: "place") as? [String: Any])?["zip"] as? Int == 9000)
    }
  }

  @Test(
    "a form reports an invalid text, and stages nothing",
    arguments: [
      ("servings", "40000"), ("servings", "0"), ("servings", "1.5"), ("servings", "٣"), ("count", "1e3"),
      ("count", "9223372036854775808"), ("weight", "nan"), ("weight", "1e999"), ("weight", "0x10"),
      ("weight", "1,5"), ("heat", "1e39"), ("price", "12 €"), ("price", String(repeating: "9", count: 39)),
      ("cookedAt", "30/02/2024"), ("cookedAt", "2024-02-30"), ("isSpicy", "maybe"), ("identifier", "12"),
      ("link", "a b"), ("title", "nul\u{0}"), ("picture", "bytes"), ("unknown", "x"),
    ]
  )
  func wrongText(path: String, text: String) async throws {
    let store = try EditedStore()
    let recipe = try store.insert("Recipe", ["title": "Soup", "picture": Data([1])])
    do {
      try await store.session.stage(
        [FieldPath(attribute: path): FieldInput(text), "text": FieldInput("right")],
        of: recipe
      )
      Issue.record("\(text) was taken for \(path)")
    } catch let wrong as WrongFields {
      #expect(wrong.problems.map(\.path) == [FieldPath(attribute: path)])
      #expect(wrong.problems.first?.message.isEmpty == false)
    }
    #expect(store.session.summary == StagedSummary())
    #expect(try await store.field("text", of: recipe).text == "")
  }

  @Test("a form reports all problems at once, including violations of the model")
  func severalProblems() async throws {
    let store = try EditedStore()
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    let wrong = await #expect(throws: WrongFields.self) {
      try await store.session.stage(
        ["title": .none, "servings": FieldInput("0"), "weight": FieldInput("heavy")],
        of: recipe
      )
    }
    let problems = Dictionary(uniqueKeysWithValues: (wrong?.problems ?? []).map { ($0.path, $0.message) })
    #expect(problems.count == 3)
    #expect(problems["title"] == "title must have a value.")
    #expect(problems["servings"]?.contains("there is somebody to eat") == true)
  }

  @Test("a form distinguishes an empty text from no value")
  func emptyText() async throws {
    let store = try EditedStore()
    let recipe = try store.insert("Recipe", ["title": "Soup", "text": "Boil."])
    try await store.session.stage(["text": FieldInput("", isEmptyText: true)], of: recipe)
    #expect(try await store.field("text", of: recipe).value == .text(""))
    try await store.session.stage(["text": FieldInput("")], of: recipe)
    #expect(try await store.field("text", of: recipe).value == .none)
  }

  @Test("a form leaves an unedited value unchanged, including line ends")
  func untouched() async throws {
    let store = try EditedStore()
    let recipe = try store.insert("Recipe", ["title": "Soup", "text": "one\rtwo\nthree"])
    let stamp = try await store.field("text", of: recipe).stamp
    let isStaged = try await store.session.stage(
      ["text": FieldInput("one\r\ntwo\r\nthree", stamp: stamp)],
      of: recipe
    )
    #expect(!isStaged && store.session.summary == StagedSummary())
    try await store.session.stage(["text": FieldInput("one\r\ntwo", stamp: stamp)], of: recipe)
    #expect(try await store.field("text", of: recipe).text == "one\ntwo")
  }

  @Test("a form that was opened before another edit replaces only the values that it shows")
  func movedValue() async throws {
    let store = try EditedStore()
    let recipe = try store.insert("Recipe", ["title": "Soup", "text": "a"])
    let form = try await store.session.form(of: recipe)
    let stamps = Dictionary(uniqueKeysWithValues: form.fields.map { ($0.path, $0.stamp) })
    try await store.session.stage(["title": FieldInput("Stew")], of: recipe)
    // The form sends its old title unchanged, so the other edit stays.
    try await store.session.stage(
      ["title": FieldInput("Soup", stamp: stamps["title"]), "text": FieldInput("b", stamp: stamps["text"])],
      of: recipe
    )
    #expect(try await store.field("title", of: recipe).text == "Stew")
    #expect(try await store.field("text", of: recipe).text == "b")
    let wrong = await #expect(throws: WrongFields.self) {
      try await store.session.stage(["title": FieldInput("Broth", stamp: stamps["title"])], of: recipe)
    }
    #expect(wrong?.problems.first?.message.contains("Stew") == true)
  }

  @Test(
    "a form shows values that others have saved meanwhile, if nothing is staged",
    arguments: EditedKind.allCases
  )
  func fresh(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    let recipe = try store.insert("Recipe", ["title": "Soup"])
    #expect(try await store.field("title", of: recipe).text == "Soup")
    try store.change(recipe) { $0.setValue("Stew", forKey: "title") }
    #expect(try await store.field("title", of: recipe).text == "Stew")
  }

  @Test(
    "a form of a new object begins with the model's defaults, and names the object until it is saved",
    arguments: EditedKind.allCases
  )
  func creation(kind: EditedKind) async throws {
    let store = try EditedStore(kind)
    #expect(try await store.session.fields(ofNew: "Recipe").contains { $0.path == "title" && $0.text == "" })
    await #expect(throws: WrongFields.self) {
      _ = try await store.session.create("Recipe", inputs: ["text": FieldInput("without a title")])
    }
    #expect(store.session.summary == StagedSummary())
    let new = try await store.session.create("Recipe", inputs: ["title": FieldInput("Soup")])
    #expect(new.text == "new-1" && new.isNew)
    #expect(try await store.field("title", of: new).text == "Soup")
    #expect(try await store.session.save().isSaved)
    let form = try await store.session.form(of: new)
    #expect(!form.link.object.isNew)
    #expect(try store.text(form.link.object, "title") == "Soup")
  }

  @Test("a form of a deleted object says that it is gone")
  func gone() async throws {
    let store = try EditedStore()
    await #expect(throws: (any Error).self) {
      _ = try await store.session.form(of: EditedObject(entity: "Recipe", key: 77))
    }
    await #expect(throws: EditingFailure.self) {
      _ = try await store.session.form(of: EditedObject(entity: "Recipe", identity: .new(1)))
    }
  }
}
