/// Draws the bars of a chart.
struct BarPicture {
  private let chart: BarChart
  /// The value at the right end of the bars' area.
  private let end: Double
  private let labels: Double
  private let captions: Double

  private static let margin = 24.0
  private static let bars = 420.0
  private static let row = 20.0
  private static let thickness = 13.0
  private static let labelText = TextWidth(fontSize: 12)
  private static let titleText = TextWidth(fontSize: 14, isBold: true)

  init(_ chart: BarChart) {
    self.chart = chart
    let all = chart.groups.flatMap(\.bars)
    let values = all.map(\.value).filter { $0.isFinite && $0 > 0 }.sorted()
    let bounds = all.compactMap(\.bound).filter { $0.isFinite && $0 > 0 }
    let usual = max(values.dropLast(values.count / 10).last ?? 1, bounds.max() ?? 0, chart.reference ?? 0)
    // If the scale included a few very large values, all other bars would be too short to see.
    let most = values.last ?? 1
    end = max(usual, most > usual * 2.5 ? usual * 1.25 : most, .leastNormalMagnitude)
    labels = min(280, all.map { Self.labelText.of($0.label) }.max() ?? 0)
    captions = min(320, all.map { TextWidth(fontSize: 11).of($0.words) }.max() ?? 0)
  }

  /// Draws the chart.
  ///
  /// - Returns: the size of the chart.
  func draw(in picture: inout SVGPicture) -> (width: Double, height: Double) {
    let width = 2 * Self.margin + labels + 12 + Self.bars + 12 + captions
    let room = width - 2 * Self.margin
    var y = Self.margin + 14
    let heading = TextWidth(fontSize: 16, isBold: true).fitting(chart.title, in: room)
    picture.addText(heading, kind: "chart-heading", x: Self.margin, y: y)
    if !chart.note.isEmpty {
      y += 20
      let note = TextWidth(fontSize: 11).fitting(chart.note, in: room)
      picture.addText(note, kind: "chart-note", x: Self.margin, y: y)
    }
    for group in chart.groups {
      y += 30
      let title = Self.titleText.fitting(group.title, in: room)
      picture.addText(title, kind: "chart-group", x: Self.margin, y: y)
      y += 10
      let top = y
      for bar in group.bars {
        add(bar, top: y, to: &picture)
        y += Self.row
      }
      if let reference = chart.reference, reference.isFinite, reference >= 0 {
        let x = (left + length(reference)).svg
        picture.add(
          "<line class=\"chart-reference\" x1=\"\(x)\" y1=\"\((top - 1).svg)\" x2=\"\(x)\" y2=\"\(y.svg)\"/>"
        )
      }
    }
    return (width, y + Self.margin)
  }

  private var left: Double { Self.margin + labels + 12 }

  private func length(_ value: Double) -> Double {
    value.isFinite && value > 0 ? min(1, value / end) * Self.bars : 0
  }

  private func add(_ bar: BarChart.Bar, top: Double, to picture: inout SVGPicture) {
    let baseline = top + 14
    picture.add("<g class=\"chart-figure\">")
    let bound = bar.bound.map { ", bound \(BarChart.Bar.number($0))" } ?? ""
    picture.add(
      "<title>\("\(bar.label): \(bar.words)\(bound)\(bar.isMissed ? ", missed" : "")".markup)</title>"
    )
    let label = Self.labelText.fitting(bar.label, in: labels)
    picture.addText(label, kind: "chart-label", x: Self.margin + labels, y: baseline, isAtEnd: true)
    let length = length(bar.value)
    let kind = bar.isMissed ? "chart-missed" : bar.bound == nil ? "chart-baseline" : "chart-bar"
    let place =
      "x=\"\(left.svg)\" y=\"\((top + 3).svg)\" width=\"\(length.svg)\" height=\"\(Self.thickness.svg)\""
    picture.add("<rect class=\"\(kind)\" \(place) rx=\"2\"/>")
    if bar.value > end {
      // The bar is cut off at the right edge, and two gaps show that.
      for gap in [16.0, 24] {
        let x = left + Self.bars - gap
        let y = top + 3 + Self.thickness
        picture.add("<path class=\"chart-background\" d=\"M\(x.svg) \(y.svg)l5 -13h3l-5 13z\"/>")
      }
    }
    if let bound = bar.bound, bound.isFinite, bound >= 0 {
      let x = (left + self.length(bound)).svg
      picture.add(
        "<line class=\"chart-bound\" x1=\"\(x)\" y1=\"\((top + 1).svg)\" x2=\"\(x)\" y2=\"\((top + 18).svg)\"/>"
      )
    }
    let caption = TextWidth(fontSize: 11).fitting(bar.words, in: captions)
    let after = left + max(length, bar.bound.map(self.length) ?? 0) + 8
    picture.addText(caption, kind: "chart-caption", x: after, y: baseline)
    picture.add("</g>")
  }
}
