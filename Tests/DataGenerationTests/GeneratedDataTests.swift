import CoreData
import DataGeneration
import Foundation
import Seeding
import TestModels
import Testing

@Suite("Made data")
struct GeneratedDataTests {
  private let counts = ["Note": 500, "Tag": 20, "Category": 8]

  @Test("the same seed gives the same bytes, another seed others", arguments: GeneratedSeedFormat.allCases)
  func determinism(format: GeneratedSeedFormat) throws {
    let plan = GenerationPlan(counts: counts, seed: 42)
    let bytes = try Made.seed(NoteModel.model(), plan, as: format)
    #expect(try Made.seed(NoteModel.model(), plan, as: format) == bytes)
    #expect(try Made.seed(NoteModel.model(), GenerationPlan(counts: counts, seed: 43), as: format) != bytes)
  }

  @Test("the plan's numbers of objects and links are generated", arguments: GeneratedSeedFormat.allCases)
  func fanOut(format: GeneratedSeedFormat) throws {
    let plan = GenerationPlan(
      counts: counts,
      fanOuts: ["Note.tags": 3...3, "Category.notes": 10...10],
      seed: 1
    )
    let made = try Made(NoteModel.model(), plan, as: format)
    #expect(made.report.entities.mapValues(\.created) == counts)
    #expect(Set(try made.linkCounts("Note", "tags")) == [3])
    #expect(Set(try made.linkCounts("Category", "notes")) == [10])
    #expect(try made.linkCounts("Note", "category").reduce(0, +) == 80)
  }

  @Test("a range of links is gone through")
  func range() throws {
    let made = try Made(
      NoteModel.model(),
      GenerationPlan(counts: counts, fanOuts: ["Note.tags": 1...4], seed: 1)
    )
    #expect(Set(try made.linkCounts("Note", "tags")) == [1, 2, 3, 4])
  }

  @Test("entities that others have to be linked to get objects")
  func needed() throws {
    let model = NoteModel.model { $0["Note"]?.relationshipsByName["category"]?.isOptional = false }
    let made = try Made(model, GenerationPlan(counts: ["Note": 100]))
    #expect(made.report.entities.mapValues(\.created) == ["Note": 100, "Category": 10])
    #expect(Set(try made.linkCounts("Note", "category")) == [1])
  }

