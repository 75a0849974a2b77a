import Foundation

/// SQLite's command-line shell, to inspect or damage a database without the framework.
enum SQLiteShell {
  /// Runs statements.
  ///
  /// - Returns: their output, without the last line end.
  @discardableResult
  static func ask(_ file: URL, _ sql: String) throws -> String {
    let process = Process()
    let answer = Pipe()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    process.arguments = ["sqlite3", file.path, sql]
    process.standardOutput = answer
    try process.run()
    let data = try answer.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    guard process.terminationStatus == 0 else {
      throw CrashStore.Wrong(description: "sqlite3 cannot read \(file.lastPathComponent)")
    }
    return String(decoding: data, as: UTF8.self).trimmingCharacters(in: .newlines)
  }
}
