import Foundation
import Testing

@Suite(
  "perennial compile with a mapping model",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct CompileMappingTests {
  private static let mapping = """
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
    """

  private func program() throws -> Program {
    let program = try Program()
    for (name, property) in [
      ("Old", ""), ("New", #"<attribute name="rank" optional="YES" attributeType="String"/>"#),
    ] {
      try write(
        #"<model><entity name="Note"><attribute name="title" attributeType="String"/>\#(property)</entity></model>"#,
        to: "App/\(name).xcdatamodel/contents",
        program
      )
    }
    try write(Self.mapping, to: "App/Maps/OldToNew.xcmappingmodel/xcmapping.xml", program)
    return program
  }

  private func write(_ text: String, to path: String, _ program: Program) throws {
    let folder = program.folder.appendingPathComponent(path).deletingLastPathComponent()
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    try program.write(text, to: path)
  }

  @Test("perennial compile finds a mapping model's versions nearby, and equal input gives equal bytes")
  func compile() throws {
    let program = try program()
    let file = program.folder.appendingPathComponent("Map.cdm")
    let outcome = try program.run("compile", "App/Maps/OldToNew.xcmappingmodel", "-o", "Map.cdm")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.hasPrefix("Map.cdm: from /"))
    #expect(outcome.output.contains("/App/Old.xcdatamodel, to /"))
    let data = try Data(contentsOf: file)
    _ = try program.run("compile", "App/Maps/OldToNew.xcmappingmodel", "-o", "Map.cdm")
    #expect(try Data(contentsOf: file) == data)
  }

  @Test("perennial compile finds a mapping model's versions in a renamed folder")
  func renamedFolder() throws {
    let program = try program()
    try FileManager.default.moveItem(
      at: program.folder.appendingPathComponent("App"),
      to: program.folder.appendingPathComponent("Renamed")
    )
    let outcome = try program.run("compile", "Renamed/Maps/OldToNew.xcmappingmodel", "-o", "Map.cdm")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("/Renamed/Old.xcdatamodel, to /"))
  }

  @Test("perennial compile accepts explicit versions, and one that does not fit is an error with the line")
  func given() throws {
    let program = try program()
    let moved = program.folder.appendingPathComponent("Else.xcdatamodel")
    try FileManager.default.moveItem(
      at: program.folder.appendingPathComponent("App/Old.xcdatamodel"),
      to: moved
    )
    let missing = try program.run("compile", "App/Maps/OldToNew.xcmappingmodel", "-o", "Map.cdm")
    #expect(missing.status == 1)
    #expect(
      missing.errors.contains(
        "xcmapping.xml:3: object z1: the source model App/Old.xcdatamodel is not in the package"
      )
    )
    let given = try program.run(
      "compile",
      "App/Maps/OldToNew.xcmappingmodel",
      "--from",
      "Else.xcdatamodel",
      "-o",
      "Map.cdm"
    )
    #expect(given.status == 0, "\(given.errors)")
    try write("<model><entity name=\"Memo\"/></model>", to: "Memo.xcdatamodel/contents", program)
    let wrong = try program.run(
      "compile",
      "App/Maps/OldToNew.xcmappingmodel",
      "--from",
      "Else.xcdatamodel",
      "--to",
      "Memo.xcdatamodel",
      "-o",
      "Wrong.cdm"
    )
    #expect(wrong.status == 1)
    #expect(
      wrong.errors.contains("xcmapping.xml:7: object z2, Note: the model has no entity Note"),
      "\(wrong.errors)"
    )
    let other = try program.run(
      "compile",
      "App/Maps/OldToNew.xcmappingmodel",
      "--from",
      "Nowhere.xcdatamodel",
      "-o",
      "Map.cdm"
    )
    #expect(other.status == 1)
    #expect(other.errors.contains("Nowhere.xcdatamodel"))
  }

  @Test("a compiled mapping migrates like the mapping model itself")
  func migrate() throws {
    let program = try program()
    _ = try program.run("compile", "App/Maps/OldToNew.xcmappingmodel", "-o", "Map.cdm")
    try program.write(#"{"Note": [{"title": "a"}, {"title": "b"}]}"#, to: "two.json")
    for mapping in ["Map.cdm", "App/Maps/OldToNew.xcmappingmodel"] {
      let store = "\(mapping.hasSuffix("cdm") ? "A" : "B").sqlite"
      let seeded = try program.run("seed", "App/Old.xcdatamodel", "two.json", "--store", store)
      #expect(seeded.status == 0, "\(seeded.errors)")
      let migrated = try program.run("migrate", store, "--to", "App/New.xcdatamodel", "--mapping", mapping)
      #expect(migrated.status == 0, "\(migrated.errors)")
      let found = try program.run("fetch", store, "Note", "--model", "App/New.xcdatamodel", "--count")
      #expect(found.output.contains("2"), "\(found.errors)")
    }
  }

  @Test("options and names that do not belong together are wrong usage")
  func usage() throws {
    let program = try program()
    for arguments in [
      ["App/Maps/OldToNew.xcmappingmodel", "-o", "Map.momd"], ["App/Old.xcdatamodel", "-o", "Map.cdm"],
      ["App/Old.xcdatamodel", "-o", "A.momd", "--from", "App/Old.xcdatamodel"],
      ["App/Maps/OldToNew.xcmappingmodel", "-o", "Map.cdm", "--module", "App"],
    ] {
      #expect(try program.run(["compile"] + arguments).status == 64, "\(arguments)")
    }
  }
}
