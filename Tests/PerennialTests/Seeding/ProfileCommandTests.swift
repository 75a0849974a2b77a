import Foundation
import Testing

@testable import PerennialCommands

@Suite(
  "Profiles of perennial seed",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct ProfileCommandTests {
  private static func tags(_ names: String...) -> String {
    "{\"tags\": [\(names.map { "{\"name\": \"\($0)\"}" }.joined(separator: ", "))]}"
  }

  private func names(_ program: Program) throws -> [String] {
    try program.run("fetch", "Notes.sqlite", "Tag", "--columns", "name", "--format", "csv").output
      .split(whereSeparator: \.isNewline).dropFirst().map(String.init).sorted()
  }

  /// Makes a store with the tags A and B of a seed, of which a user has deleted B and added C.
  private func used() throws -> Program {
    let program = try Program()
    for (name, text) in [("tags.json", Self.tags("A", "B")), ("user.json", Self.tags("C"))] {
      try program.write(text, to: name)
      let outcome = try program.run("seed", "Notes.xcdatamodeld", name, "--store", "Notes.sqlite")
      #expect(outcome.status == 0, "\(outcome.errors)")
    }
    try program.execute("DELETE FROM ZTAG WHERE ZNAME = 'B'")
    return program
  }

  @Test(
    "profiles change the store as documented",
    arguments: [
      ("reference", ["B", "C", "D"]), ("starter", ["A", "C", "D"]), ("sync", ["C", "D"]),
      ("reset", ["B", "D"]),
    ]
  )
  func profiles(profile: String, names: [String]) throws {
    let program = try used()
    let force = profile == "reset" ? ["--force"] : []
    try program.write(Self.tags("B", "D"), to: "tags.json")
    let arguments = [
      "seed", "Notes.xcdatamodeld", "tags.json", "--store", "Notes.sqlite", "--profile", profile,
    ]
    let dry = try program.run(arguments + ["--dry-run"])
    #expect(dry.status == 0, "\(dry.errors)")
    let outcome = try program.run(arguments + force)
    #expect(outcome.status == 0 && dry.output.hasSuffix(outcome.output), "\(outcome.output)\(outcome.errors)")
    #expect(try self.names(program) == names)
  }

  @Test(
    "next to an option that they do not go with, both are named, and no store is made",
    arguments: [
      ["--profile", "reference", "--mode", "upsert"], ["--profile", "starter", "--prune", "own"],
      ["--profile", "sync", "--keep-deleted"], ["--profile", "reference", "--on-conflict", "take-seed"],
      ["--profile", "reset", "--create-only", "Tag.name"], ["--profile", "sync", "--once"],
      ["--profile", "reference", "--keep-going"],
    ]
  )
  func contradictions(options: [String]) throws {
    let program = try Program()
    try program.write(Self.tags("A"), to: "tags.json")
    let outcome = try program.run(
      ["seed", "Notes.xcdatamodeld", "tags.json", "--store", "New.sqlite"] + options
    )
    #expect(outcome.status == 64)
    #expect(
      outcome.errors.contains("--profile \(options[1])") && outcome.errors.contains(options[2]),
      "\(outcome.errors)"
    )
    #expect(!program.exists("New.sqlite"))
  }

  @Test(
    "profiles combine with the options that have a meaning for them",
    arguments: [
      ["--profile", "reference", "--create-only", "Tag.name"], ["--profile", "reference", "--always"],
      ["--profile", "sync", "--on-conflict", "take-seed"], ["--profile", "starter", "--once"],
      ["--profile", "starter", "--keep-going"],
    ]
  )
  func allowed(options: [String]) throws {
    let program = try Program()
    try program.write(Self.tags("A"), to: "tags.json")
    let outcome = try program.run(
      ["seed", "Notes.xcdatamodeld", "tags.json", "--store", "New.sqlite"] + options
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test(
    "settings that exclude each other are a usage error",
    arguments: [
      ["--mode", "replace", "--prune", "own"], ["--on-conflict", "take-seed"], ["--force"],
      ["--mode", "replace", "--keep-going"],
    ]
  )
  func settings(options: [String]) throws {
    let program = try Program()
    try program.write(Self.tags("A"), to: "tags.json")
    let outcome = try program.run(
      ["seed", "Notes.xcdatamodeld", "tags.json", "--store", "New.sqlite"] + options
    )
    #expect(outcome.status == 64 && outcome.errors.contains(options[0]), "\(outcome.errors)")
  }

  @Test(
    "a former mode is refused with its replacement",
    arguments: [
      ("prune", "--prune all"), ("insert", "\"$keys\""), ("sync", "--profile sync"), ("merg", "merge"),
    ]
  )
  func formerModes(mode: String, remedy: String) throws {
    let program = try Program()
    try program.seed()
    for arguments in [
      ["seed", "Notes.xcdatamodeld", "seed.json", "--store", "Notes.sqlite"],
      ["seed", "diff", "Notes.sqlite", "seed.json"],
    ] {
      let outcome = try program.run(arguments + ["--mode", mode])
      #expect(outcome.status == 64 && outcome.errors.contains(remedy), "\(outcome.errors)")
    }
  }

  @Test("the profile reset is refused outside of development, without changes, and can be forced or tried")
  func development() throws {
    let program = try used()
    try program.write(Self.tags("D"), to: "tags.json")
    let command = "perennial seed Notes.xcdatamodeld tags.json --store Notes.sqlite --profile reset"
    let refused = try program.shell("PERENNIAL_ENVIRONMENT=production \(command)")
    #expect(refused.status == 1 && refused.errorLines.count == 1, "\(refused.errors)")
    #expect(
      refused.errors.contains("PERENNIAL_ENVIRONMENT=development") && refused.errors.contains("--force")
    )
    #expect(try names(program) == ["A", "C"])
    let new = try program.shell(
      "PERENNIAL_ENVIRONMENT=production perennial seed Notes.xcdatamodeld tags.json --store New.sqlite --profile reset"
    )
    #expect(new.status == 1 && !program.exists("New.sqlite"))
    let dry = try program.shell("PERENNIAL_ENVIRONMENT=production \(command) --dry-run")
    #expect(
      dry.status == 0 && dry.output.hasSuffix("Tag: 1 created, 2 deleted\n"),
      "\(dry.output)\(dry.errors)"
    )
    #expect(try names(program) == ["A", "C"])
    let developed = try program.shell("PERENNIAL_ENVIRONMENT=development \(command)")
    #expect(developed.status == 0 && developed.output == "Tag: 1 created, 2 deleted\n", "\(developed.errors)")
    let forced = try program.shell("PERENNIAL_ENVIRONMENT=production \(command) --force")
    #expect(forced.status == 0 && forced.output == "Tag: 1 created, 1 deleted\n", "\(forced.errors)")
  }

  @Test("the help and the usage of seed need no second word")
  func help() throws {
    let program = try Program()
    let usage = "perennial seed [<options>] <model> <seeds> ... --store <store>"
    for arguments in [["seed", "--help"], ["help", "seed"], ["seed", "-h"]] {
      let outcome = try program.run(arguments)
      #expect(outcome.status == 0)
      #expect(outcome.output.contains("USAGE: \(usage)\n"), "\(outcome.output)")
      let text = outcome.output.split(whereSeparator: \.isWhitespace).joined(separator: " ")
      for word in ["--profile", "reference, starter, sync, reset", "--prune", "perennial seed diff"] {
        #expect(text.contains(word), "\(word)")
      }
    }
    let wrong = try program.run("seed", "Notes.xcdatamodeld")
    #expect(wrong.status == 64 && wrong.errors.contains("Usage: \(usage)"), "\(wrong.errors)")
    #expect(!wrong.errors.contains("seed seed"))
    #expect(Perennial.expandingHelp(["seed", "diff", "--help"]) == ["seed", "diff", "--help"])
  }
}
