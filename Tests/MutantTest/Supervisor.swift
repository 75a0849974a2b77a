import Foundation
import Synchronization

/// Runs two workers at a time, restarts those that end too early, and adds up their journals.
struct Supervisor {
  private static let mutantsOfAWorker = 100

  let laboratory: Laboratory
  let program: URL

  /// The remaining mutants, and the number of commands of the first mutant that already ran.
  private struct Task: Sendable {
    let numbers: Range<Int>
    var skipped = 0
  }

  /// - Returns: true if there are no findings.
  func run(count: Int) throws -> Bool {
    let tasks = Mutex(
      stride(from: 0, to: count, by: Self.mutantsOfAWorker).reversed().map {
        Task(numbers: $0..<min(count, $0 + Self.mutantsOfAWorker))
      }
    )
    let tally = Mutex(Tally())
    DispatchQueue.concurrentPerform(iterations: 2) { _ in
      while let task = tasks.withLock({ $0.popLast() }) {
        let ended = work(on: task)
        let rest = tally.withLock { $0.add(ended.lines, status: ended.status) }
        if let rest, rest.mutant < task.numbers.upperBound {
          tasks.withLock {
            $0.append(Task(numbers: rest.mutant..<task.numbers.upperBound, skipped: rest.skipped))
          }
        }
      }
    }
    return tally.withLock { tally in
      print(tally.summary)
      for finding in tally.findings { print(finding) }
      return tally.findings.isEmpty
    }
  }

  private func work(on task: Task) -> (lines: [String], status: Int32) {
    let journal = laboratory.folder.appendingPathComponent(
      "journal-\(task.numbers.lowerBound)-\(task.skipped)"
    )
    _ = FileManager.default.createFile(atPath: journal.path, contents: nil)
    let process = Process()
    process.executableURL = program
    process.arguments = [
      "work", "\(task.numbers.lowerBound)", "\(task.numbers.upperBound)", "\(task.skipped)",
      "\(laboratory.seed)",
      laboratory.folder.path,
    ]
    do {
      process.standardOutput = try FileHandle(forWritingTo: journal)
      process.standardError = FileHandle.nullDevice
      try process.run()
    } catch {
      return (["finding a worker cannot be started: \(error)"], 0)
    }
    process.waitUntilExit()
    let text = (try? Data(contentsOf: journal)).map { String(decoding: $0, as: UTF8.self) } ?? ""
    try? FileManager.default.removeItem(at: journal)
    return (text.split(separator: "\n").map(String.init), process.terminationStatus)
  }
}
