import Foundation
import TestSupport
import Testing

@Suite(
  "Options of perennial seed",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct SeedSourceOptionTests {
  private func seed(_ program: Program, _ arguments: String...) throws -> Program.Outcome {
    try seed(program, arguments)
  }

  private func seed(_ program: Program, _ arguments: [String]) throws -> Program.Outcome {
    try program.run(["seed", "Notes.xcdatamodeld"] + arguments + ["--store", "Notes.sqlite"])
  }

  private func tags(_ program: Program) throws -> [String] {
    try program.run("fetch", "Notes.sqlite", "Tag", "--format", "csv").output
      .split(whereSeparator: \.isNewline).dropFirst().map(String.init).sorted()
  }

  @Test("the nearest file to environment and locale is taken")
  func variants() throws {
    for (arguments, expected) in [
      ([], "General"), (["--locale", "nl-BE"], "Nederlands"), (["--env", "demo"], "Demo"),
      (["--env", "demo", "--locale", "nl"], "Demo"), (["--locale", "fr", "--optional-variant"], "General"),
      (["--env", "test", "--optional-variant"], "General"),
      (["--locale", "fr", "--locale", "nl"], "Nederlands"),
    ] as [([String], String)] {
      let program = try Program()
      for (name, tag) in [
        ("tags.json", "General"), ("tags.nl.json", "Nederlands"), ("tags.demo.json", "Demo"),
      ] {
        try program.write("{\"tags\": [{\"name\": \"\(tag)\"}]}", to: name)
      }
      let outcome = try program.run(
        ["seed", "Notes.xcdatamodeld", "tags.json", "--store", "Notes.sqlite"] + arguments
      )
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try tags(program).first?.contains(expected) == true)
    }
  }

  @Test("an environment or a locale that no file is for is a failure that names it, and no store is made")
  func missingVariants() throws {
    let program = try Program()
    for name in ["seeds/tags.json", "seeds/tags.demo.json"] {
      try program.write("{\"tags\": [{\"name\": \"A\"}]}", to: name)
    }
    for (arguments, problem) in [
      (["--env", "dmeo"], "seeds: there is no file for the environment dmeo; was \"demo\" meant?"),
      (["--locale", "fi"], "seeds: there is no file for the language fi; correct the name"),
    ] {
      let outcome = try seed(program, ["seeds"] + arguments)
      #expect(outcome.status == 1)
      #expect(outcome.errors.hasPrefix("Error: \(problem)"), "\(outcome.errors)")
      #expect(!program.exists("Notes.sqlite"))
    }
  }

  @Test("files that are left out of a folder are named, in JSON too, and not with --quiet")
  func leftOut() throws {
    let program = try Program()
    for name in ["seeds/tags.json", "seeds/tags.final.json", "seeds/old/tags.json"] {
      try program.write("{\"tags\": [{\"name\": \"A\"}]}", to: name)
    }
    #expect(
      try seed(program, "seeds").output
        == "left out, as for another environment or language: seeds/old/, seeds/tags.final.json\nTag: 1 created\n"
    )
    #expect(try seed(program, "seeds", "--quiet").output == "")
    let outcome = try seed(program, "seeds", "--json")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    )
    #expect(report["leftOut"] as? [String] == ["seeds/old/", "seeds/tags.final.json"])
  }

  @Test("--json reports in JSON, --quiet not at all")
  func reports() throws {
    let program = try Program()
    #expect(try seed(program, "seed.json", "--quiet").output == "")
    let outcome = try seed(program, "seed.json", "--json")
    let report = try #require(
      try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) as? [String: Any]
    )
    #expect((report["total"] as? [String: Int])?["skipped"] == 50)
    #expect(((report["seeds"] as? [[String: Any]])?.first?["skipped"] as? Bool) == true)
  }

  @Test("an unavailable seed fails with one line, and no store is created")
  func unreachable() throws {
    let program = try Program()
    let outcome = try seed(program, "http://127.0.0.1:1/seed.json", "--retries", "0")
    #expect(outcome.status == 1)
    #expect(outcome.errorLines.count == 1)
    #expect(outcome.errors.hasPrefix("Error: http://127.0.0.1:1/seed.json: no connection to the server"))
    #expect(!program.exists("Notes.sqlite"))
  }

  @Test("the fallback is taken with a warning")
  func fallback() throws {
    let program = try Program()
    let outcome = try seed(program, "http://127.0.0.1:1/x.json", "--retries", "0", "--fallback", "seed.json")
    #expect(outcome.status == 0)
    #expect(outcome.errors.hasPrefix("Warning: http://127.0.0.1:1/x.json: "))
    #expect(outcome.output == "Category: 6 created\nNote: 36 created\nTag: 8 created\n")
  }

  @Test(
    "a seeded store is one file, and a compact one can be read in a read-only folder",
    arguments: [false, true]
  )
  func shipping(isCompact: Bool) throws {
    let program = try Program()
    let outcome = try seed(program, ["seed.json"] + (isCompact ? ["--compact"] : []))
    #expect(outcome.status == 0, "\(outcome.errors)")
    for suffix in ["-wal", "-shm", "-journal"] { #expect(!program.exists("Notes.sqlite" + suffix)) }
    if isCompact {
      let header = try Data(contentsOf: program.folder.appendingPathComponent("Notes.sqlite")).prefix(20)
      // The bytes 18 and 19 of SQLite's file format: 1 for a rollback journal, 2 for WAL.
      #expect(Array(header.suffix(2)) == [1, 1])
    }
    #expect(try program.counts() == [36, 8, 6])
  }

  @Test(
    "options that contradict each other end with status 64",
    arguments: [
      ["--quiet", "--json"], ["--checksum", "00", "--public-key", "00"], ["--signature", "a.sig"],
      ["--timeout", "0"],
      ["--max-size", "much"], ["--header", "nothing"], ["--retries", "-1"],
      ["other.json", "--checksum", "00"],
      ["--prune", "own", "--keep-going"], ["--create-only", "title"],
    ]
  )
  func usage(arguments: [String]) throws {
    let program = try Program()
    #expect(try seed(program, ["seed.json"] + arguments).status == 64)
  }

  @Test("a file on this machine is held against a checksum or a key, and is not read when it is another")
  func verifiedFile() throws {
    let program = try Program()
    let seed = Data("{\"tags\": [{\"name\": \"News\"}]}".utf8)
    try seed.write(to: program.folder.appendingPathComponent("own.json"))
    let key = SigningKey()
    let publicKey = key.publicKey.base64EncodedString()
    let missing = try self.seed(program, ["own.json", "--public-key", publicKey])
    #expect(missing.status == 1)
    #expect(missing.errors == "Error: own.json.sig: there is no such file; check the path\n")
    try key.signature(for: seed + Data(" ".utf8)).write(
      to: program.folder.appendingPathComponent("own.json.sig")
    )
    for arguments in [["--public-key", publicKey], ["--checksum", String(repeating: "0", count: 64)]] {
      let outcome = try self.seed(program, ["own.json"] + arguments)
      #expect(outcome.status == 1)
      #expect(outcome.errors.hasPrefix("Error: own.json: the seed"), "\(outcome.errors)")
      #expect(!program.exists("Notes.sqlite"))
    }
    try key.signature(for: seed).write(to: program.folder.appendingPathComponent("own.json.sig"))
    #expect(try self.seed(program, ["own.json", "--public-key", publicKey]).status == 0)
  }
}