  @Test("rules of values are kept")
  func rules() throws {
    let model = NoteModel.model { entities in
      entities["Note"]?.attributesByName["title"]?.setValidationPredicates(
        [NSPredicate(format: "SELF MATCHES %@", "[A-Z]{3}[0-9]{4}")],
        withValidationWarnings: ["pattern"]
      )
      entities["Note"]?.attributesByName["rank"]?.setValidationPredicates(
        [NSPredicate(format: "SELF >= 3"), NSPredicate(format: "SELF <= 5")],
        withValidationWarnings: ["low", "high"]
      )
      entities["Tag"]?.attributesByName["name"]?.setValidationPredicates(
        [NSPredicate(format: "length >= 2"), NSPredicate(format: "length <= 4")],
        withValidationWarnings: ["short", "long"]
      )
    }
    let made = try Made(model, GenerationPlan(counts: counts, seed: 9))
    #expect(Set(try made.map("Note") { $0.value(forKey: "rank") as? Int }) == [3, 4, 5])
    #expect(Set(try made.map("Note") { $0.value(forKey: "title") as? String }).count == 500)
    #expect(
      try made.map("Tag") { ($0.value(forKey: "name") as? String)?.count ?? 0 }.allSatisfy((2...4).contains)
    )
  }

  @Test("hints in the user info count")
  func hints() throws {
    let model = NoteModel.model { entities in
      let title = entities["Note"]?.attributesByName["title"]
      title?.userInfo = ["generate.as": "email"]
      entities["Note"]?.attributesByName["rank"]?.userInfo = ["generate.values": "7, 9"]
      entities["Note"]?.relationshipsByName["tags"]?.userInfo = ["generate.fanOut": "2"]
    }
    let made = try Made(model, GenerationPlan(counts: counts, seed: 9))
    #expect(
      try made.map("Note") { ($0.value(forKey: "title") as? String ?? "").hasSuffix("@example.com") }
        .allSatisfy { $0 }
    )
    #expect(Set(try made.map("Note") { $0.value(forKey: "rank") as? Int }) == [7, 9])
    #expect(Set(try made.linkCounts("Note", "tags")) == [2])
  }

  @Test("more objects than words have numbered names")
  func many() throws {
    let made = try Made(NoteModel.model(), GenerationPlan(counts: ["Tag": 20_000]))
    #expect(made.report.total.created == 20_000)
  }

  @Test("data that cannot be generated are reported in one line")
  func errors() throws {
    func message(_ plan: GenerationPlan, _ model: NSManagedObjectModel = NoteModel.model()) -> String {
      do {
        return "\(try Made.seed(model, plan).count) bytes"
      } catch {
        return "\(error)"
      }
    }
    #expect(
      message(GenerationPlan(counts: ["Notes": 1]))
        == "Notes: the model has no such entity; name one of Category, Note, Tag"
    )
    #expect(
      message(GenerationPlan(counts: counts, fanOuts: ["Note.category": 1...1]))
        == "Note.category: this is not a to-many relationship; name one as Entity.relationship"
    )
    let impossible = NoteModel.model { entities in
      entities["Tag"]?.attributesByName["name"]?.setValidationPredicates(
        [NSPredicate(format: "SELF MATCHES %@", "(?=x)y")],
        withValidationWarnings: ["pattern"]
      )
    }
    #expect(
      message(GenerationPlan(counts: ["Tag": 20]), impossible) == """
        Tag.name: no texts can be made for the regular expression (?=x)y, because of "(?"; give values to choose from \
        in the attribute's user info, as generate.values
        """
    )
    let few = NoteModel.model { entities in
      entities["Tag"]?.attributesByName["name"]?.userInfo = ["generate.values": "a,b,c"]
    }
    #expect(
      message(GenerationPlan(counts: counts), few) == """
        Tag.name: there are not enough values to tell 20 objects apart; make fewer objects, or loosen the attribute's \
        rules
        """
    )
  }

  /// Orders with a minimum number of lines, and lines that must have an order.
  private static func orders(least: Int) -> NSManagedObjectModel {
    let (order, line) = (
      makeEntity("Order", makeAttribute("number", optional: false)), makeEntity("Line", makeAttribute("sku"))
    )
    relate(order, "lines", isToMany: true, line, "order", isToMany: false)
    for case let lines as NSRelationshipDescription in order.properties {
      (lines.minCount, lines.isOptional) = (least, least == 0)
    }
    for case let order as NSRelationshipDescription in line.properties { order.isOptional = false }
    order.uniquenessConstraints = [["number"]]
    return makeModel([order, line])
  }

  @Test("a fan-out makes the objects that it leads to", arguments: [0, 1])
  func fanOutOfOthers(least: Int) throws {
    for (counts, expected) in [(2...2, [2, 2, 2, 2, 2]), (1...3, [1, 1, 2, 2, 3])] {
      let plan = GenerationPlan(counts: ["Order": 5], fanOuts: ["Order.lines": counts])
      let made = try Made(Self.orders(least: least), plan)
      #expect(try made.linkCounts("Order", "lines").sorted() == expected)
      #expect(Set(try made.linkCounts("Line", "order")) == [1])
    }
  }

  @Test("too few objects for a fan-out that has to reach all are said, and nothing is written")
  func fewForFanOut() {
    let plan = GenerationPlan(counts: ["Order": 5, "Line": 5], fanOuts: ["Order.lines": 2...2])
    #expect {
      try DataGenerator(model: Self.orders(least: 1), plan: plan)
    } throws: {
      ($0 as? GenerationError)?.place == "Order.lines"
    }
  }

  @Test("a required link within an entity leads to another object", arguments: [2, 3, 7])
  func friends(count: Int) throws {
    let person = makeEntity("Person", makeAttribute("name", optional: false))
    relate(person, "friends", isToMany: true, person, "friendOf", isToMany: true)
    for case let friends as NSRelationshipDescription in person.properties where friends.name == "friends" {
      (friends.minCount, friends.isOptional) = (1, false)
    }
    let plan = GenerationPlan(counts: ["Person": count], fanOuts: ["Person.friends": 1...1])
    let made = try Made(makeModel([person]), plan)
    #expect(try made.linkCounts("Person", "friends") == Array(repeating: 1, count: count))
  }

  @Test("an attribute without values stops its entity and those that need it, and no other")
  func omissions() throws {
    func model(isNeeded: Bool) -> NSManagedObjectModel {
      NoteModel.model { entities in
        let colour = makeAttribute("colour", .transformableAttributeType, optional: false)
        colour.attributeValueClassName = "Colour"
        entities["Category"]?.properties.append(colour)
        let hint = makeAttribute("hint", .transformableAttributeType)
        hint.userInfo = ["generate.values": "a"]
        hint.attributeValueClassName = "Colour"
        entities["Tag"]?.properties.append(hint)
        entities["Note"]?.relationshipsByName["category"]?.isOptional = !isNeeded
      }
    }
    let made = try Made(model(isNeeded: false), GenerationPlan(counts: counts))
    #expect(made.report.entities.mapValues(\.created) == ["Note": 500, "Tag": 20])
    let needing = model(isNeeded: true)
    let generator = try DataGenerator(model: needing, plan: GenerationPlan(counts: counts))
    #expect(generator.counts.map(\.entity) == ["Tag"])
    #expect(generator.omissions.map(\.place) == ["Category.colour", "Note.category", "Tag.hint"])
    #expect(try Made(needing, GenerationPlan(counts: counts)).report.total.created == 20)
  }

  @Test(
    "a choice that does not fit its attribute is an error that names the value",
    arguments: [
      (NSAttributeType.integer16AttributeType, "99999"), (.dateAttributeType, "tomorrow"),
      (.UUIDAttributeType, "1"), (.decimalAttributeType, "ten"), (.binaryDataAttributeType, "?"),
    ] as [(NSAttributeType, String)]
  )
  func choices(type: NSAttributeType, text: String) {
    let attribute = makeAttribute("value", type, optional: false)
    attribute.userInfo = ["generate.values": text]
    let model = makeModel([makeEntity("Thing", attribute)])
    #expect {
      try DataGenerator(model: model, plan: GenerationPlan(counts: ["Thing": 1]))
    } throws: {
      "\($0)".contains("generate.values has \"\(text)\", which is not a value of the attribute's type")
    }
  }

  @Test("a cancelled progress stops the work, and no file is left")
  func cancellation() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let progress = Progress(totalUnitCount: 0)
    progress.cancel()
    let generator = try DataGenerator(model: NoteModel.model(), plan: GenerationPlan(counts: counts))
    #expect(throws: CocoaError.self) {
      try generator.write(to: folder.appendingPathComponent("made.jsonl"), progress: progress)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
  }

  @Test("progress counts the records")
  func progress() throws {
    let progress = Progress(totalUnitCount: 0)
    try DataGenerator(model: NoteModel.model(), plan: GenerationPlan(counts: counts)).write(
      as: .json,
      progress: progress
    ) {
      _ in
    }
    #expect(progress.totalUnitCount == 528)
    #expect(progress.completedUnitCount == 528)
  }
}
