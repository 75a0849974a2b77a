import Foundation

/// Measures the cost of the object graph relative to SQLite's C API and to other libraries, in one run and on
/// the same files.
@main
enum Benchmarks {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if try IsolatedWorkload.answer(arguments) { return }
    // If the Python process exits, a write to it must be an error of one workload, and not end the program.
    signal(SIGPIPE, SIG_IGN)
    do {
      if try await !measure(BenchmarkOptions(arguments)) { exit(1) }
    } catch let mistake as BenchmarkOptions.Mistake {
      FileHandle.standardError.write(Data("\(mistake)\n".utf8))
      exit(64)
    }
  }

  /// - Returns: false if a workload has failed.
  private static func measure(_ options: BenchmarkOptions) async throws -> Bool {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "benchmarks-\(UUID().uuidString)"
    )
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await BenchmarkRun(options, files: SampleFiles(folder: folder)).run()
  }
}
