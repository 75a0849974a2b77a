import Dispatch
import Foundation
import Synchronization
import TestSupport

/// Runs workloads repeatedly, each time with another system call that fails.
struct FaultInjection {
  /// The library that makes calls fail.
  let library: String
  /// The number of calls that fail, or all calls if there are fewer.
  let count: Int
  /// A substring of the names of the workloads that run; empty for all workloads.
  let part: String
  let seed: UInt64

  /// The results of a workload's runs.
  private struct Tally {
    var (runs, injected, refused, litter) = (0, 0, 0, 0)
    var problems: [String] = []
    /// The number of occurrences of each error, by the call that failed.
    var errors: [String: Int] = [:]
  }

  private static let workers = 2

  /// - Returns: true if no run had a problem.
  func run() throws -> Bool {
    let base = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("faults-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: base) }
    let chosen = Workloads.faults.filter { part.isEmpty || $0.name.contains(part) }
    var all: [[FaultCase]] = []
    var unusable = 0
    for workload in chosen {
      do {
        all.append(try cases(of: workload, in: base))
      } catch {
        say("\(error)")
        unusable += 1
      }
    }
    var cases = Self.sample(all, count)
    var random = SplitMix(seed: seed)
    cases.shuffle(using: &random)
    say(
      """
      \(all.reduce(0) { $0 + $1.count }) calls of \(chosen.count) workloads can fail; \(cases.count) are tried, with \
      the seed \(seed)
      """
    )
    let tallies = run(cases)
    return report(tallies) && unusable == 0
  }

  /// Takes the same number of cases from each workload. Where a workload has fewer, the others fill the rest.
  private static func sample(_ cases: [[FaultCase]], _ count: Int) -> [FaultCase] {
    var chosen: [FaultCase] = []
    for round in 0..<(cases.map(\.count).max() ?? 0) {
      chosen += cases.compactMap { round < $0.count ? $0[round] : nil }.prefix(count - chosen.count)
      if chosen.count == count { break }
    }
    return chosen
  }

  /// The cases of a workload: each call with each fault, in random order, up to the workload's limit.
  private func cases(of workload: any Workload, in base: URL) throws -> [FaultCase] {
    let folders = try WorkFolders(workload, in: base)
    var all: [FaultCase] = []
    for kind in Fault.kinds {
      let calls = try countCalls(of: folders, kind[0])
      for fault in kind {
        all += (0..<calls).map { FaultCase(folders: folders, fault: fault, number: $0 + 1) }
      }
    }
    var random = SplitMix(seed: seed)
    all.shuffle(using: &random)
    return Array(all.prefix(workload.mostRuns ?? all.count))
  }

  /// Counts the calls of a run without a failure.
  private func countCalls(of folders: WorkFolders, _ fault: Fault) throws -> Int {
    let place = try folders.copy("counted")
    let report = place.folder.path + ".report"
    defer { try? FileManager.default.removeItem(atPath: report) }
    let environment = fault.environment(at: 0, report: report, library: library, folder: place.folder.path)
    let ended = try folders.process(place, environment: environment).run()
    guard folders.acknowledged(ended, place) == folders.workload.steps else {
      throw CrashStore.Wrong(
        description: "\(folders.workload.name) fails on a disk that works: \(ended.text)"
      )
    }
    return try String(contentsOfFile: report, encoding: .utf8).split(separator: "\n").count
  }

  private func run(_ cases: [FaultCase]) -> [String: Tally] {
    let next = Atomic(0)
    let tallies = Mutex<[String: Tally]>([:])
    DispatchQueue.concurrentPerform(iterations: Self.workers) { slot in
      let looking = StateProcess()
      defer { looking.end() }
      while true {
        let number = next.wrappingAdd(1, ordering: .relaxed).oldValue
        guard number < cases.count else { return }
        let tried = cases[number]
        let result: FaultCase.Result
        do {
          result = try tried.run(library: library, slot: slot, looking: looking)
        } catch {
          result = .notRun("\(error)")
        }
        tallies.withLock { record(result, of: tried, in: &$0) }
      }
    }
    return tallies.withLock { $0 }
  }

  private func record(_ result: FaultCase.Result, of tried: FaultCase, in tallies: inout [String: Tally]) {
    let name = tried.folders.workload.name
    var tally = tallies[name] ?? Tally()
    tally.runs += 1
    if result.call != nil { tally.injected += 1 }
    if result.wasRefused { tally.refused += 1 }
    if result.litter > 0 { tally.litter += 1 }
    if let error = result.error { tally.errors["\(tried.fault.rawValue): \(error)", default: 0] += 1 }
    if let problem = result.problem {
      let line = "\(name): \(tried.fault.rawValue) \(tried.number) (\(result.call ?? "no call")): \(problem)"
      tally.problems.append(line)
      say(line)
    }
    tallies[name] = tally
  }

  private func report(_ tallies: [String: Tally]) -> Bool {
    for (name, tally) in tallies.sorted(by: { $0.key < $1.key }) {
      say(
        """
        \(name): \(tally.injected) calls failed in \(tally.runs) runs, \(tally.refused) of which reported an error; \
        \(tally.litter) left files that nobody needs; \(tally.problems.count) are wrong
        """
      )
    }
    var errors: [String: Int] = [:]
    for tally in tallies.values { errors.merge(tally.errors, uniquingKeysWith: +) }
    for (error, count) in errors.sorted(by: { $0.key < $1.key }) { say("\(error), \(count) times") }
    let injected = tallies.values.reduce(0) { $0 + $1.injected }
    let problems = tallies.values.reduce(0) { $0 + $1.problems.count }
    say("\(injected) calls failed: \(problems == 0 ? "nothing was lost or harmed" : "\(problems) are wrong")")
    return problems == 0
  }
}
