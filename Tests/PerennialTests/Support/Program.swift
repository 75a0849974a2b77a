import Foundation
import SQLiteDriver
import Testing

/// Runs the program `perennial`, which the build puts next to the tests, in a folder of its own.
final class Program: Sendable {
  struct Outcome {
    let status: Int32
    let output: String
    let errors: String

    var errorLines: [String] { errors.split(separator: "\n").map(String.init) }
  }

  static let url: URL? = {
    let folder = Bundle.main.executableURL?.deletingLastPathComponent()
    return folder?.appendingPathComponent("perennial")
  }().flatMap { FileManager.default.isExecutableFile(atPath: $0.path) ? $0 : nil }

  /// The path of another installed program; nil if there is no program of that name.
  static func tool(_ name: String) -> String? {
    (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map { "\($0)/\(name)" }
      .first { FileManager.default.isExecutableFile(atPath: $0) }
  }

  static let notes = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Examples/Notes/Sources/Notes")

  /// The program's working folder, which is removed after the test.
  let folder: URL

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    for name in ["Notes.xcdatamodeld", "seed.json"] {
      try FileManager.default.copyItem(
        at: Self.notes.appendingPathComponent(name),
        to: folder.appendingPathComponent(name)
      )
    }
  }

  deinit {
    try? FileManager.default.removeItem(at: folder)
  }

  func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  func run(_ arguments: [String]) throws -> Outcome { try run(Self.url, arguments) }

  /// The options that let a migration reduce the store of the example Notes to the titles of the notes.
  static let dropping = ["Category", "Tag", "Note.contents", "Note.createdAt", "Note.updatedAt"]
    .flatMap { ["--drop", $0] }

  /// Runs a shell command, in which the program is on the path.
  func shell(_ line: String) throws -> Outcome {
    let folder = Self.url?.deletingLastPathComponent().path ?? ""
    return try run(URL(fileURLWithPath: "/bin/sh"), ["-c", "PATH=\"\(folder):$PATH\"; \(line)"])
  }

  private func run(_ executable: URL?, _ arguments: [String]) throws -> Outcome {
    let process = Process()
    process.executableURL = executable
    process.arguments = arguments
    process.currentDirectoryURL = folder
    let outputURL = folder.appendingPathComponent("output-\(UUID().uuidString)")
    let errorsURL = folder.appendingPathComponent("errors-\(UUID().uuidString)")
    for url in [outputURL, errorsURL] { _ = FileManager.default.createFile(atPath: url.path, contents: nil) }
    // The output goes to files. Reading two pipes in turn would block when the other one is full.
    process.standardOutput = try FileHandle(forWritingTo: outputURL)
    process.standardError = try FileHandle(forWritingTo: errorsURL)
    try process.run()
    process.waitUntilExit()
    return Outcome(
      status: process.terminationStatus,
      output: try String(contentsOf: outputURL, encoding: .utf8),
      errors: try String(contentsOf: errorsURL, encoding: .utf8)
    )
  }

  /// Seeds `Notes.sqlite` with the seed of the example Notes.
  func seed() throws {
    let outcome = try run("seed", "Notes.xcdatamodeld", "seed.json", "--store", "Notes.sqlite")
    #expect(outcome.status == 0, "\(outcome.errors)")
  }

  /// Removes the cached model from `Notes.sqlite`, as in stores that never had one.
  func forgetModel() throws { try execute("DELETE FROM Z_MODELCACHE") }

  /// Executes a statement in `Notes.sqlite` without Core Data.
  func execute(_ sql: String, inTransaction: Bool = true) throws {
    let queue = try SQLiteConnection(path: folder.appendingPathComponent("Notes.sqlite").path)
    if inTransaction {
      try queue.write { try $0.execute(sql: sql) }
    } else {
      try queue.use { try $0.execute(sql: sql) }
    }
    try queue.close()
  }

  func write(_ text: String, to name: String) throws {
    let url = folder.appendingPathComponent(name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: url)
  }

  func exists(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appendingPathComponent(name).path)
  }

  /// The numbers of notes, tags and categories in `Notes.sqlite`.
  func counts() throws -> [Int] {
    try ["Note", "Tag", "Category"].map { entity in
      let outcome = try run("fetch", "Notes.sqlite", entity, "--format", "csv")
      return outcome.output.split(separator: "\n").count - 1
    }
  }
}

extension Program {
  /// A model in which one entity has a many-to-many relationship with itself.
  static let peopleModel = """
    <model><entity name="Person"><attribute name="name" optional="YES" attributeType="String"/>\
    <relationship name="following" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="Person" \
    inverseName="followers" inverseEntity="Person"/><relationship name="followers" optional="YES" toMany="YES" \
    deletionRule="Nullify" destinationEntity="Person" inverseName="following" inverseEntity="Person"/></entity></model>
    """
}
