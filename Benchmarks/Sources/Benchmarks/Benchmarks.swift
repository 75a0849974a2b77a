import Foundation

/// Measures, in one run and on the same files, what the object graph costs over SQLite's C API and
/// beside other libraries.
@main
enum Benchmarks {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if try IsolatedWorkload.answer(arguments) { return }
    // A process of Python that has ended is an error of one workload, and not the end of all.
    signal(SIGPIPE, SIG_IGN)
    do {
      if try await !measure(BenchmarkOptions(arguments)) { exit(1) }
    } catch let mistake as BenchmarkOptions.Mistake {
      FileHandle.standardError.write(Data("\(mistake)\n".utf8))
      exit(64)
    }
  }

  /// - Returns: false when a workload has failed.
  private static func measure(_ options: BenchmarkOptions) async throws -> Bool {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "benchmarks-\(UUID().uuidString)"
    )
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    return try await BenchmarkRun(options, files: SampleFiles(folder: folder)).run()
  }
}
