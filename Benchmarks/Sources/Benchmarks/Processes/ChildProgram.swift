import Foundation

/// Runs other programs, and returns their output.
enum ChildProgram {
  struct Failure: Error, CustomStringConvertible { let description: String }

  /// The path of this program.
  static var own: URL { URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath() }

  /// A program in the build folder of this one.
  static func sibling(_ name: String) throws -> URL {
    let url = own.deletingLastPathComponent().appendingPathComponent(name)
    guard FileManager.default.isExecutableFile(atPath: url.path) else {
      throw NotMeasured(
        description: "\(name) is not built beside this program; Scripts/benchmark builds it"
      )
    }
    return url
  }

  /// A program in PATH.
  static func installed(_ name: String) throws -> URL {
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    let paths = folders.map { "\($0)/\(name)" }
    guard let path = paths.first(where: FileManager.default.isExecutableFile(atPath:)) else {
      throw NotMeasured(description: "\(name) is not installed")
    }
    return URL(fileURLWithPath: path)
  }

  /// The output of a program, which has to exit successfully.
  static func output(_ program: URL, _ arguments: [String]) throws -> String {
    try run(program, arguments).output
  }

  /// The elapsed seconds from the start of a program to the end of its output, when it exits.
  static func seconds(_ program: URL, _ arguments: [String]) throws -> Double {
    try run(program, arguments).seconds
  }

  private static func run(_ program: URL, _ arguments: [String]) throws -> (output: String, seconds: Double) {
    let process = Process()
    let output = Pipe()
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = output
    let start = Stopwatch.wall.seconds
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    // The clock stops before waiting for the process, because that uses a run loop and takes additional time.
    let end = Stopwatch.wall.seconds
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      let line = ([program.path] + arguments).joined(separator: " ")
      throw Failure(description: "\(line): ended with status \(process.terminationStatus)")
    }
    return (String(decoding: data, as: UTF8.self), end - start)
  }

  /// The numbers that a program prints, separated by spaces.
  static func numbers(_ program: URL, _ arguments: [String]) throws -> [Double] {
    try output(program, arguments).split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
  }
}
