import Diagrams
import Testing

@Suite("Bar charts")
struct BarChartTests {
  private func chart(_ bars: [BarChart.Bar]) -> BarChart {
    var chart = BarChart(title: "Times <&>", note: "of the C API", reference: 1)
    chart.groups = [.init(title: "fetch", bars: bars)]
    return chart
  }

  @Test("bars are as long as their values, and one over its bound is marked")
  func lengths() throws {
    let picture = try Picture(
      chart([
        .init(label: "one", value: 1, bound: 2), .init(label: "two", value: 2, bound: 2),
        .init(label: "three", value: 3, bound: 2), .init(label: "none", value: 1.5),
      ]).svg()
    )
    let bars = picture.all("rect").dropFirst()
    #expect(bars.map { $0.attributes["class"] } == ["dg-bar", "dg-bar", "dg-missed", "dg-baseline"])
    let lengths = bars.map { $0.number("width") }
    #expect(abs(lengths[1] - 2 * lengths[0]) < 0.3)
    #expect(abs(lengths[2] - 3 * lengths[0]) < 0.3)
    #expect(picture.elements("line", "dg-bound").count == 3)
  }

  @Test("a value far above the others is cut off, and its figure stays")
  func cutOff() throws {
    let bars = (1...9).map { BarChart.Bar(label: "\($0)", value: 2) } + [.init(label: "far", value: 5000)]
    let picture = try Picture(chart(bars).svg())
    let lengths = picture.all("rect").dropFirst().map { $0.number("width") }
    #expect(lengths[0] > 200)
    #expect(lengths[9] < 500)
    #expect(picture.elements("path", "dg-background").count == 2)
    #expect(picture.all("text").contains { $0.text == "5000.00" })
  }

  @Test(
    "figures without a length, and hostile words, make a well-formed chart",
    arguments: [Double.nan, .infinity, -.infinity, -3, 0, 1e300, .leastNonzeroMagnitude]
  )
  func oddFigures(value: Double) throws {
    let bars = RandomDocument.hostileNames.map {
      BarChart.Bar(label: $0, value: value, bound: value, caption: $0)
    }
    let text = chart(bars + [.init(label: "usual", value: 1)]).svg()
    let picture = try Picture(text)
    #expect(picture.all("rect").count == bars.count + 2)
    for line in picture.elements("line", "dg-bound") {
      #expect(line.number("x1") <= picture.elements[0].number("width"))
    }
    let width = try #require(picture.elements.first).number("width")
    for bar in picture.all("rect") { #expect(bar.number("width") >= 0 && bar.number("width") <= width) }
  }

  @Test("a chart of nothing is one")
  func empty() throws {
    #expect(try Picture(BarChart(title: "").svg()).all("rect").count == 1)
  }
}
