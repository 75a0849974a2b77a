import Foundation
import Testing

@Suite(
  "perennial seed diff",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct SeedDiffCommandTests {
  /// Steps and marks have no natural key.
  private static let model = """
    <model><entity name="Recipe"><attribute name="title" attributeType="String"/>\
    <relationship name="steps" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade" \
    destinationEntity="Step" inverseName="recipe" inverseEntity="Step"/>\
    <uniquenessConstraints><uniquenessConstraint><constraint value="title"/></uniquenessConstraint>\
    </uniquenessConstraints></entity>\
    <entity name="Step"><attribute name="text" optional="YES" attributeType="String"/>\
    <relationship name="recipe" maxCount="1" deletionRule="Nullify" destinationEntity="Recipe" \
    inverseName="steps" inverseEntity="Recipe"/></entity>\
    <entity name="Mark"><attribute name="mark" optional="YES" attributeType="String"/></entity></model>
    """
  private static let seed = """
    {"recipes": [{"title": "Bread", "steps": [{"text": "Knead"}, {"text": "Bake"}]}],
     "marks": [{"mark": "a"}, {"mark": "a"}, {"mark": "b"}]}
    """

  private func seeded() throws -> Program {
    let program = try Program()
    try program.write(Self.model, to: "Recipes.xcdatamodel/contents")
    try program.write(Self.seed, to: "recipes.json")
    let seeded = try program.run("seed", "Recipes.xcdatamodel", "recipes.json", "--store", "Recipes.sqlite")
    #expect(seeded.status == 0, "\(seeded.errors)")
    return program
  }

  @Test("seed diff ignores records without a natural key if the store has objects with their values")
  func withoutKeys() throws {
    let program = try seeded()
    let same = try program.run("seed", "diff", "Recipes.sqlite", "recipes.json")
    #expect(same.status == 0 && same.output.isEmpty, "\(same.output)\(same.errors)")
    let changed = Self.seed.replacingOccurrences(of: "Knead", with: "Mix")
      .replacingOccurrences(of: "{\"mark\": \"b\"}", with: "{\"mark\": \"c\"}")
    try program.write(changed, to: "changed.json")
    let other = try program.run("seed", "diff", "Recipes.sqlite", "changed.json")
    #expect(other.status == 1)
    let lines = other.output.split(separator: "\n")
    #expect(lines.count { $0.hasPrefix("+ Mark") } == 1 && lines.count { $0.hasPrefix("- Mark") } == 1)
    #expect(lines.contains { $0.contains("Step") || $0.contains("steps") }, "\(other.output)")
  }

  @Test("the file of an environment and a language is compared")
  func variants() throws {
    let program = try Program()
    try program.write(#"{"tags": [{"name": "Base"}]}"#, to: "s/seed.json")
    try program.write(#"{"tags": [{"name": "Demo"}]}"#, to: "s/seed.demo.json")
    try program.write(#"{"tags": [{"name": "Nederlands"}]}"#, to: "s/seed.nl.json")
    for option in [["--env", "demo"], ["--locale", "nl"], []] {
      let store = "S\(option.count)\(option.last ?? "").sqlite"
      let seeded = try program.run(["seed", "Notes.xcdatamodeld", "s", "--store", store] + option)
      #expect(seeded.status == 0, "\(seeded.errors)")
      let same = try program.run(["seed", "diff", store, "s"] + option)
      #expect(same.status == 0 && same.output.isEmpty, "\(same.output)\(same.errors)")
    }
    let other = try program.run("seed", "diff", "S0.sqlite", "s", "--env", "demo")
    #expect(other.status == 1 && other.output == "- Tag \"Base\"\n+ Tag \"Demo\"\n")
  }

  @Test("seed diff with a mode or a profile shows what such a seeding changes, like the dry run")
  func settings() throws {
    let program = try Program()
    try program.seed()
    try program.write(
      #"{"categories": [{"name": "Shrubs", "colorAsHex": "123456"}, {"name": "New", "colorAsHex": "0"}]}"#,
      to: "other.json"
    )
    for (option, signs) in [
      (["--mode", "upsert"], "+~"), (["--mode", "create-only"], "+"), (["--mode", "replace"], "+~-"),
      (["--profile", "reference"], "+~"), (["--profile", "starter"], "+"), (["--profile", "sync"], "+~"),
      (["--profile", "reset"], "+~-"),
    ] {
      let difference = try program.run(["seed", "diff", "Notes.sqlite", "other.json"] + option)
      #expect(difference.status == 1, "\(difference.errors)")
      #expect(Set(difference.output.split(separator: "\n").compactMap(\.first)) == Set(signs))
      // In these modes a seeding recreates all objects, so its report has more changes than the difference.
      if ["replace", "reset"].contains(option[1]) { continue }
      let dry = try program.run(
        ["seed", "Notes.xcdatamodeld", "other.json", "--store", "Notes.sqlite", "--always", "--dry-run"]
          + option
      )
      #expect(dry.output.hasPrefix(difference.output), "\(dry.output)")
    }
  }

  @Test("seed diff prints each object in JSON, and with --quiet only the status")
  func output() throws {
    let program = try Program()
    try program.seed()
    let same = try program.run("seed", "diff", "Notes.sqlite", "seed.json", "--json")
    #expect(same.status == 0 && same.output.contains("\"isDifferent\" : false"))
    try program.write(#"{"tags": [{"name": "Only"}]}"#, to: "other.json")
    let other = try program.run("seed", "diff", "Notes.sqlite", "other.json", "--json")
    #expect(other.status == 1)
    let parsed = try JSONSerialization.jsonObject(with: Data(other.output.utf8)) as? [String: Any]
    let changes = try #require(parsed?["changes"] as? [[String: Any]])
    #expect(changes.count { $0["kind"] as? String == "missing" } == 1)
    #expect(changes.contains { $0["kind"] as? String == "surplus" && $0["entity"] as? String == "Tag" })
    let quiet = try program.run("seed", "diff", "Notes.sqlite", "other.json", "--quiet")
    #expect(quiet.status == 1 && quiet.output.isEmpty)
    #expect(try program.run("seed", "diff", "Notes.sqlite", "other.json", "--quiet", "--json").status == 64)
  }
}
