import Foundation
import Testing

@Suite(
  "perennial migrate, of a store that would lose something",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct MigrateLossTests {
  private static let title = #"<attribute name="title" attributeType="String"/>"#
  private static let name = #"<attribute name="name" optional="YES" attributeType="String"/>"#

  private let program: Program

  init() throws {
    program = try Program()
    try program.seed()
    try write(#"<entity name="Note">\#(Self.title)</entity>"#, to: "Titles")
  }

  private func write(_ entities: String, to name: String) throws {
    try program.write("<model>\(entities)</model>", to: "\(name).xcdatamodel/contents")
  }

  private func dump() throws -> String { try program.run("dump", "Notes.sqlite").output }

  @Test(
    "perennial migrate stops at a model that lacks entities and attributes, and names them all",
    arguments: [[], ["--dry-run"], ["--backup"]]
  )
  func refused(_ options: [String]) throws {
    let before = try dump()
    let outcome = try program.run(["migrate", "Notes.sqlite", "--to", "Titles.xcdatamodel"] + options)
    #expect(outcome.status == 1 && outcome.errorLines.count == 1)
    for words in [
      "would lose 6 objects of Category, the values of Note.contents in 36 objects", "8 objects of Tag",
      "--drop Category --drop Note.contents", "nothing was migrated",
    ] {
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
    }
    // The report does not list links to lost objects as a further loss.
    #expect(!outcome.errors.contains("Note.category") && !outcome.errors.contains("Note.tags"))
    #expect(try dump() == before && !before.isEmpty)
    #expect(!program.exists("Notes.sqlite.backup"))
  }

  @Test("perennial migrate continues when each loss is allowed, and names the ones that are not")
  func named() throws {
    let migrate = ["migrate", "Notes.sqlite", "--to", "Titles.xcdatamodel"]
    let outcome = try program.run(migrate + Program.dropping.dropLast(2))
    #expect(outcome.status == 1 && outcome.errors.hasSuffix("allow the loss with --drop Note.updatedAt\n"))
    let all = try program.run(migrate + Program.dropping)
    #expect(all.status == 0, "\(all.errors)")
  }

  @Test("perennial migrate continues if the removed entity has no objects and the attribute no values")
  func withoutValues() throws {
    try program.execute("UPDATE ZNOTE SET ZUPDATEDAT = NULL, ZCATEGORY = NULL; DELETE FROM ZCATEGORY")
    let left = ["Tag", "Note.contents", "Note.createdAt"].flatMap { ["--drop", $0] }
    let outcome = try program.run(["migrate", "Notes.sqlite", "--to", "Titles.xcdatamodel"] + left)
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("perennial migrate names a lost relationship, whose loss can be allowed for either side")
  func relationship() throws {
    func model(_ ofNote: String, _ ofTag: String) -> String {
      #"<entity name="Note">\#(Self.title)\#(ofNote)</entity><entity name="Tag">\#(Self.name)\#(ofTag)</entity>"#
    }
    func toMany(_ name: String, _ destination: String, _ inverse: String) -> String {
      #"<relationship name="\#(name)" optional="YES" toMany="YES" destinationEntity="\#(destination)" "#
        + #"inverseName="\#(inverse)" inverseEntity="\#(destination)"/>"#
    }
    try write(model(toMany("tags", "Tag", "notes"), toMany("notes", "Note", "tags")), to: "m/Old")
    try write(model("", ""), to: "m/New")
    try program.write(
      #"{"tags": [{"name": "x"}], "notes": [{"title": "a", "tags": ["x"]}, {"title": "b"}]}"#,
      to: "linked.json"
    )
    for side in ["Note.tags", "Tag.notes"] {
      let store = "\(side).sqlite"
      let seeded = try program.run("seed", "m/Old.xcdatamodel", "linked.json", "--store", store)
      #expect(seeded.status == 0, "\(seeded.errors)")
      let migrate = ["migrate", store, "--from", "m/Old.xcdatamodel", "--to", "m/New.xcdatamodel"]
      let refused = try program.run(migrate)
      #expect(refused.errors.contains("the destinations of Note.tags in 1 object"), "\(refused.errors)")
      let allowed = try program.run(migrate + ["--drop", side])
      #expect(allowed.status == 0, "\(allowed.errors)")
    }
  }

  @Test(
    "perennial migrate stops at a mapping model that leaves out an entity, and names its objects",
    arguments: [[], ["--dry-run"]]
  )
  func mapping(_ options: [String]) throws {
    let tag = #"<entity name="Tag">\#(Self.name)</entity>"#
    let rank = #"<attribute name="rank" optional="YES" attributeType="String"/>"#
    try write(#"<entity name="Note">\#(Self.title)</entity>\#(tag)"#, to: "App/Old")
    try write(#"<entity name="Note">\#(Self.title)\#(rank)</entity>\#(tag)"#, to: "App/New")
    try program.write(
      """
      <?xml version="1.0"?>
      <database>
      <object type="XDDEVMAPPINGMODEL" id="z1">
      <attribute name="sourcemodelpath">App/Old.xcdatamodel</attribute>
      <attribute name="destinationmodelpath">App/New.xcdatamodel</attribute>
      <relationship name="entitymappings" idrefs="z2"/></object>
      <object type="XDDEVENTITYMAPPING" id="z2"><attribute name="sourcename">Note</attribute>
      <attribute name="destinationname">Note</attribute><relationship name="attributemappings" idrefs="z3"/></object>
      <object type="XDDEVATTRIBUTEMAPPING" id="z3"><attribute name="name">title</attribute></object>
      </database>
      """,
      to: "App/OldToNew.xcmappingmodel/xcmapping.xml"
    )
    try program.write(#"{"tags": [{"name": "x"}], "notes": [{"title": "a"}]}"#, to: "two.json")
    let seeded = try program.run("seed", "App/Old.xcdatamodel", "two.json", "--store", "Two.sqlite")
    #expect(seeded.status == 0, "\(seeded.errors)")
    let migrate = [
      "migrate", "Two.sqlite", "--from", "App/Old.xcdatamodel", "--to", "App/New.xcdatamodel",
      "--mapping", "App/OldToNew.xcmappingmodel",
    ]
    let refused = try program.run(migrate + options)
    #expect(
      refused.status == 1 && refused.errors.contains("would lose 1 object of Tag;"),
      "\(refused.errors)"
    )
    let allowed = try program.run(migrate + options + ["--drop", "Tag"])
    #expect(allowed.status == 0, "\(allowed.errors)")
  }

  @Test("perennial doctor reports the losses of a migration")
  func doctor() throws {
    let outcome = try program.run("doctor", "Titles.xcdatamodel", "Notes.sqlite")
    #expect(outcome.status == 1)
    #expect(
      outcome.output.contains("a migration to Titles.xcdatamodel would lose 6 objects of Category"),
      "\(outcome.output)"
    )
  }
}
