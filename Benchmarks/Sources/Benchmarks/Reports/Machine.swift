import Foundation

/// The machine and the versions that figures are of.
struct Machine {
  /// What is told of it, in words.
  let parts: [String]

  /// - Parameter mappers: what takes part in Python.
  init(_ mappers: PythonMappers?) {
    let process = ProcessInfo.processInfo
    let build =
      _isDebugAssertConfiguration() ? "a debug build, whose figures mean nothing" : "a release build"
    let found: [String?] = [
      Self.processor,
      "\(process.activeProcessorCount) processors",
      String(format: "%.0f GB of memory", Double(process.physicalMemory) / 1e9),
      process.operatingSystemVersionString,
      Self.swift,
      "SQLite \(RawSQLite.version)",
      build,
    ]
    let python = mappers?.versions.map { "\($0.name) \($0.version)" } ?? []
    parts = found.compactMap { $0 } + python
  }

  /// As the kernel names it, in a line such as `model name : Intel(R) Xeon(R)`.
  private static var processor: String? {
    let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
    let line = text?.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
  }

  /// The compiler that is installed, which has built this.
  private static var swift: String? {
    guard let program = try? ChildProgram.installed("swift"),
      let lines = try? ChildProgram.output(program, ["--version"])
    else { return nil }
    let words = lines.split(whereSeparator: \.isWhitespace)
    guard let index = words.firstIndex(of: "version"), index + 1 < words.count else { return nil }
    return "Swift \(words[index + 1])"
  }
}
