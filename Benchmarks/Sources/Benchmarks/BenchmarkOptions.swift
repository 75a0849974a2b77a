import Foundation

/// The options in the program's arguments.
struct BenchmarkOptions {
  /// The names of the requested workloads. All of them run if it is empty.
  private(set) var names: [String] = []
  /// The file for the figures in Markdown.
  private(set) var results: URL?
  /// The file for the chart of the figures.
  private(set) var chart: URL?
  /// A Python interpreter, which may have SQLAlchemy and Django.
  private(set) var python: String?
  /// The command `perennial`. If it is not given, the command next to this program is measured.
  private(set) var command: URL?
  /// The number of rounds. Each contender runs once per round.
  private(set) var rounds = 7
  /// The names of the only contenders that run, for a profiler. All of them run if it is empty.
  private(set) var contenders: [String] = []
  /// True if the table of sizes is also measured.
  private(set) var hasSizes = false

  static let usage = """
    usage: Benchmarks [WORKLOAD…] [--results FILE] [--chart FILE] [--rounds NUMBER] [--sizes]
      [--contender NAME…] [--python INTERPRETER] [--command FILE]
    """

  struct Mistake: Error, CustomStringConvertible { let description: String }

  /// - Throws: an error with one sentence for the command's user.
  init(_ arguments: [String]) throws {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--results": results = URL(fileURLWithPath: try Self.value(of: argument, &rest))
      case "--chart": chart = URL(fileURLWithPath: try Self.value(of: argument, &rest))
      case "--python": python = try Self.value(of: argument, &rest)
      case "--command": command = URL(fileURLWithPath: try Self.value(of: argument, &rest))
      case "--rounds":
        guard let number = Int(try Self.value(of: argument, &rest)), number > 0 else {
          throw Mistake(description: "--rounds takes a number from 1")
        }
        rounds = number
      case "--contender": contenders.append(try Self.value(of: argument, &rest))
      case "--sizes": hasSizes = true
      case _ where argument.hasPrefix("-"):
        throw Mistake(description: "there is no option \(argument)\n\(Self.usage)")
      default: names.append(argument)
      }
    }
  }

  private static func value(of option: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else { throw Mistake(description: "\(option) needs a value") }
    return value
  }
}
