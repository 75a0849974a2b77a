#if !canImport(Darwin)
  import Dispatch
  import Files
  import Foundation

  /// Reads the output of the machine's programs.
  enum ProgramOutput {
    /// The longest output that is read, in bytes.
    private static let most = 10_000

    /// The path of a program in the folders of PATH, where empty entries are skipped; nil if no folder
    /// contains the program.
    static func find(_ name: String, in path: String) -> String? {
      path.split(separator: ":").lazy.map { "\($0)/\(name)" }.first {
        FileKind(resolving: $0) == .regular && FileManager.default.isExecutableFile(atPath: $0)
      }
    }

    /// Runs a program without input, and returns the beginning of its output.
    ///
    /// - Parameter patience: the time after which the program is killed.
    /// - Returns: nil when the program cannot be run, takes longer, or fails.
    static func read(_ program: String, arguments: [String], within patience: Duration) -> String? {
      // A file, because a pipe could stay open in a child process that outlives the program.
      let file = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
      defer { try? FileManager.default.removeItem(at: file) }
      let process = Process()
      process.executableURL = URL(fileURLWithPath: program)
      process.arguments = arguments
      process.standardInput = FileHandle.nullDevice
      process.standardError = FileHandle.nullDevice
      let end = DispatchSemaphore(value: 0)
      process.terminationHandler = { _ in end.signal() }
      do {
        try Data().write(to: file)
        process.standardOutput = try FileHandle(forWritingTo: file)
        try process.run()
        let seconds = Int(clamping: patience.components.seconds)
        guard end.wait(timeout: .now() + .seconds(seconds)) == .success else {
          kill(process.processIdentifier, SIGKILL)
          return nil
        }
        guard process.terminationStatus == 0 else { return nil }
        let data = try FileHandle(forReadingFrom: file).read(upToCount: most) ?? Data()
        return String(decoding: data, as: UTF8.self)
      } catch {
        return nil
      }
    }
  }
#endif
