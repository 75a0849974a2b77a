import Foundation
import Testing

@Suite(
  "Other inputs of perennial seed than files",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct SeedInputTests {
  private func tags(_ program: Program) throws -> [String] {
    try program.run("fetch", "Notes.sqlite", "Tag", "--columns", "name", "--format", "csv").output
      .split(whereSeparator: \.isNewline).dropFirst().map(String.init).sorted()
  }

  @Test(
    "standard input in each format",
    arguments: [
      ("{\"tags\": [{\"name\": \"A\"}]}", "--format json"),
      ("{\"$entity\": \"tags\", \"name\": \"A\"}", "--format jsonl"),
      ("name\nA\n", "--format csv --name tags"), ("name\nA\n", "--name tags.csv"),
      ("tags: [{name: A}]", "--format yaml"),
      ("{\"tags\": [{\"name\": \"A\"}]}", "--format JSON --name x.json"),
    ]
  )
  func standardInput(text: String, options: String) throws {
    let program = try Program()
    try program.write(text, to: "input")
    let line = "cat input | perennial seed Notes.xcdatamodeld - \(options) --store Notes.sqlite"
    let outcome = try program.shell(line)
    #expect(outcome.output == "Tag: 1 created\n", "\(outcome.errors)")
    #expect(try tags(program) == ["A"])
    #expect(try program.shell(line).output.hasSuffix("Tag: 1 skipped\n"))
  }

  @Test("the ledger and errors have the name that was given, and stdin without one")
  func names() throws {
    let program = try Program()
    let seed = "perennial seed Notes.xcdatamodeld - --store Notes.sqlite"
    #expect(
      try program.shell("echo '{' | \(seed) --format json").errors
        .hasPrefix("Error: stdin.json:2:1: the JSON is broken")
    )
    #expect(
      try program.shell("echo '{' | \(seed) --name demo.json").errors.hasPrefix("Error: demo.json:2:1:")
    )
    _ = try program.shell("echo '{\"tags\": [{\"name\": \"A\"}]}' | \(seed) --name demo.json")
    let again = try program.shell("echo '{\"tags\": [{\"name\": \"B\"}]}' | \(seed) --once --name demo.json")
    #expect(again.output.hasPrefix("demo.json is in the store already; changed or not, --once skips it\n"))
  }

  @Test(
    "seeding from standard input without a format, twice, or with an unknown format is refused",
    arguments: [
      ("-", "Nothing tells the format of standard input; give --format."),
      ("- - --format json", "Standard input can be read once; give one -."),
      ("- --format xml", "--format xml: give json"),
      ("seed.json --format json", "--format and --name are of a seed on standard input"),
      ("seed.json --now soon", "--now soon: give a date"),
    ]
  )
  func wrong(arguments: String, problem: String) throws {
    let program = try Program()
    let outcome = try program.shell(
      "perennial seed Notes.xcdatamodeld \(arguments) --store Notes.sqlite < /dev/null"
    )
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(problem), "\(outcome.errors)")
    #expect(!program.exists("Notes.sqlite"))
  }

  @Test(
    "URLs of other schemes are refused, and by diff all URLs, each with what to do",
    arguments: [
      (
        ["seed", "Notes.xcdatamodeld", "ftp://a.org/x.json", "--store", "Notes.sqlite"],
        "fetch it to a file first"
      ),
      (["seed", "diff", "Notes.sqlite", "https://a.org/x.json"], "perennial seed with --always --dry-run"),
    ]
  )
  func urls(arguments: [String], remedy: String) throws {
    let program = try Program()
    let outcome = try program.run(arguments)
    #expect(outcome.status == 64)
    #expect(outcome.errors.contains(remedy), "\(outcome.errors)")
    #expect(!program.exists("Notes.sqlite"))
  }

  @Test("diff and build-store read it, and count relative dates from --now and from the build's date")
  func others() throws {
    let program = try Program()
    try program.write(
      "{\"notes\": [{\"title\": \"A\", \"createdAt\": {\"$now\": \"-1d\"}}]}",
      to: "dates.json"
    )
    let seed = try program.run(
      "seed",
      "Notes.xcdatamodeld",
      "dates.json",
      "--store",
      "Notes.sqlite",
      "--now",
      "2024-03-17"
    )
    #expect(seed.status == 0, "\(seed.errors)")
    let fetched = try program.run(
      "fetch",
      "Notes.sqlite",
      "Note",
      "--columns",
      "createdAt",
      "--format",
      "csv"
    )
    #expect(fetched.output.contains("2024-03-16"), "\(fetched.output)")
    let diff =
      "cat dates.json | perennial seed diff Notes.sqlite - --format json --model Notes.xcdatamodeld --now"
    #expect(try program.shell("\(diff) 2024-03-17").status == 0)
    let other = try program.shell("\(diff) 2024-03-18")
    #expect(other.status == 1 && other.output.contains("~ Note \"A\": createdAt"))
    for name in ["One.sqlite", "Two.sqlite"] {
      let built = try program.shell(
        "cat dates.json | perennial build-store Notes.xcdatamodeld - --format json -o \(name) --quiet"
      )
      #expect(built.status == 0, "\(built.errors)")
    }
    #expect(try program.shell("cmp One.sqlite Two.sqlite").status == 0)
    let values = try program.run("fetch", "One.sqlite", "Note", "--columns", "createdAt", "--format", "csv")
    #expect(values.output.contains("2000-12-31"), "\(values.output)")
  }
}
