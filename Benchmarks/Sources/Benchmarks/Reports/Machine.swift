import Foundation

/// The machine and the versions with which the figures were measured.
struct Machine {
  /// The descriptions of the machine and the versions.
  let parts: [String]

  /// - Parameter mappers: the mappers in Python that take part.
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

  /// The kernel's name for it, from a line such as `model name : Intel(R) Xeon(R)`.
  private static var processor: String? {
    let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8)
    let line = text?.split(separator: "\n").first { $0.hasPrefix("model name") }
    return line?.split(separator: ":").last?.trimmingCharacters(in: .whitespaces)
  }

  /// The version of the installed compiler, which built this program.
  private static var swift: String? {
    guard let program = try? ChildProgram.installed("swift"),
      let lines = try? ChildProgram.output(program, ["--version"])
    else { return nil }
    let words = lines.split(whereSeparator: \.isWhitespace)
    guard let index = words.firstIndex(of: "version"), index + 1 < words.count else { return nil }
    return "Swift \(words[index + 1])"
  }
}
