import Foundation
import Testing

@Suite(
  "perennial diff --html and seed diff --html",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct ReviewCommandTests {
  private func page(_ program: Program) throws -> String {
    try String(contentsOf: program.folder.appendingPathComponent("review.html"), encoding: .utf8)
  }

  @Test(
    "the page of two models has their changes by entity, with old and new values and the obstacles"
  )
  func models() throws {
    let program = try Program()
    try program.write(
      """
      <model><entity name="Note"><attribute name="title" attributeType="String" optional="YES"/></entity>\
      <entity name="Old"/></model>
      """,
      to: "A.xcdatamodel/contents"
    )
    try program.write(
      """
      <model userDefinedModelVersionIdentifier="two"><entity name="Note"><attribute name="title" attributeType="Date" \
      optional="YES"/></entity><entity name="New"/></model>
      """,
      to: "B.xcdatamodel/contents"
    )
    let outcome = try program.run("diff", "A.xcdatamodel", "B.xcdatamodel", "--html", "review.html")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output == "A lightweight migration cannot do it: 1 of the changes stands in its way.\n")
    let html = try page(program)
    #expect(html.contains("<b>1</b> added"))
    #expect(html.contains("<b>1</b> removed"))
    #expect(html.contains("<b>1</b> in the way of a lightweight migration"))
    for group in ["Note", "New", "Old", "The model as a whole"] { #expect(html.contains("<h2>\(group) ")) }
    #expect(html.contains("<del>String</del></td><td class=\"new\"><ins>Date</ins>"))
    #expect(html.contains("values of one type cannot become those of another by themselves"))
    #expect(html.contains("<ins>two</ins>"))
  }

  @Test("the page of a store and seeds has each differing object, and the exit status reports it")
  func seeds() throws {
    let program = try Program()
    try program.seed()
    let same = try program.run("seed", "diff", "Notes.sqlite", "seed.json", "--html", "review.html")
    #expect(same.status == 0, "\(same.errors)")
    #expect(try page(program).contains("The store has everything as the seeds have it."))
    try program.write(
      #"{"categories": [{"name": "Shrubs", "colorAsHex": "<b>\"&"}, {"name": "<i>New</i>"}]}"#,
      to: "other.json"
    )
    let outcome = try program.run("seed", "diff", "Notes.sqlite", "other.json", "--html", "review.html")
    #expect(outcome.status == 1)
    #expect(outcome.output.isEmpty)
    let html = try page(program)
    #expect(html.contains("<h2>Category "))
    #expect(html.contains("&lt;i&gt;New&lt;/i&gt;"))
    #expect(html.contains("missing in the store"))
    #expect(!html.contains("<i>"))
  }

  @Test("a page that cannot be written is a failure of one line")
  func failure() throws {
    let program = try Program()
    let outcome = try program.run(
      "diff",
      "Notes.xcdatamodeld",
      "Notes.xcdatamodeld",
      "--html",
      "none/review.html"
    )
    #expect(outcome.status == 1)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.contains("none/review.html"))
  }
}
