import Foundation

/// One step of a benchmark, in its own process.
struct Step {
  /// The elapsed time. It is only meaningful on an idle machine.
  let seconds: Double
  /// The time of all processors.
  let processorSeconds: Double
  /// The peak memory of the process, in MB.
  let peak: Double

  /// Runs this program again with other arguments.
  static func run(_ arguments: String...) throws -> Step {
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath()
    process.arguments = arguments
    let output = Pipe()
    process.standardOutput = output
    try process.run()
    let data = try output.fileHandleForReading.readToEnd() ?? Data()
    process.waitUntilExit()
    let numbers = String(decoding: data, as: UTF8.self).split(separator: " ").compactMap { Double($0) }
    guard process.terminationStatus == 0, numbers.count == 3 else {
      throw Failure(description: "\(arguments.joined(separator: " ")) failed")
    }
    return Step(seconds: numbers[0], processorSeconds: numbers[1], peak: numbers[2])
  }

  /// Runs the work of a step, and prints its figures.
  static func report(_ work: () throws -> Void) throws {
    let clock = ContinuousClock()
    let taken = try clock.measure(work)
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    let processorSeconds = Double(time.tv_sec) + Double(time.tv_nsec) * 1e-9
    print(taken / .seconds(1), processorSeconds, try peak(), terminator: "")
  }

  /// The peak memory of the process in MB, from the kernel's line such as `VmHWM:   10240 kB`.
  private static func peak() throws -> Double {
    let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kilobytes = line?.split(whereSeparator: \.isWhitespace).dropFirst().first.flatMap { Double($0) }
    return (kilobytes ?? 0) * 1024 / 1e6
  }

  struct Failure: Error, CustomStringConvertible {
    let description: String
  }
}
