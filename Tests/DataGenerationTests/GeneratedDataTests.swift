import CoreData
import DataGeneration
import Foundation
import Seeding
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

  @Test("as many objects are made and linked as was said", arguments: GeneratedSeedFormat.allCases)
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

  @Test("what cannot be made is said in one line")
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
        == "Note.category: this is no to-many relationship; name one as Entity.relationship"
    )
    let impossible = NoteModel.model { entities in
      entities["Tag"]?.attributesByName["name"]?.setValidationPredicates(
        [NSPredicate(format: "SELF MATCHES %@", "(?=x)y")],
        withValidationWarnings: ["pattern"]
      )
    }
    #expect(
      message(GenerationPlan(counts: counts), impossible) == """
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
