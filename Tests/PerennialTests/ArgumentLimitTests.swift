import Foundation
import Testing

@testable import PerennialCommands

@Suite(
  "Numbers of the command line and the environment",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct ArgumentLimitTests {
  private let most = "9223372036854775807"

  @Test("no number of perennial seed stops the program otherwise than by an error")
  func seed() throws {
    let program = try Program()
    for arguments in [
      ["--timeout", "1e300"], ["--timeout", "inf"], ["--timeout", "nan"], ["--timeout", "-1"],
      ["--max-size", "9223372036854775807GB"], ["--max-size", "-1"], ["--max-size", "0"],
      ["--max-size", "1e300"],
      ["--max-record", "18446744073709551616"], ["--retries", "9223372036854775808"],
    ] {
      let outcome = try program.run(
        ["seed", "Notes.xcdatamodeld", "seed.json", "--store", "Notes.sqlite"] + arguments
      )
      #expect(outcome.status == 64, "\(arguments): \(outcome.errors)")
    }
    let outcome = try program.run(
      "seed",
      "Notes.xcdatamodeld",
      "seed.json",
      "--store",
      "Notes.sqlite",
      "--max-size",
      most,
      "--max-record",
      most,
      "--timeout",
      "1e-300",
      "--retries",
      most
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("--max-size and --max-record limit local seeds too, and can raise the defaults")
  func limits() throws {
    let program = try Program()
    func seed(_ arguments: String...) throws -> Program.Outcome {
      try program.run(["seed", "Notes.xcdatamodeld", "seed.json", "--store", "Notes.sqlite"] + arguments)
    }
    #expect(try seed("--max-size", "1KB").errors.contains("seed.json: the file has more than the 1000 bytes"))
    #expect(!program.exists("Notes.sqlite"))
    let record = try seed("--max-record", "100")
    #expect(record.status == 1 && record.errors.contains("that are allowed"), "\(record.errors)")
    #expect(try seed("--max-size", "1MB", "--max-record", "1MB").status == 0)
  }

  @Test("no limit or offset of a fetch stops the program")
  func fetch() throws {
    let program = try Program()
    try program.seed()
    for (arguments, rows) in [
      (["--limit", most], 8), (["--offset", most], 0), (["--limit", most, "--offset", most], 0),
      (["--limit", most, "--offset", "7"], 1),
    ] {
      for group in [[], ["--group-by", "name", "--columns", "name"]] {
        let outcome = try program.run(
          ["fetch", "Notes.sqlite", "Tag", "--format", "csv"] + arguments + group
        )
        #expect(outcome.status == 0, "\(outcome.errors)")
        #expect(outcome.output.split(separator: "\n").count == rows + 1, "\(arguments)")
      }
      let count = try program.run(["fetch", "Notes.sqlite", "Tag", "--count"] + arguments)
      #expect(count.output == "\(rows)\n", "\(arguments) \(count.errors)")
    }
  }

  @Test("no count of made data stops the program")
  func madeData() throws {
    let program = try Program()
    for arguments in [
      ["--count", "Note=\(most)"], ["--count", "Note=1000000000001", "--count", "Tag=1"],
      ["--count", "Note=1", "--fan-out", "Note.tags=0-\(most)"],
      ["--count", "Note=1", "--fan-out", "Note.tags=1000001"],
    ] {
      let outcome = try program.run(["generate-data", "Notes.xcdatamodeld", "-o", "made.json"] + arguments)
      #expect(outcome.status == 1 && outcome.errorLines.count == 1, "\(arguments): \(outcome.errors)")
      #expect(!program.exists("made.json"))
    }
    let outcome = try program.run(
      "generate-data",
      "Notes.xcdatamodeld",
      "-o",
      "made.json",
      "--count",
      "Note=3",
      "--count",
      "Tag=2",
      "--fan-out",
      "Note.tags=0-1000000",
      "--seed",
      "18446744073709551615"
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  @Test("SOURCE_DATE_EPOCH must be a number of seconds in the years 0 to 9999")
  func epoch() throws {
    for text in [
      "-9223372036854775808", most, "253402300800", "-62167219201", "9223372036854775808", "1e3", "soon",
    ] {
      #expect(throws: CommandFailure.self) { try BuildDate(environment: [BuildDate.variable: text]) }
    }
    #expect(
      try BuildDate(environment: [BuildDate.variable: "253402300799"]).date.timeIntervalSince1970
        == 253_402_300_799
    )
  }

  @Test("a progress of centuries still has a text with the time left")
  func progress() {
    let text = ProgressText(completed: 1, total: .max, noun: "bytes", elapsed: .seconds(Int64.max / 4))
    #expect(text.line.contains("left"))
  }

  @Test("port leaves pipes and devices alone, follows no circle of links, and takes folders of any name")
  func odd() throws {
    let program = try Program()
    let sources = program.folder.appendingPathComponent("Sources")
    try program.write("class A {}\n", to: "Sources/Folder.swift/A.swift")
    for name in ["one", "two", "three"] {
      let link = sources.appendingPathComponent("Folder.swift/\(name)")
      try FileManager.default.createSymbolicLink(atPath: link.path, withDestinationPath: "../../Sources")
    }
    try FileManager.default.createSymbolicLink(
      atPath: sources.appendingPathComponent("None.swift").path,
      withDestinationPath: "nowhere.swift"
    )
    let outcome = try program.run("port", "Sources")
    #expect(outcome.output == "0 of 1 files rewritten, 0 places to do by hand\n", "\(outcome.errors)")
    #expect(mkfifo(sources.appendingPathComponent("Pipe.swift").path, 0o600) == 0)
    for path in ["Sources", "Sources/Pipe.swift"] {
      let refused = try program.run("port", path)
      #expect(
        refused.status == 1 && refused.errors.contains("Pipe.swift: this is not a regular file"),
        "\(refused.errors)"
      )
    }
  }
}
