import Foundation

/// Measures, in one run and on the same files, what the object graph costs over SQLite's C API and beside other
/// libraries.
@main
enum Benchmarks {
  static func main() async throws {
    let arguments = Array(CommandLine.arguments.dropFirst())
    if try IsolatedWorkload.answer(arguments) { return }
    // A process of Python that has ended is an error of one workload, and not the end of all.
    signal(SIGPIPE, SIG_IGN)
    let options: BenchmarkOptions
    do {
      options = try BenchmarkOptions(arguments)
    } catch {
      FileHandle.standardError.write(Data("\(error)\n".utf8))
      exit(64)
    }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
      "benchmarks-\(UUID().uuidString)"
    )
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let isComplete: Bool
    do {
      defer { try? FileManager.default.removeItem(at: folder) }
      isComplete = try await BenchmarkRun(options, files: SampleFiles(folder: folder)).run()
    }
    if !isComplete { exit(1) }
  }
}
