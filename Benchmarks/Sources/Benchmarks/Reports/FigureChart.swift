import BarCharts
import Foundation

/// A chart of each contender's time relative to that of the first one.
enum FigureChart {
  static func write(_ outcomes: [Outcome], to file: URL) throws {
    var chart = BarChart(
      title: "What the object graph costs",
      note: "Medians in times of the first contender's, most often SQLite's C API; the marks are the bounds.",
      reference: 1
    )
    chart.groups = outcomes.filter { $0.measure.isTime }.map(group)
    try Data(chart.svg().utf8).write(to: file, options: .atomic)
  }

  private static func group(_ outcome: Outcome) -> BarChart.Group {
    let reference = outcome.entries[0]
    let referenceTime = "\(reference.name) \(outcome.measure.text(reference.figures.median))"
    let bars = outcome.entries.dropFirst().map { entry in
      let ratio = outcome.ratio(entry)
      let time = outcome.measure.text(entry.figures.median)
      return BarChart.Bar(
        label: entry.name,
        value: ratio,
        bound: entry.bounds.compactMap { $0.limit(in: outcome) }.min(),
        caption: String(format: "%.2f", ratio) + "  (\(time), \(referenceTime))"
      )
    }
    return BarChart.Group(title: outcome.title, bars: bars)
  }
}
