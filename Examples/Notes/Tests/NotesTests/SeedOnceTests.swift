import Foundation
import Testing

/// Runs the program itself, because the flag is in the user defaults of a process.
@Suite("Seeding once", .enabled(if: Program.notes != nil, "the program Notes is not beside the tests"))
struct SeedOnceTests {
  @Test("run twice, the program seeds once and prints the same notes")
  func twice() throws {
    let home = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    try FileManager.default.createDirectory(at: home, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: home) }

    let first = try Program.run(home: home)
    let second = try Program.run(home: home)

    #expect(first.count == 11)
    #expect(first.first == "Seed Operation Completed")
    #expect(second == Array(first.dropFirst()))
  }
}

enum Program {
  /// The program, which the build puts beside the tests.
  static let notes: URL? = {
    let folder = Bundle.main.executableURL?.deletingLastPathComponent()
    return folder?.appendingPathComponent("Notes")
  }().flatMap { FileManager.default.isExecutableFile(atPath: $0.path) ? $0 : nil }

  /// Runs the program with a home of its own and gives the lines that it prints.
  static func run(home: URL) throws -> [String] {
    let process = Process()
    process.executableURL = notes
    process.arguments = [home.path]
    process.environment = ProcessInfo.processInfo.environment.merging(["HOME": home.path]) { $1 }
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
