import Foundation
import Seeding
import TestSupport

/// A process of the command `perennial` that seeds a store.
final class LifeProcess {
  struct Failure: Error {
    let errors: String
  }

  /// The program for these processes, which the build puts next to the tests.
  static let program: URL? = {
    let url = Bundle.main.executableURL?.deletingLastPathComponent().appendingPathComponent("perennial")
    return url.flatMap { FileManager.default.isExecutableFile(atPath: $0.path) ? $0 : nil }
  }()

  private let process = Process()
  private let folder: TestFolder

  /// Starts the process.
  init(_ seeder: Seeder, _ seeds: [(name: String, text: String)], store: URL, model: URL) throws {
    folder = try TestFolder()
    for seed in seeds { try folder.write(seed.name, seed.text) }
    var arguments =
      ["seed", model.path] + seeds.map(\.name) + [
        "--store", store.isFileURL ? store.path : store.absoluteString, "--quiet",
      ]
    if let profile = seeder.profile {
      arguments += ["--profile", profile.rawValue] + (profile == .reset ? ["--force"] : [])
    } else {
      arguments += ["--mode", seeder.mode.rawValue]
      if seeder.mode != .replace { arguments += ["--prune", seeder.pruning.rawValue] }
      if !seeder.restoresDeletedObjects { arguments.append("--keep-deleted") }
    }
    if seeder.mode == .merge { arguments += ["--on-conflict", seeder.conflictPolicy.rawValue] }
    process.executableURL = Self.program
    process.arguments = arguments
    process.currentDirectoryURL = folder.url
    process.standardError = try FileHandle(forWritingTo: try folder.write("errors.txt", ""))
    process.standardOutput = FileHandle.nullDevice
    try process.run()
  }

  /// Waits until the process ends.
  /// - Returns: Its output to standard error; nil after success.
  func wait() throws -> String? {
    process.waitUntilExit()
    guard process.terminationStatus != 0 else { return nil }
    return try String(contentsOf: folder.url.appendingPathComponent("errors.txt"), encoding: .utf8)
  }
}
