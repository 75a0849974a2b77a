import Foundation

/// Measures the pages of `perennial browse` over a store of a million notes, with a client that requests one
/// page after the other. Datasette's pages over the same file are measured for comparison.
///
/// Options are `--command FILE`, the command in release; `--demo MODEL SEED`, the model and the seed of the
/// demo; `--datasette FILE`; `--store FOLDER`, which keeps the large store; `--notes N`, `--pages N` and
/// `--chart FILE`.
@main
struct BrowserBenchmarks {
  static func main() throws {
    // A write to a closed connection must be an error, and not end the program.
    signal(SIGPIPE, SIG_IGN)
    let options = try BenchmarkOptions(Array(CommandLine.arguments.dropFirst()))
    let command = BrowseCommand(program: options.command)
    var figures = Figures()
    if let demo = options.demo {
      let store = try demo.makeStore(by: options.command)
      defer { try? FileManager.default.removeItem(at: store.deletingLastPathComponent()) }
      let arguments = [store.path, "--model", demo.model.path]
      figures.add(try Starts.measure("the demo", bound: Bounds.start) { try command.start(arguments) })
    }
    let store = try LargeStore(notes: options.notes, in: options.folder).url()
    figures.add(try Starts.measure("\(options.notes) notes") { try command.start([store.path]) })
    figures.add(
      try measure("perennial", try command.start([store.path]), options.pages, options) { $0.browser }
    )
    if let datasette = options.datasette {
      let command = DatasetteCommand(program: datasette)
      figures.add(try Starts.measure("\(options.notes) notes, Datasette") { try command.start(store) })
      // Datasette gets fewer pages, because most of its pages take longer.
      let pages = max(options.pages / 5, PageKind.all.count)
      figures.add(try measure("Datasette", try command.start(store), pages, options) { $0.datasette })
    } else {
      print("Datasette is not measured: no --datasette says where it is.")
    }
    figures.show()
    if let chart = options.chart { try figures.chart.write(to: chart, atomically: true, encoding: .utf8) }
  }

  private static func measure(
    _ who: String,
    _ server: ServedStore,
    _ pages: Int,
    _ options: BenchmarkOptions,
    _ address: (PageKind) -> PageKind.Address
  ) throws -> ServerFigures {
    defer { server.stop() }
    let walk = PageWalk(pages: pages, notes: options.notes)
    return try walk.run(who, on: server, address)
  }
}

/// The bounds for the pages.
enum Bounds {
  /// Milliseconds from the start of the process to the first page of a small store.
  static let start = 100.0
  /// Milliseconds of each later page, at the 99th percentile.
  static let page = 150.0
  /// The greatest memory of the process, in MB.
  static let memory = 150.0
}

/// The reason why nothing can be measured.
struct BenchmarkFailure: Error, CustomStringConvertible {
  let description: String
}
