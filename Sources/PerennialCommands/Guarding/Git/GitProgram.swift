import Dispatch
import Files
import Foundation

/// Runs `git` from the folders of PATH.
struct GitProgram {
  /// The result of a run of git.
  struct Outcome {
    let status: Int32
    let output: Data
    let errors: String

    /// The output as text, without the line break at its end.
    var line: String {
      let text = String(decoding: output, as: UTF8.self)
      return text.hasSuffix("\n") ? String(text.dropLast()) : text
    }
  }

  /// The folder that git runs in.
  let folder: String
  private let executable: String

  /// The time after which git is killed.
  private static let patience: Duration = .seconds(60)

  /// - Throws: a ``GuardDoubt`` when no folder of PATH contains git.
  init(in folder: String) throws {
    self.folder = folder
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let candidates = path.split(separator: ":").map { "\($0)/git" }
    let found = candidates.first {
      FileKind(resolving: $0) == .regular && FileManager.default.isExecutableFile(atPath: $0)
    }
    guard let found else {
      throw GuardDoubt(problem: "git is in no folder of PATH", remedy: "install git, or give a folder to --against")
    }
    executable = found
  }

  /// In a hook, git sets variables that point other runs of git at the hook's repository, whatever their folder.
  private static var environment: [String: String] {
    let ofHooks: Set = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX", "GIT_COMMON_DIR"]
    var environment = ProcessInfo.processInfo.environment.filter { !ofHooks.contains($0.key) }
    environment["LC_ALL"] = "C"
    environment["GIT_OPTIONAL_LOCKS"] = "0"
    environment["GIT_TERMINAL_PROMPT"] = "0"
    return environment
  }

  /// Runs git and waits for its end.
  ///
  /// - Parameter input: the bytes that git reads on its standard input.
  /// - Throws: a ``GuardDoubt`` when git cannot be run, or does not end within a minute.
  func run(_ arguments: [String], input: Data = Data()) throws -> Outcome {
    // Files hold output of any size. Two pipes would have to be read and written concurrently.
    let scratch = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
    let attributes: [FileAttributeKey: Any] = [.posixPermissions: NSNumber(value: 0o700)]
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true, attributes: attributes)
    defer { try? FileManager.default.removeItem(at: scratch) }
    func file(_ name: String, _ data: Data = Data()) throws -> URL {
      let url = scratch.appendingPathComponent(name)
      try data.write(to: url)
      return url
    }
    let (output, errors) = (try file("output"), try file("errors"))
    let process = Process()
    process.executableURL = URL(fileURLWithPath: executable)
    process.arguments = ["-C", folder] + arguments
    process.environment = Self.environment
    process.standardInput = try FileHandle(forReadingFrom: try file("input", input))
    process.standardOutput = try FileHandle(forWritingTo: output)
    process.standardError = try FileHandle(forWritingTo: errors)
    let end = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in end.signal() }
    do {
      try process.run()
    } catch {
      throw GuardDoubt(problem: "\(executable) cannot be run: \(error.localizedDescription)", remedy: "install git")
    }
    let seconds = Int(Self.patience.components.seconds)
    guard end.wait(timeout: .now() + .seconds(seconds)) == .success else {
      kill(process.processIdentifier, SIGKILL)
      throw GuardDoubt(
        problem: "git \(arguments.first ?? "") did not end within \(seconds) s",
        remedy: "run git status in \(folder) to see what is wrong with the repository"
      )
    }
    return Outcome(
      status: process.terminationStatus,
      output: try Data(contentsOf: output),
      errors: String(decoding: try Data(contentsOf: errors).prefix(2000), as: UTF8.self)
    )
  }
}
