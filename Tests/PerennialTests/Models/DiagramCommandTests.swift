import Foundation
import Testing

@Suite(
  "perennial diagram",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct DiagramCommandTests {
  private func text(_ name: String, _ program: Program) throws -> String {
    try String(contentsOf: program.folder.appendingPathComponent(name), encoding: .utf8)
  }

  private func entities(_ svg: String) -> [String] {
    svg.matches(of: /data-entity="([^"]*)"/).map { String($0.output.1) }
  }

  @Test("a source model, a compiled one, and the model in or next to a store have the same picture")
  func sources() throws {
    let program = try Program()
    _ = try program.run("compile", "Notes.xcdatamodeld", "-o", "Compiled.momd")
    try program.seed()
    let copied = try program.run("copy", "Notes.sqlite", "Notes.xml")
    #expect(copied.status == 0, "\(copied.errors)")
    for source in ["Notes.xcdatamodeld", "Compiled.momd", "Notes.sqlite", "Notes.xml"] {
      let outcome = try program.run("diagram", source, "-o", "model.svg")
      #expect(outcome.status == 0, "\(source): \(outcome.errors)")
      #expect(outcome.output.isEmpty)
      let svg = try text("model.svg", program)
      #expect(svg.hasPrefix("<svg "))
      #expect(Set(entities(svg)) == ["Note", "Category", "Tag"], "\(source)")
      #expect(svg.contains("data-from=\"Note\" data-to=\"Category\"") || svg.contains("data-to=\"Note\""))
    }
  }

  @Test("perennial diagram without a file prints the picture, the same each time")
  func standardOutput() throws {
    let program = try Program()
    let first = try program.run("diagram", "Notes.xcdatamodeld")
    #expect(first.status == 0, "\(first.errors)")
    #expect(first.output.hasSuffix("</svg>\n"))
    #expect(try program.run("diagram", "Notes.xcdatamodeld").output == first.output)
  }

  @Test("the file's extension or --format determines the format")
  func formats() throws {
    let program = try Program()
    _ = try program.run("diagram", "Notes.xcdatamodeld", "-o", "model.dot")
    #expect(try text("model.dot", program).hasPrefix("digraph model {\n"))
    _ = try program.run("diagram", "Notes.xcdatamodeld", "-o", "model.txt", "--format", "dot")
    #expect(try text("model.txt", program) == text("model.dot", program))
    #expect(try program.run("diagram", "Notes.xcdatamodeld", "--format", "dot").output.hasPrefix("digraph"))
  }

  @Test("chosen entities are drawn with their neighbors, up to the requested distance")
  func selection() throws {
    let program = try Program()
    func drawn(_ arguments: String...) throws -> Set<String> {
      Set(entities(try program.run(["diagram", "Notes.xcdatamodeld"] + arguments).output))
    }
    #expect(try drawn("--entity", "Tag") == ["Tag", "Note"])
    #expect(try drawn("--entity", "Tag", "--distance", "0") == ["Tag"])
    #expect(try drawn("--entity", "Tag", "--distance", "2") == ["Tag", "Note", "Category"])
    #expect(try drawn("--entity", "Tag", "--entity", "Category", "--distance", "0") == ["Tag", "Category"])
  }

  @Test("an entity with many attributes shows them all only when asked")
  func allAttributes() throws {
    let program = try Program()
    let attributes = (1...30).map { "<attribute name=\"a\($0)\" attributeType=\"String\" optional=\"YES\"/>" }
    try program.write(
      "<model><entity name=\"Wide\">\(attributes.joined())</entity></model>",
      to: "Wide.xcdatamodel/contents"
    )
    let some = try program.run("diagram", "Wide.xcdatamodel").output
    #expect(some.contains(">… 18 more<"))
    let all = try program.run("diagram", "Wide.xcdatamodel", "--all-attributes").output
    #expect(all.contains(">a30<"))
  }

  @Test(
    "an impossible picture ends with 1 and one line that names the file",
    arguments: [
      (["None.xcdatamodeld", "-o", "a.svg"], "None.xcdatamodeld"), (["none.sqlite"], "none.sqlite"),
      (["seed.json"], "seed.json"), (["Notes.xcdatamodeld", "-o", "none/a.svg"], "none/a.svg"),
      (["Notes.xcdatamodeld", "--entity", "None"], "Notes.xcdatamodeld: the model has no entity \"None\""),
    ]
  )
  func failures(arguments: [String], words: String) throws {
    let outcome = try Program().run(["diagram"] + arguments)
    #expect(outcome.status == 1)
    #expect(outcome.errorLines.count == 1, "\(outcome.errors)")
    #expect(outcome.errors.contains(words), "\(outcome.errors)")
  }

  @Test(
    "wrong usage ends with 64",
    arguments: [
      [], ["Notes.xcdatamodeld", "-o", "model.png"],
      ["Notes.xcdatamodeld", "-o", "a.svg", "--format", "dot"],
      ["Notes.xcdatamodeld", "--distance", "-1"], ["Notes.xcdatamodeld", "--format", "png"],
    ]
  )
  func usage(arguments: [String]) throws {
    #expect(try Program().run(["diagram"] + arguments).status == 64)
  }
}
