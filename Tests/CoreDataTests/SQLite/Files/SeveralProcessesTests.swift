import Foundation
import Testing

/// The program that increments counters, which the build puts next to the tests.
private let program: URL? = {
  let folder = Bundle.main.executableURL?.deletingLastPathComponent()
  return folder?.appendingPathComponent("CrashTest")
}().flatMap { FileManager.default.isExecutableFile(atPath: $0.path) ? $0 : nil }

@Suite(
  "Several processes on one store",
  .enabled(if: program != nil, "the program CrashTest is not beside the tests")
)
struct SeveralProcessesTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func start(_ arguments: [String]) throws -> Process {
    let process = Process()
    process.executableURL = program
    process.arguments = arguments
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    return process
  }

  @Test("several processes lose no update of shared counters", arguments: [false, true])
  func counters(_ tracksHistory: Bool) throws {
    let (processCount, times) = (4, 50)
    let count = { (times: Int) in
      ["count", folder.file().path, "\(times)"] + (tracksHistory ? ["history"] : [])
    }
    let making = try start(count(0))
    making.waitUntilExit()
    #expect(making.terminationStatus == 0)
    let processes = try (0..<processCount).map { _ in try start(count(times)) }
    for process in processes {
      process.waitUntilExit()
      #expect(process.terminationStatus == 0)
    }
    let total = processCount * times
    #expect(try folder.query("SELECT SUM(ZVALUE) FROM ZCOUNTER") == [total])
    // Each update increments its row's version by one.
    #expect(try folder.query("SELECT SUM(Z_OPT - 1) FROM ZCOUNTER") == [total])
    if tracksHistory { #expect(try folder.query("SELECT COUNT(*) FROM ATRANSACTION") == [total + 1]) }
  }
}
