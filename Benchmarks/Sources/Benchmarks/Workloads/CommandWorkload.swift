import Foundation
import Samples

/// Runs the command from its start to its end to fetch a few rows, compared with SQLite's command.
enum CommandWorkload {
  private static let rows = 10

  /// - Parameter command: `perennial`; `nil` for the one next to this program.
  static func make(_ files: SampleFiles, command: URL?) throws -> Workload {
    let command = try command ?? ChildProgram.sibling("perennial")
    let sqlite = try ChildProgram.installed("sqlite3")
    let url = try files.original(rows: 1000)
    return Workload(
      title: "print \(rows) objects by a command, from its start to its end",
      measure: .time(.wall),
      rounds: 20,
      contenders: [
        Contender("sqlite3") { _ in
          .init(value: try ChildProgram.seconds(sqlite, [url.path, "SELECT * FROM ZSAMPLE LIMIT \(rows)"]))
        },
        Contender("perennial fetch", [.atMost(0.03)]) { _ in
          .init(
            value: try ChildProgram.seconds(command, ["fetch", url.path, "Sample", "--limit", "\(rows)"])
          )
        },
        Contender("\(SampleFloors.name), perennial --version") { _ in
          .init(value: try ChildProgram.seconds(command, ["--version"]))
        },
      ]
    )
  }
}
