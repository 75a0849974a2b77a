import BarCharts
import Foundation

/// The times of one kind of page.
struct PageFigures {
  let name: String
  var isScan = false
  var isLater = false
  /// In milliseconds.
  let times: [Double]
  /// The number of requests without an answer or with the wrong page.
  var failures = 0

  /// The time within which this share of the pages was answered.
  func percentile(_ part: Double) -> Double {
    let sorted = times.sorted()
    guard let last = sorted.last else { return .nan }
    let index = Int((part * Double(sorted.count)).rounded(.up)) - 1
    return sorted.indices.contains(index) ? sorted[index] : last
  }

  /// A line of the README's tables.
  func line(bound: Double?) -> String {
    let figures = [0.5, 0.9, 0.99, 1].map { String(format: "%.1f ms", percentile($0)) }
    let failed = failures > 0 ? ", \(failures) failed" : ""
    let missed = bound.map { percentile(0.99) <= $0 ? "" : ", missed" } ?? ""
    let words = bound.map { String(format: "%.0f ms", $0) + missed } ?? ""
    return "| \(name) | \(times.count)\(failed) | \(figures.joined(separator: " | ")) | \(words) |"
  }
}

/// The times of all kinds of pages of one server, and its memory.
struct ServerFigures {
  let who: String
  let rows: [PageFigures]
  /// In MB.
  let peak: Double

  /// The totals: of pages that a key or an index answers, and of all pages except those with a separate line.
  var totals: [PageFigures] {
    let rows = rows.filter { !$0.isLater }
    return [
      Self.total("all that a key or an index answers", rows.filter { !$0.isScan }),
      Self.total("all pages but counts", rows),
    ]
  }

  private static func total(_ name: String, _ rows: [PageFigures]) -> PageFigures {
    PageFigures(name: name, times: rows.flatMap(\.times), failures: rows.reduce(0) { $0 + $1.failures })
  }

  /// True for the server to which the bounds apply.
  var isBounded: Bool { who == "perennial" }
}

/// Times from the start of a process to the end of the first page.
enum Starts {
  private static let rounds = 20

  static func measure(
    _ name: String,
    bound: Double? = nil,
    _ start: () throws -> ServedStore
  ) throws -> StartFigures {
    // The first start reads the program's file from the disk.
    try start().stop()
    let times = try (0..<rounds).map { _ in
      let begin = ContinuousClock.now
      let server = try start()
      let milliseconds = (ContinuousClock.now - begin) / .milliseconds(1)
      server.stop()
      return milliseconds
    }
    let figures = PageFigures(name: name, times: times)
    return StartFigures(figures: figures, bound: bound)
  }
}

/// The times of the first pages of a store.
struct StartFigures {
  let figures: PageFigures
  let bound: Double?
}

/// All that was measured.
struct Figures {
  private var starts: [StartFigures] = []
  private var servers: [ServerFigures] = []

  mutating func add(_ start: StartFigures) { starts.append(start) }

  mutating func add(_ server: ServerFigures) { servers.append(server) }

  /// Prints the tables of the README.
  func show() {
    print(Self.head("first page after the start"))
    for start in starts { print(start.figures.line(bound: start.bound)) }
    for server in servers {
      print("\n" + Self.head("pages of \(server.who)"))
      for row in server.rows + server.totals {
        print(row.line(bound: server.isBounded && !row.isLater ? Bounds.page : nil))
      }
      let missed = server.isBounded && server.peak > Bounds.memory ? ", missed" : ""
      let bound =
        server.isBounded ? String(format: ", bound %.0f MB%@", Bounds.memory, missed as NSString) : ""
      print(
        String(
          format: "\npeak memory of %@: %.0f MB%@",
          server.who as NSString,
          server.peak,
          bound as NSString
        )
      )
    }
  }

  private static func head(_ what: String) -> String {
    "| \(what) | number | median | 90th | 99th | maximum | bound |\n|---|---|---|---|---|---|---|"
  }

  /// The 99th percentiles as a bar chart.
  var chart: String {
    var chart = BarChart(
      title: "Pages of a large store",
      note: "Milliseconds at the 99th percentile, one page after the other; the marks are the bounds."
    )
    chart.groups = [
      BarChart.Group(
        title: "first page after the start",
        bars: starts.map { Self.bar($0.figures.name, $0.figures, $0.bound) }
      )
    ]
    for index in servers.first?.rows.indices ?? 0..<0 {
      let rows = servers.map { ($0, $0.rows[index]) }
      chart.groups.append(
        BarChart.Group(
          title: rows[0].1.name,
          bars: rows.map { server, row in
            Self.bar(server.who, row, server.isBounded && !row.isLater ? Bounds.page : nil)
          }
        )
      )
    }
    return chart.svg()
  }

  private static func bar(_ label: String, _ figures: PageFigures, _ bound: Double?) -> BarChart.Bar {
    let (middle, late) = (figures.percentile(0.5), figures.percentile(0.99))
    let caption = String(format: "%.1f ms, median %.1f ms", late, middle)
    return BarChart.Bar(label: label, value: late, bound: bound, caption: caption)
  }
}
