import Foundation

/// Measures the cost of stores in PostgreSQL relative to libpq for the same work, in one run and on one server.
///
/// `PostgreSQLBenchmarks URL [WORKLOAD…]`; all workloads run if none is named. Scripts/postgresql starts a server.
@main
enum PostgreSQLBenchmarks {
  static func main() throws {
    let arguments = CommandLine.arguments.dropFirst()
    #if PostgreSQL
      guard let server = arguments.first, let url = URL(string: server), url.scheme != nil else {
        fail("usage: PostgreSQLBenchmarks URL [WORKLOAD…]", 64)
      }
      if arguments.dropFirst().first == Commits.verb {
        return try Commits.commit(url, Array(arguments.dropFirst(2)))
      }
      let wanted = arguments.dropFirst()
      for (name, measure) in Workloads(server: url).all where wanted.isEmpty || wanted.contains(name) {
        try measure().show()
      }
      if wanted.isEmpty || wanted.contains("commits") { try Commits(server: url).show() }
    #else
      fail("built without PostgreSQL: swift run --traits PostgreSQL …", 69)
    #endif
  }

  private static func fail(_ message: String, _ status: Int32) -> Never {
    FileHandle.standardError.write(Data((message + "\n").utf8))
    exit(status)
  }
}
