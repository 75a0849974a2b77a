import Foundation
import Testing

@testable import PerennialCommands

@Suite(
  "Manual pages",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests"),
  .enabled(if: Program.tool("python3") != nil, "there is no python3 here")
)
struct ManualTests {
  private static let script = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Scripts/releasing/manual").path

  private let program: Program

  init() throws {
    program = try Program()
    let outcome = try program.shell(
      "SOURCE_DATE_EPOCH=0 python3 '\(Self.script)' --command \"$(command -v perennial)\" pages"
    )
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  private func page(_ name: String) throws -> String {
    try String(contentsOf: program.folder.appendingPathComponent("pages/\(name).1"), encoding: .utf8)
  }

  /// A command as the argument parser describes it.
  private struct Described: Decodable {
    struct Argument: Decodable {
      struct Name: Decodable {
        let kind: String
        let name: String
      }

      let names: [Name]?
      let shouldDisplay: Bool
    }

    let commandName: String
    let subcommands: [Described]?
    let arguments: [Argument]?
    let defaultSubcommand: String?
  }

  private func described() throws -> Described {
    struct Tool: Decodable {
      let command: Described
    }
    let text = try program.run("--experimental-dump-help").output
    return try JSONDecoder().decode(Tool.self, from: Data(text.utf8)).command
  }

  /// The names of the manual pages for a command and its subcommands, each with the command.
  private func pages(of command: Described, _ parents: [String] = []) -> [(name: String, command: Described)] {
    let words = parents + [command.commandName]
    let below = (command.subcommands ?? []).flatMap { subcommand in
      // The page of the group describes the subcommand that runs by default.
      subcommand.commandName == command.defaultSubcommand
        ? [(words.joined(separator: "-"), subcommand)] : pages(of: subcommand, words)
    }
    return [(words.joined(separator: "-"), command)] + below
  }

  @Test("each subcommand has a manual page with all of its options, and there are no other pages")
  func all() throws {
    let pages = pages(of: try described())
    #expect(pages.count > 20)
    for (name, command) in pages {
      let text = try page(name)
      #expect(text.contains("\n.Nm \(name)\n"))
      let isOfDefault = command.defaultSubcommand != nil
      for argument in command.arguments ?? [] where argument.shouldDisplay && !isOfDefault {
        for option in argument.names ?? [] {
          let flag = "Fl \(option.kind == "long" ? "-" : "")\(option.name)"
          #expect(text.contains(flag), "\(name): \(flag)")
        }
      }
    }
    let files = try FileManager.default.contentsOfDirectory(
      atPath: program.folder.appendingPathComponent("pages").path
    )
    #expect(Set(files) == Set(pages.map { "\($0.name).1" }))
  }

  @Test("the pages have the command's own words, its version, and the date that is asked for")
  func words() throws {
    let text = try page("perennial-doctor")
    #expect(text.hasPrefix(".Dd January 1, 1970\n.Dt PERENNIAL-DOCTOR 1\n"))
    #expect(text.contains("\n.Os perennial \(PerennialVersion.current)\n"))
    #expect(text.contains("Print what was found as JSON."))
    #expect(try page("perennial-seed").contains(".Xr perennial-seed-diff 1"))
    #expect(try page("perennial-seed").contains("Fl -keep-going"))
    #expect(try page("perennial").contains(".Xr perennial-init 1"))
  }

  @Test(
    "groff finds nothing to warn of",
    .enabled(if: Program.tool("groff") != nil, "groff is not installed")
  )
  func groff() throws {
    let outcome = try program.shell("for page in pages/*.1; do groff -mdoc -ww -z -Tutf8 \"$page\"; done")
    #expect(outcome.status == 0 && outcome.errors.isEmpty, "\(outcome.errors)")
  }

  @Test(
    "mandoc finds nothing to warn of",
    .enabled(if: Program.tool("mandoc") != nil, "mandoc is not installed")
  )
  func mandoc() throws {
    let outcome = try program.shell("mandoc -T lint -W warning pages/*.1")
    #expect(outcome.status == 0, "\(outcome.output)\(outcome.errors)")
  }
}
