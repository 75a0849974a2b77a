import CoreData
import Foundation
import SQLiteDriver
import Testing

@testable import PerennialCommands

@Suite("perennial --lock-timeout", .enabled(if: Program.url != nil, "the program is not built"))
struct LockTimeoutTests {
  private let program: Program
  private var file: URL { program.folder.appendingPathComponent("Notes.sqlite") }

  init() throws {
    program = try Program()
    try program.seed()
    try program.write(
      #"<model><entity name="Note"><attribute name="title" attributeType="String"/></entity></model>"#,
      to: "New.xcdatamodel/contents"
    )
  }

  /// Opens a connection that prevents others from writing, as another program does.
  private func lock(_ begin: String = "BEGIN IMMEDIATE") throws -> SQLiteConnection {
    var configuration = SQLiteConfiguration()
    configuration.allowsUnsafeTransactions = true
    let queue = try SQLiteConnection(path: file.path, configuration: configuration)
    try queue.use { try $0.execute(sql: begin) }
    return queue
  }

  private func unlock(_ queue: SQLiteConnection) throws {
    try queue.use { try $0.execute(sql: "ROLLBACK") }
    try queue.close()
  }

  private static let seed = [
    "seed", "Notes.xcdatamodeld", "seed.json", "--store", "Notes.sqlite", "--always",
  ]

  /// Command lines that write an existing store.
  static let writing: [[String]] = [
    seed, seed + ["--compact"], seed + ["--quiet"], seed + ["--json"],
    ["generate-data", "Notes.xcdatamodeld", "--count", "Tag=1", "--store", "Notes.sqlite"],
    ["migrate", "Notes.sqlite", "--to", "New.xcdatamodel"] + Program.dropping,
    ["migrate", "Notes.sqlite", "--to", "New.xcdatamodel", "--backup"] + Program.dropping,
    ["check", "Notes.sqlite", "--repair"],
  ]

  @Test("--lock-timeout 0 fails at once with the file and the remedy", arguments: writing)
  func atOnce(_ arguments: [String]) throws {
    try program.execute("UPDATE Z_PRIMARYKEY SET Z_MAX = 1 WHERE Z_NAME = 'Note'")
    let before = try program.run("dump", "Notes.sqlite").output
    let other = try lock()
    let outcome = try program.run(arguments + ["--lock-timeout", "0"])
    #expect(outcome.status == 1)
    #expect(
      outcome.errors == """
        Error: Notes.sqlite: another program holds its lock; try again, or wait for it with --lock-timeout SECONDS

        """
    )
    try unlock(other)
    #expect(!program.exists("Notes-unrepaired.sqlite") && !program.exists("Notes.sqlite.backup"))
    #expect(try program.run("dump", "Notes.sqlite").output == before)
    let free = try program.run(arguments + ["--lock-timeout", "0"])
    #expect(free.status == 0, "\(free.errors)")
  }

  @Test(
    "--lock-timeout also applies to reading if a writer blocks readers",
    arguments: [["copy", "Notes.sqlite", "n"], seed]
  )
  func reading(_ arguments: [String]) throws {
    try program.execute("PRAGMA journal_mode = DELETE", inTransaction: false)
    let other = try lock("BEGIN EXCLUSIVE")
    let outcome = try program.run(arguments + ["--lock-timeout", "0"])
    #expect(
      outcome.status == 1 && outcome.errors.hasPrefix("Error: Notes.sqlite: another program holds its lock")
    )
    #expect(outcome.errorLines.count == 1 && !program.exists("n"))
    try unlock(other)
    #expect(try program.run(arguments + ["--lock-timeout", "0"]).status == 0)
  }

  @Test("--lock-timeout lets a command wait, which it reports once, and continue after the lock is released")
  func waiting() throws {
    let other = try lock()
    let process = Process()
    process.executableURL = Program.url
    process.arguments = Self.seed + ["--lock-timeout", "600", "--json"]
    process.currentDirectoryURL = program.folder
    let (output, errors) = (Pipe(), Pipe())
    process.standardOutput = output
    process.standardError = errors
    try process.run()
    var said = ""
    // The lock is held until the command has printed that it waits.
    while !said.contains("…\n") {
      let bytes = errors.fileHandleForReading.availableData
      if bytes.isEmpty { break }
      said += String(decoding: bytes, as: UTF8.self)
    }
    #expect(said == "waiting for another program that writes Notes.sqlite …\n")
    try unlock(other)
    let rest = errors.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    #expect(!String(decoding: rest, as: UTF8.self).contains("waiting for another program"))
    let shown = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    #expect(shown.contains("\"Note\""), "\(shown)")
  }

  @Test(
    "an expired --lock-timeout is reported in seconds after the notice of waiting, unless --quiet is set"
  )
  func over() throws {
    let other = try lock()
    let end = """
      Error: Notes.sqlite: another program has held its lock for 1.5 seconds; try again, or wait longer with \
      --lock-timeout SECONDS
      """
    let arguments = Self.seed + ["--lock-timeout", "1.5"]
    let outcome = try program.run(arguments + ["--json"])
    #expect(outcome.errorLines == ["waiting for another program that writes Notes.sqlite …", end])
    #expect(try program.run(arguments + ["--quiet"]).errorLines == [end])
    try unlock(other)
  }

  @Test("--lock-timeout prints nothing if no lock is held", arguments: writing)
  func silence(_ arguments: [String]) throws {
    let outcome = try program.run(arguments + ["--lock-timeout", "600"])
    #expect(outcome.status == 0 && !outcome.errors.contains("waiting for"), "\(outcome.errors)")
  }

  @Test(
    "--lock-timeout must be a number from 0 to a day",
    arguments: ["-1", "-0.001", "nan", "inf", "-inf", "86400.5", "1e300", "soon", "", "--quiet"]
  )
  func refused(_ seconds: String) throws {
    for arguments in [
      Self.seed, ["migrate", "Notes.sqlite", "--to", "New.xcdatamodel"], ["check", "Notes.sqlite"],
    ] {
      let outcome = try program.run(arguments + ["--lock-timeout", seconds])
      #expect(outcome.status == 64 && outcome.errors.contains("--lock-timeout"), "\(outcome.errors)")
    }
  }

  @Test(
    "--lock-timeout is in the help of every command that writes an existing store",
    arguments: [["seed", "seed"], ["generate-data"], ["migrate"], ["check"], ["copy"]]
  )
  func help(_ command: [String]) throws {
    let help = try program.run(command + ["--help"]).output.split(whereSeparator: \.isWhitespace)
    #expect(help.joined(separator: " ").contains("--lock-timeout <seconds>"))
    #expect(help.joined(separator: " ").contains("give up at once; 60 without it"))
  }

  @Test("--lock-timeout is for stores: generate-data refuses it when it writes a file")
  func seedFile() throws {
    let outcome = try program.run(
      ["generate-data", "Notes.xcdatamodeld", "--count", "Tag=1", "-o", "made.json", "--lock-timeout", "1"]
    )
    #expect(outcome.status == 64 && outcome.errors.contains("--lock-timeout is of a store"))
  }
}
