import ArgumentParser
import Foundation

/// The options for the progress that a long command shows on standard error, and for the format of its final report.
struct ProgressStyle: ParsableArguments {
  @Flag(help: "Show no progress, and report nothing but failures.") var quiet = false
  @Flag(help: "Show no progress, and report in JSON.") var json = false

  func validate() throws {
    if quiet, json { throw ValidationError("--quiet and --json exclude each other.") }
  }

  /// Does some work and shows its progress meanwhile: as a bar on a terminal, otherwise as lines.
  func showing<Result>(_ progress: Progress, of noun: String, _ work: () throws -> Result) rethrows -> Result {
    guard !quiet, !json else { return try work() }
    let display = ProgressDisplay(progress, of: noun, isTerminal: Terminal.canRedraw(STDERR_FILENO))
    display.start()
    defer { display.stop() }
    return try work()
  }
}
