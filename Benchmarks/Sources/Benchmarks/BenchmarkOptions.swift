import Foundation

/// What the arguments of the program ask for.
struct BenchmarkOptions {
  /// The names of the workloads that are wanted; all where there are none.
  private(set) var names: [String] = []
  /// The file that gets the figures in Markdown.
  private(set) var results: URL?
  /// The file that gets the figures as bars.
  private(set) var chart: URL?
  /// Python, with SQLAlchemy and Django in reach.
  private(set) var python: String?
  /// The command `perennial`; the one beside this program where none is given.
  private(set) var command: URL?
  /// The number of rounds in which contenders take turns.
  private(set) var rounds = 7
  /// The only contenders that take turns, for an instrument that looks at them; all where there are none.
  private(set) var contenders: [String] = []
  /// True when the table of sizes is measured, too.
  private(set) var hasSizes = false

  static let usage = """
    usage: Benchmarks [WORKLOAD…] [--results FILE] [--chart FILE] [--rounds NUMBER] [--sizes]
      [--contender NAME…] [--python INTERPRETER] [--command FILE]
    """

  struct Mistake: Error, CustomStringConvertible { let description: String }

  /// - Throws: a sentence for whoever has written the arguments.
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
