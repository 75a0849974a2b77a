import Foundation
import Testing

@testable import PerennialCommands

@Suite("perennial doctor", .enabled(if: Program.url != nil, "the program perennial is not beside the tests"))
struct DoctorCommandTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.seed()
  }

  /// The report for a machine: whether everything is in order, and the verdict, subject and text of each line.
  private struct Report: Decodable {
    struct Line: Decodable {
      let state: String
      let subject: String
      let words: String
      let remedy: String?
    }

    let version: String
    let isRight: Bool
    let diagnoses: [Line]

    func lines(of subject: String) -> [String] {
      diagnoses.filter { $0.subject == subject }.map { "\($0.state) \($0.words)" }
    }
  }

  private func report(_ subjects: String...) throws -> (status: Int32, report: Report) {
    let outcome = try program.run(["doctor"] + subjects + ["--json"])
    #expect(outcome.errors.isEmpty, "\(outcome.errors)")
    return (outcome.status, try JSONDecoder().decode(Report.self, from: Data(outcome.output.utf8)))
  }

  @Test("the folder of a package has its manifest and each of its models looked at")
  func package() throws {
    try program.write("// swift-tools-version: 6.1\n// CoreDataModelPlugin", to: "Package.swift")
    let (status, found) = try report(".")
    #expect(status == 0 && found.lines(of: "package").count == 1)
    #expect(found.lines(of: "model").contains { $0.hasPrefix("right ") && $0.contains("Notes.xcdatamodeld") })

    try program.write("// swift-tools-version: 6.1", to: "Package.swift")
    let without = try report(".").report.lines(of: "package")
    #expect(
      without.first?.hasPrefix("note ") == true
        && without.first?.contains("no target uses CoreDataModelPlugin") == true
    )
  }

  @Test("the command, the system and the libraries are right on a machine that builds it")
  func machine() throws {
    let (status, report) = try report()
    #expect(status == 0 && report.isRight)
    #expect(report.version == PerennialVersion.current)
    for subject in ["command", "system", "SQLite", "zlib", "libcurl"] {
      let lines = report.lines(of: subject)
      #expect(lines.count == 1 && lines[0].hasPrefix("right "), "\(subject): \(lines)")
    }
    #expect(report.lines(of: "command")[0].contains("Command"))
    #expect(report.lines(of: "swift").count == 1)
  }

  @Test("a model and a store of it are right, whichever is named first")
  func whole() throws {
    for subjects in [["Notes.xcdatamodeld", "Notes.sqlite"], ["Notes.sqlite", "Notes.xcdatamodeld"]] {
      let outcome = try program.run(["doctor"] + subjects)
      #expect(outcome.status == 0, "\(outcome.output)")
      for pattern in [
        /ok +model +Notes.xcdatamodeld: 3 entities/,
        /ok +store +Notes.sqlite: of type SQLite, with the identity/,
        /ok +store +Notes.xcdatamodeld fits it/, /ok +store +it opens/, /ok +store +nothing is wrong in it/,
      ] {
        #expect(outcome.output.contains(pattern), "\(outcome.output)")
      }
      #expect(outcome.output.hasSuffix("\n\nnothing is wrong\n"))
    }
  }

  @Test("a store's model is searched next to it, in it, and in its tables", arguments: [0, 1, 2])
  func modelPlaces(step: Int) throws {
    if step > 0 {
      try FileManager.default.removeItem(at: program.folder.appendingPathComponent("Notes.xcdatamodeld"))
    }
    if step > 1 { try program.forgetModel() }
    let words = [
      "right Notes.xcdatamodeld fits it", "right its model is in it",
      "note there is no model of it in its folder or in it; its tables alone tell of its entities",
    ]
    let (status, report) = try report("Notes.sqlite")
    #expect(status == 0)
    #expect(report.lines(of: "store").contains(words[step]), "\(report.lines(of: "store"))")
  }

  @Test("a store of another model is wrong, with both remedies, and is not looked into")
  func otherModel() throws {
    try program.write(
      "<model><entity name=\"Other\"><attribute name=\"name\" attributeType=\"String\"/></entity></model>",
      to: "Other.xcdatamodel/contents"
    )
    let (status, report) = try report("Other.xcdatamodel", "Notes.sqlite")
    #expect(status == 1 && !report.isRight)
    let line = try #require(report.diagnoses.first { $0.state == "wrong" })
    #expect(line.words == "it was made with another model than Other.xcdatamodel")
    #expect(line.remedy?.contains("perennial migrate --dry-run Notes.sqlite --to Other.xcdatamodel") == true)
    #expect(!report.lines(of: "store").contains("right it opens"))
  }

  @Test("each thing that perennial check finds is a line with its remedy")
  func findings() throws {
    try program.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Note'")
    try program.execute("UPDATE ZNOTE SET ZTITLE = NULL WHERE Z_PK = 1")
    let outcome = try program.run("doctor", "Notes.sqlite")
    #expect(outcome.status == 1)
    #expect(outcome.output.contains(/wrong +store +primaryKeys: .* last key of Note is 1/))
    #expect(outcome.output.contains("to do: perennial check Notes.sqlite --repair can set its Z_MAX to 36"))
    #expect(outcome.output.contains("to do: give them one"))
    #expect(outcome.output.hasSuffix("\n\n2 things are wrong\n"), "\(outcome.output)")
    #expect(outcome.errors.isEmpty)
  }

  @Test("perennial doctor notes join tables whose names this library chose")
  func names() throws {
    try program.write(Program.peopleModel, to: "People.xcdatamodel/contents")
    let made = try program.run(
      "generate-data",
      "People.xcdatamodel",
      "--count",
      "Person=3",
      "--store",
      "p.sqlite"
    )
    #expect(made.status == 0, "\(made.errors)")
    let (status, report) = try report("p.sqlite")
    #expect(status == 0)
    let lines = report.lines(of: "store")
    #expect(lines.contains { $0.hasPrefix("note the name of the join table Z_1FOLLOWING ") }, "\(lines)")
    #expect(lines.contains("right nothing is wrong in it"))
  }

  @Test("a store in XML is opened, which reads all of it")
  func xml() throws {
    #expect(try program.run("copy", "Notes.sqlite", "Notes.xml").status == 0)
    let (status, report) = try report("Notes.xml")
    #expect(status == 0)
    #expect(report.lines(of: "store").contains("right it opens"))
    #expect(report.lines(of: "store").contains { $0.hasPrefix("note it is read as a whole") })
  }

  @Test("a missing path, or one that is neither model nor store, is wrong, and the rest is still checked")
  func broken() throws {
    try program.write("<model>", to: "Broken.xcdatamodel/contents")
    try program.write("a letter", to: "letter.txt")
    for (subjects, names) in [
      (["Broken.xcdatamodel"], ["Broken.xcdatamodel"]), (["None.momd"], ["None.momd"]),
      (["letter.txt"], ["letter.txt"]), (["none.sqlite"], ["none.sqlite"]),
      (["Broken.xcdatamodel", "letter.txt"], ["Broken.xcdatamodel", "letter.txt"]),
    ] {
      let outcome = try program.run(["doctor"] + subjects)
      #expect(outcome.status == 1)
      let wrong = outcome.output.split(separator: "\n").filter { $0.hasPrefix("wrong") }
      #expect(wrong.count == names.count, "\(outcome.output)")
      for (line, name) in zip(wrong, names) { #expect(line.contains(name)) }
    }
    let (status, report) = try report("Broken.xcdatamodel", "Notes.sqlite")
    #expect(status == 1)
    #expect(report.lines(of: "store").contains("right nothing is wrong in it"))
  }

  @Test("two models or two stores are wrong usage")
  func usage() throws {
    #expect(try program.run("doctor", "A.momd", "B.mom").status == 64)
    #expect(try program.run("doctor", "a.sqlite", "b.sqlite").status == 64)
  }

  @Test("perennial doctor writes nothing: the store's bytes are unchanged")
  func readsOnly() throws {
    let file = program.folder.appendingPathComponent("Notes.sqlite")
    let before = try Data(contentsOf: file)
    _ = try program.run("doctor", "Notes.xcdatamodeld", "Notes.sqlite")
    #expect(try Data(contentsOf: file) == before)
  }
}
