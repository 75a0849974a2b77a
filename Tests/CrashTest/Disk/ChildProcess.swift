import Dispatch
import Foundation

/// A process that runs to its end, or is killed when it exceeds its time.
struct ChildProcess {
  enum Status: Equatable {
    case exited(Int32)
    case signalled(Int32)
    case hung
  }

  /// How a process ended, and what it wrote to standard output and standard error.
  struct Ended {
    let status: Status
    let text: String

    /// The number of the last step that the process has acknowledged.
    var acknowledged: Int { text.split(separator: "\n").compactMap(ChildProcess.step).last ?? 0 }
    var wasRefused: Bool { text.split(separator: "\n").contains { $0.hasPrefix("refused") } }
  }

  private let program: URL
  private let arguments: [String]
  private let environment: [String: String]

  init(_ program: URL, _ arguments: [String], environment: [String: String] = [:]) {
    (self.program, self.arguments, self.environment) = (program, arguments, environment)
  }

  /// - Parameter timeout: the seconds after which the process is killed as hung.
  func run(timeout: Int = 60) throws -> Ended {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("said-\(UUID().uuidString)")
    guard FileManager.default.createFile(atPath: file.path, contents: nil) else {
      throw CrashStore.Wrong(description: "\(file.path) cannot be made")
    }
    defer { try? FileManager.default.removeItem(at: file) }
    let output = try FileHandle(forUpdating: file)
    defer { try? output.close() }
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    process.standardInput = FileHandle.nullDevice
    (process.standardOutput, process.standardError) = (output, output)
    let ended = DispatchSemaphore(value: 0)
    process.terminationHandler = { _ in ended.signal() }
    try process.run()
    let isHung = ended.wait(timeout: .now() + .seconds(timeout)) == .timedOut
    if isHung {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    let text = String(decoding: try Data(contentsOf: file), as: UTF8.self)
    if isHung { return Ended(status: .hung, text: text) }
    let status = process.terminationStatus
    return Ended(
      status: process.terminationReason == .exit ? .exited(status) : .signalled(status),
      text: text
    )
  }

  /// The number of the step that a line acknowledges.
  static func step(in line: some StringProtocol) -> Int? {
    line.hasPrefix("did ") ? Int(line.dropFirst(4)) : nil
  }
}
