import Foundation
import Testing

@testable import PerennialCommands

@Suite(
  "Scripts/install",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests"),
  .enabled(if: Program.tool("python3") != nil, "there is no python3 here")
)
struct InstallTests {
  private static let script = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Scripts/install").path

  private let program: Program

  init() throws { program = try Program() }

  /// Installs the program that is in the folder of the tests.
  private func install(_ options: String) throws -> Program.Outcome {
    try program.shell("PROGRAM=\"$(command -v perennial)\" '\(Self.script)' \(options)")
  }

  @Test("the command, its pages and its completions are installed below a prefix in the usual folders")
  func files() throws {
    // A file that an earlier version has installed.
    try program.write("old", to: "prefix/share/man/man1/perennial-gone.1")
    try program.write("old", to: "prefix/share/man/man1/other.1")
    let outcome = try install("--prefix prefix")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.output.contains("/prefix/bin/perennial: \(PerennialVersion.current), with manual pages"))
    #expect(outcome.output.contains("/prefix/bin is not in PATH"))
    for file in [
      "man/man1/perennial.1", "man/man1/perennial-doctor.1", "bash-completion/completions/perennial",
      "zsh/site-functions/_perennial", "fish/vendor_completions.d/perennial.fish", "man/man1/other.1",
    ] {
      #expect(program.exists("prefix/share/\(file)"), "\(file)")
    }
    #expect(!program.exists("prefix/share/man/man1/perennial-gone.1"))
    let names = try FileManager.default.contentsOfDirectory(
      atPath: program.folder.appendingPathComponent("prefix/bin").path
    )
    #expect(names == ["perennial"])
    #expect(try program.shell("prefix/bin/perennial --version").output == "\(PerennialVersion.current)\n")
  }

  @Test("an unwritable prefix is reported before the build, with an alternative")
  func unwritable() throws {
    try program.write("a file", to: "prefix")
    let outcome = try install("--prefix prefix")
    #expect(outcome.status == 1)
    #expect(outcome.errors.contains("cannot be written: run this as root, or give another folder"))
  }

  @Test("anything else is wrong usage", arguments: ["--prefix", "--prefix ''", "--wrong", "folder"])
  func usage(options: String) throws {
    #expect(try install(options).status == 64)
  }
}
