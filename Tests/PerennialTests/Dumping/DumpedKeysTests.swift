import CoreData
import Foundation
import Seeding
import TestModels
import Testing

@testable import PerennialCommands

/// Natural keys whose values come from related objects.
@Suite("Keys of a dump")
struct DumpedKeysTests {
  /// A `Recipe` has `Step`s, whose natural key is the recipe and a number. A `Step` has `Note`s, whose key is the step and a
  /// day. A `Passport` has only its `Recipe` as its key.
  private static func model(isOrdered: Bool) -> NSManagedObjectModel {
    let (recipe, step, note) = (makeEntity("Recipe"), makeEntity("Step"), makeEntity("Note"))
    let passport = makeEntity("Zulu")
    recipe.properties.append(makeAttribute("name", .stringAttributeType))
    step.properties += [
      makeAttribute("number", .integer32AttributeType), makeAttribute("text", .stringAttributeType),
    ]
    note.properties.append(makeAttribute("day", .dateAttributeType))
    relate(recipe, "steps", isToMany: true, isOrdered: isOrdered, step, "recipe", isToMany: false)
    relate(step, "notes", isToMany: true, isOrdered: false, note, "step", isToMany: false)
    relate(recipe, "zulu", isToMany: false, passport, "recipe", isToMany: false)
    relate(note, "followers", isToMany: true, isOrdered: false, note, "after", isToMany: false)
    step.uniquenessConstraints = [["recipe", "number"]]
    note.uniquenessConstraints = [["day", "step"]]
    passport.uniquenessConstraints = [["recipe"]]
    return makeModel([recipe, step, note, passport])
  }

  private static let seed = """
    {"recipes": [{"name": "Bread"}, {"name": "Soup"}], "zulus": [{"recipe": "Bread"}],
     "steps": [
       {"number": 2, "recipe": "Bread", "text": "Bake"}, {"number": 1, "recipe": "Bread", "text": "Knead"},
       {"number": 1, "recipe": "Soup", "text": "Boil"}],
     "notes": [
       {"day": "2024-03-17", "step": {"number": 1, "recipe": "Bread"}},
       {"day": "2024-03-17", "step": {"number": 1, "recipe": "Soup"},
        "after": {"day": "2024-03-17", "step": {"number": 1, "recipe": "Bread"}}}]}
    """

  private func inStore<Result>(
    isOrdered: Bool,
    _ body: (NSPersistentStoreCoordinator, URL) throws -> Result
  ) throws -> Result {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let coordinator = NSPersistentStoreCoordinator(managedObjectModel: Self.model(isOrdered: isOrdered))
    let store = try coordinator.addPersistentStore(
      type: .sqlite,
      at: folder.appendingPathComponent("A.sqlite")
    )
    defer { try? coordinator.remove(store) }
    try Seeder(.data(Data(Self.seed.utf8), name: "seed.json")).runAndWait(in: coordinator)
    return try body(coordinator, folder)
  }

  @Test("keys with a relationship are dumped completely, and the dump loads", arguments: [true, false])
  func relationships(isOrdered: Bool) throws {
    try inStore(isOrdered: isOrdered) { coordinator, folder in
      let dump = try StoreDump(coordinator).seed()
      let text = try DumpRoundTrip.json(dump)
      #expect(text.contains(#"{"number":1,"recipe":"Bread","text":"Knead"}"#), "\(text)")
      #expect(text.contains(#""after":{"day":"2024-03-17T00:00:00Z","step":{"number":1,"recipe":"Bread"}}"#))
      #expect(text.contains(#"{"number":2,"recipe":"Bread"}"#) == isOrdered)
      #expect(text.contains(#"    {"recipe":"Bread"}"#))
      #expect(!text.contains("$"))
      for format in [DumpFormat.json, .jsonl, .yaml, .plist] {
        #expect(try DumpRoundTrip(coordinator.managedObjectModel, dump, in: folder).run(format) == .equal)
      }
    }
  }

  @Test(
    "a part of the store loads, too, though its objects need less to be told apart",
    arguments: [true, false]
  )
  func parts(isOrdered: Bool) throws {
    try inStore(isOrdered: isOrdered) { coordinator, folder in
      let entities = coordinator.managedObjectModel.entitiesByName
      let step = try #require(entities["Step"])
      let roots = DumpSelection.Roots.entities([(step, NSPredicate(format: "text == %@", "Knead"))])
      let dump = try StoreDump(coordinator).seed(of: DumpSelection(roots: roots))
      #expect(dump.entities.map(\.name).contains("Recipe"))
      #expect(
        try DumpRoundTrip(coordinator.managedObjectModel, dump, in: folder).run(.json) == .equal
      )
    }
  }

  @Test("keys with dates, numbers and relationships identify an object in any spelling")
  func object() throws {
    try inStore(isOrdered: false) { coordinator, _ in
      let note = try #require(coordinator.managedObjectModel.entitiesByName["Note"])
      for day in ["2024-03-17", "2024-03-17T00:00:00Z", "2024-03-17T01:00:00+01:00", "1710633600"] {
        let selection = DumpSelection(roots: .object(note, key: [day, "Soup", "1"]))
        let dump = try StoreDump(coordinator).seed(of: selection)
        #expect(dump.entities.first { $0.name == "Note" }?.records.count == 2)
      }
      for (key, problem) in [
        (
          ["2024-03-17"],
          "the natural key of Note is its day, step.recipe.name, step.number; give 3 values for it"
        ),
        (["noon", "Soup", "1"], #"the string "noon" is not a value for a Date"#),
        (["2024-03-17", "Soup", "9"], "there is no Note with the day, step 2024-03-17, Soup, 9"),
      ] {
        let selection = DumpSelection(roots: .object(note, key: key))
        let error = #expect(throws: (any Error).self) { try StoreDump(coordinator).seed(of: selection) }
        #expect(error.map { "\($0)" }?.contains(problem) == true, "\(error.map { "\($0)" } ?? "")")
      }
    }
  }

  @Test("objects that were not chosen are dumped as references, which load if the objects exist")
  func references() throws {
    try inStore(isOrdered: false) { coordinator, _ in
      let note = try #require(coordinator.managedObjectModel.entitiesByName["Note"])
      let dump = try StoreDump(coordinator).seed(
        of: DumpSelection(roots: .entities([(note, nil)]), references: .keys)
      )
      #expect(dump.entities.map(\.name) == ["Note"] && dump.omissions.isEmpty)
      let report = try Seeder(
        .data(Data(try DumpRoundTrip.json(dump).utf8), name: "notes.json")
      ).runAndWait(in: coordinator)
      #expect(report.total.unchanged == 2)
    }
  }
}
