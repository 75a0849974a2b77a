import Files
import Foundation
import Testing

@Suite(
  "Outputs to pipes, devices and links",
  .enabled(if: Program.url != nil, "the program perennial is not beside the tests")
)
struct SpecialOutputTests {
  private let program: Program

  init() throws {
    program = try Program()
    try program.seed()
  }

  private func path(_ name: String) -> String { program.folder.appendingPathComponent(name).path }

  private func kind(_ name: String) -> FileKind { FileKind(at: path(name)) }

  private static let generating = [
    "generate-data", "Notes.xcdatamodeld", "--count", "Note=3", "--output",
  ]

  @Test("a link is written through, and stays")
  func links() throws {
    let text = try program.run("dump", "Notes.sqlite").output
    try program.write("old", to: "seed-there.json")
    try FileManager.default.createSymbolicLink(
      atPath: path("link.json"),
      withDestinationPath: "seed-there.json"
    )
    #expect(try program.run("dump", "Notes.sqlite", "-o", "link.json").status == 0)
    #expect(kind("link.json") == .link)
    #expect(try String(contentsOfFile: path("seed-there.json"), encoding: .utf8) == text)
    let made = try program.run(Self.generating + ["link.json"])
    #expect(made.status == 0, "\(made.errors)")
    #expect(kind("link.json") == .link)
    #expect(try String(contentsOfFile: path("seed-there.json"), encoding: .utf8) != text)
  }

  @Test("a pipe is written into, and stays")
  func pipes() throws {
    let text = try program.run("dump", "Notes.sqlite").output
    let outcome = try program.shell(
      "mkfifo pipe && { cat pipe > read & perennial dump Notes.sqlite -o pipe; wait; cat read; }"
    )
    #expect(outcome.output == text, "\(outcome.errors)")
    #expect(kind("pipe") == .pipe)
  }

  @Test("standard output continues at its current position")
  func standardOutput() throws {
    let text = try program.run("dump", "Notes.sqlite").output
    let outcome = try program.shell(
      "echo first > log; perennial dump Notes.sqlite -o /dev/stdout >> log; cat log"
    )
    #expect(outcome.output == "first\n" + text, "\(outcome.errors)")
  }

  @Test("a device is written into, and stays", .enabled(if: geteuid() == 0, "only root makes devices"))
  func devices() throws {
    guard mknod(path("null"), S_IFCHR | 0o666, dev_t(1 << 8 | 3)) == 0 else { return }
    for arguments in [
      ["dump", "Notes.sqlite", "-o", "null"],
      ["copy", "Notes.sqlite", "null"],
      ["build-store", "Notes.xcdatamodeld", "seed.json", "-o", "null", "--force"],
      ["seed", "Notes.xcdatamodeld", "seed.json", "--store", "null"],
      ["decompile", "Notes.momd", "-o", "null.xcdatamodeld"],
    ] {
      _ = try program.run(arguments)
      #expect(kind("null") == .device, "\(arguments)")
    }
  }

  @Test("a pipe is not a store, and no command blocks on it")
  func pipeAsStore() throws {
    #expect(mkfifo(path("pipe"), 0o600) == 0)
    for arguments in [
      ["inspect", "pipe"], ["dump", "pipe"], ["check", "pipe"], ["fetch", "pipe", "Note"],
      ["copy", "Notes.sqlite", "pipe"], ["copy", "pipe", "new.sqlite"],
      ["seed", "Notes.xcdatamodeld", "seed.json", "--store", "pipe"],
      ["build-store", "Notes.xcdatamodeld", "seed.json", "-o", "pipe", "--force"],
    ] {
      let outcome = try program.run(arguments)
      #expect(outcome.status == 1 && outcome.errors.contains("pipe"), "\(arguments): \(outcome.errors)")
      #expect(kind("pipe") == .pipe)
    }
  }

  @Test("a copy whose large data would be mixed with another store's is refused")
  func sharedFolder() throws {
    let outcome = try program.run("copy", "Notes.sqlite", "Notes.db")
    #expect(outcome.status == 1 && outcome.errors.contains(".Notes_SUPPORT"), "\(outcome.errors)")
    #expect(!program.exists("Notes.db"))
  }
}
