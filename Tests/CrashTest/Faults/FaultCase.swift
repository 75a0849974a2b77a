import Foundation

/// One run of a workload, in which one call fails.
struct FaultCase: Sendable {
  let folders: WorkFolders
  let fault: Fault
  let number: Int

  struct Result: Sendable {
    /// The call that failed, such as `fsync /store.sqlite-wal`; `nil` when the run had fewer calls.
    let call: String?
    /// What is wrong.
    let problem: String?
    /// The number of files that are left over and unused.
    let litter: Int
    let wasRefused: Bool
    /// The domain and code of the first error, if the workload reported one.
    let error: String?

    static func notRun(_ problem: String) -> Result {
      Result(call: nil, problem: "not run: \(problem)", litter: 0, wasRefused: false, error: nil)
    }
  }

  func run(library: String, slot: Int, looking: StateProcess) throws -> Result {
    let place = try folders.copy("run-\(slot)")
    let old = try FolderContents(place.folder)
    let report = place.folder.path + ".report"
    try? FileManager.default.removeItem(atPath: report)
    let environment = fault.environment(
      at: number,
      report: report,
      library: library,
      folder: place.folder.path
    )
    let ended = try folders.process(place, environment: environment).run()
    let call = (try? String(contentsOfFile: report, encoding: .utf8))?.split(separator: "\n").first
    // The comparison comes before any other access, because opening a store may change its files.
    let (harmed, litter) = Neighbours.compare(old, try FolderContents(place.folder), folders.workload)
    var problem = problem(ended, place, looking)
    if !harmed.isEmpty { problem = "harmed \(harmed.joined(separator: ", ")); \(problem ?? "")" }
    return Result(
      call: call.map { String($0.drop { $0 != " " }.dropFirst()) },
      problem: problem.map {
        "\($0) | \(ended.status) \(ended.text.replacingOccurrences(of: "\n", with: " | "))"
      },
      litter: litter,
      wasRefused: isRefused(ended),
      error: ended.text.split(separator: "\n").first { $0.hasPrefix("refused ") }
        .map { $0.split(separator: " ").dropFirst().prefix(2).joined(separator: " ") }
    )
  }

  private func isRefused(_ ended: ChildProcess.Ended) -> Bool {
    if case .exited(let status) = ended.status { return status != 0 || ended.wasRefused }
    return false
  }

  /// The fault in how the process ended, or in what it left on the disk.
  private func problem(_ ended: ChildProcess.Ended, _ place: WorkPlace, _ looking: StateProcess) -> String? {
    switch ended.status {
    case .hung: return "it hung"
    case .signalled(let signal) where fault != .killed || signal != SIGKILL:
      return "it crashed with the signal \(signal)"
    default: break
    }
    let acknowledged = folders.acknowledged(ended, place)
    do {
      let state = try looking.state(of: folders.workload, place)
      if state < acknowledged { return "\(acknowledged) steps were acknowledged, and \(state) are there" }
      if state > acknowledged + 1 { return "\(acknowledged) steps were acknowledged, and \(state) are there" }
      if state < folders.workload.steps, fault != .killed, !isRefused(ended) {
        return "\(state) steps are there, and no error was reported"
      }
      return nil
    } catch {
      return "\(error)"
    }
  }
}
