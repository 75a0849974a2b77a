import Diagrams
import Foundation

/// The file of a chart of the figures: the time of each workload over that of the C API.
struct FigureChart {
  private let url: URL

  /// Takes `--chart FILE` from the arguments.
  ///
  /// It is `nil` when they do not have it; the program ends with status 64 when no file is behind it.
  init?(takingFileFrom arguments: inout [String]) {
    guard let index = arguments.firstIndex(of: "--chart") else { return nil }
    guard index + 1 < arguments.count else {
      FileHandle.standardError.write(Data("--chart needs the file to write\n".utf8))
      exit(64)
    }
    url = URL(fileURLWithPath: arguments[index + 1])
    arguments.removeSubrange(index...index + 1)
  }

  /// Writes the chart of the workloads so far.
  func write(_ workloads: [Workload]) throws {
    var chart = BarChart(
      title: "What the object graph costs over SQLite's C API",
      note: "Times of the processor, in times of the C API's; the marks are the bounds.",
      reference: 1
    )
    chart.groups = workloads.map { workload in
      let bars = workload.entries.map { entry in
        let ratio = entry.seconds / workload.raw
        let words = String(
          format: "%.2f  (%.1f ms, C API %.1f ms)",
          ratio,
          entry.seconds * 1000,
          workload.raw * 1000
        )
        return BarChart.Bar(label: entry.who, value: ratio, bound: entry.bound, caption: words)
      }
      return BarChart.Group(title: workload.name, bars: bars)
    }
    try Data(chart.svg().utf8).write(to: url, options: .atomic)
  }
}
