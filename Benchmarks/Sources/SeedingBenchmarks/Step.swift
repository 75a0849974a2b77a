import Foundation

/// One step of a benchmark, in a process of its own.
struct Step {
  /// Of the processor, so that what else runs on the machine does not count.
  let seconds: Double
  /// The most memory that the process had at a time, in MB.
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
    guard process.terminationStatus == 0, numbers.count == 2 else {
      throw Failure(description: "\(arguments.joined(separator: " ")) failed")
    }
    return Step(seconds: numbers[0], peak: numbers[1])
  }

  /// Does the work of a step, and prints what it took.
  static func report(_ work: () throws -> Void) throws {
    try work()
    var usage = rusage()
    getrusage(RUSAGE_SELF, &usage)
    let times = [usage.ru_utime, usage.ru_stime].map { Double($0.tv_sec) + Double($0.tv_usec) * 1e-6 }
    print(times.reduce(0, +), try peak(), terminator: "")
  }

  /// The kernel's account of the process, in lines such as `VmHWM:   10240 kB`.
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
