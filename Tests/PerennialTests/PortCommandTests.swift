import Foundation
import Testing

@Suite("perennial port", .enabled(if: Program.url != nil, "the program perennial is not beside the tests"))
struct PortCommandTests {
  private func text(_ name: String, in program: Program) throws -> String {
    try String(contentsOf: program.folder.appendingPathComponent(name), encoding: .utf8)
  }

  private func sources() throws -> Program {
    let program = try Program()
    for folder in ["Sources/Model", "Sources/.build"] {
      let url = program.folder.appendingPathComponent(folder)
      try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }
    try program.write("@objc class A: NSObject {}\n", to: "Sources/Model/A.swift")
    try program.write("class B {}\n", to: "Sources/B.swift")
    try program.write("@objc class C {}\n", to: "Sources/.build/C.swift")
    try program.write("@objc class D {}\n", to: "Sources/D.txt")
    return program
  }

  @Test("perennial port rewrites sources in place, and only once")
  func rewriting() throws {
    let program = try sources()
    let first = try program.run("port", "Sources")
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output == "1 of 2 files rewritten, 0 places to do by hand\n")
    let ported = "#if canImport(ObjectiveC)\n@objc\n#endif\nclass A: NSObject {}\n"
    #expect(try text("Sources/Model/A.swift", in: program) == ported)
    #expect(try text("Sources/.build/C.swift", in: program) == "@objc class C {}\n")
    #expect(try text("Sources/D.txt", in: program) == "@objc class D {}\n")
    let second = try program.run("port", "Sources", "Sources/B.swift")
    #expect(second.status == 0)
    #expect(second.output == "0 of 2 files rewritten, 0 places to do by hand\n")
    #expect(try text("Sources/Model/A.swift", in: program) == ported)
  }

  @Test("--check writes nothing, and fails while there is something to rewrite")
  func checking() throws {
    let program = try sources()
    let outcome = try program.run("port", "--check", "Sources")
    #expect(outcome.status == 1)
    #expect(outcome.errors == "")
    #expect(
      outcome.output == """
        Sources/Model/A.swift:1:1: @objc goes into #if canImport(ObjectiveC)
        1 of 2 files to rewrite, 0 places to do by hand

        """
    )
    #expect(try text("Sources/Model/A.swift", in: program) == "@objc class A: NSObject {}\n")
    _ = try program.run("port", "Sources")
    #expect(try program.run("port", "--check", "Sources").status == 0)
  }

  @Test("parts that need manual work are listed by their position in the new file, with a failure status")
  func leftovers() throws {
    let program = try sources()
    try program.write("@objc class A {\n  let s = #selector(f)\n}\n", to: "Sources/Model/A.swift")
    let outcome = try program.run("port", "Sources")
    #expect(outcome.status == 1)
    #expect(outcome.output.hasPrefix("Sources/Model/A.swift:5:11: #selector needs Objective-C; "))
    #expect(outcome.output.hasSuffix("\n1 of 2 files rewritten, 1 places to do by hand\n"))
  }

  @Test("an unreadable source ends with one line that names it, and nothing is written")
  func failures() throws {
    let program = try sources()
    try program.write("class E {}", to: "E.swift")
    try Data([0x40, 0xFF, 0xFE]).write(to: program.folder.appendingPathComponent("Bad.swift"))
    for (path, words) in [
      ("None", "None: there is no such file or folder"),
      ("Sources/D.txt", "Sources/D.txt: this is not a Swift file"),
      ("Bad.swift", "Bad.swift: the file is not UTF-8"),
    ] {
      let outcome = try program.run("port", "Sources", path)
      #expect(outcome.status == 1)
      #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
      #expect(outcome.errors.contains(words), "\(outcome.errors)")
      #expect(outcome.output == "")
      #expect(try text("Sources/Model/A.swift", in: program) == "@objc class A: NSObject {}\n")
    }
    #expect(try program.run("port").status == 64)
  }
}
