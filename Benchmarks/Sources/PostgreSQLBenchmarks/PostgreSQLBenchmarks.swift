import Foundation

/// Measures the cost of stores in PostgreSQL relative to libpq for the same work, in one run and on one server.
///
/// `PostgreSQLBenchmarks [WORKLOAD…]`; all workloads run if none is named. PERENNIAL_POSTGRESQL is the URL of the server, which
/// `Scripts/postgresql run` starts.
@main
enum PostgreSQLBenchmarks {
  static func main() throws {
    #if PostgreSQL
      let arguments = Array(CommandLine.arguments.dropFirst())
      guard let url = ProcessInfo.processInfo.environment["PERENNIAL_POSTGRESQL"].flatMap({ URL(string: $0) }) else {
        fail("PERENNIAL_POSTGRESQL has to be the URL of a server", 64)
      }
      if arguments.first == Commits.verb { return try Commits.commit(url, Array(arguments.dropFirst())) }
      let workloads = Workloads(server: url).all
      let names = workloads.map(\.name) + ["commits"]
      if let unknown = arguments.first(where: { !names.contains($0) }) {
        fail("there is no workload \(unknown); there are \(names.joined(separator: ", "))", 64)
      }
      let wanted = arguments.isEmpty ? names : arguments
      for (name, measure) in workloads where wanted.contains(name) { try measure().show() }
      if wanted.contains("commits") { try Commits(server: url).show() }
    #else
      fail("built without PostgreSQL: swift run --traits PostgreSQL …", 69)
    #endif
  }

  private static func fail(_ message: String, _ status: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
  }
}
