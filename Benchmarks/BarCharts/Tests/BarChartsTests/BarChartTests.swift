import BarCharts
import Testing

@Suite("Bar charts")
struct BarChartTests {
  private func chart(_ bars: [BarChart.Bar]) -> BarChart {
    var chart = BarChart(title: "Times <&>", note: "of the C API", reference: 1)
    chart.groups = [.init(title: "fetch", bars: bars)]
    return chart
  }

  @Test("Bars are as long as their values, and a bar over its bound is marked")
  func lengths() throws {
    let picture = try Picture(
      chart([
        .init(label: "one", value: 1, bound: 2), .init(label: "two", value: 2, bound: 2),
        .init(label: "three", value: 3, bound: 2), .init(label: "none", value: 1.5),
      ]).svg()
    )
    let bars = picture.all("rect").dropFirst()
    #expect(
      bars.map { $0.attributes["class"] } == ["chart-bar", "chart-bar", "chart-missed", "chart-baseline"]
    )
    let lengths = bars.map { $0.number("width") }
    #expect(abs(lengths[1] - 2 * lengths[0]) < 0.3)
    #expect(abs(lengths[2] - 3 * lengths[0]) < 0.3)
    #expect(picture.all("line", ofClass: "chart-bound").count == 3)
    #expect(picture.all("line", ofClass: "chart-reference").count == 1)
  }

  @Test("A bar far longer than the others is cut off, and its figure stays")
  func cutOff() throws {
    let bars = (1...9).map { BarChart.Bar(label: "\($0)", value: 2) } + [.init(label: "far", value: 5000)]
    let picture = try Picture(chart(bars).svg())
    let lengths = picture.all("rect").dropFirst().map { $0.number("width") }
    #expect(lengths[0] > 200)
    #expect(lengths[9] < 500)
    #expect(picture.all("path", ofClass: "chart-background").count == 2)
    #expect(picture.all("text").contains { $0.text == "5000.00" })
  }

  @Test("A chart shows its texts as they are, and cuts a text that is too long")
  func texts() throws {
    let long = String(repeating: "W", count: 300)
    let bars = ["a < b & \"c\"", long].map { BarChart.Bar(label: $0, value: 1) }
    let picture = try Picture(chart(bars).svg())
    let texts = picture.all("text").map(\.text)
    #expect(texts.contains("Times <&>"))
    #expect(texts.contains("a < b & \"c\""))
    #expect(texts.contains { $0.hasPrefix("WWWW") && $0.hasSuffix("…") && $0.count < 40 })
    #expect(picture.all("desc").first?.text.contains("of the C API. fetch: a < b & \"c\" 1.00; WWW") == true)
  }

  /// Texts that break a picture when they are written as they are.
  private static let hostileTexts = [
    "<script>alert(1)</script>", "\"'&<>", "]]>", "--", "a\u{0}b\u{1B}[31m", "\u{FFFE}\u{FFFF}", "a\nb\tc",
    "&amp;",
    "\"\u{301}<\u{301}&\u{301}", "列名前テーブル", "", " ", String(repeating: "W", count: 300),
  ]

  @Test(
    "A chart is well-formed for figures without a length and for hostile texts",
    arguments: [Double.nan, .infinity, -.infinity, -3, 0, 1e300, .leastNonzeroMagnitude]
  )
  func oddFigures(value: Double) throws {
    let bars = Self.hostileTexts.map { BarChart.Bar(label: $0, value: value, bound: value, caption: $0) }
    let picture = try Picture(chart(bars + [.init(label: "usual", value: 1)]).svg())
    #expect(picture.all("rect").count == bars.count + 2)
    #expect(picture.all("script").isEmpty)
    let width = try #require(picture.elements.first).number("width")
    for line in picture.all("line", ofClass: "chart-bound") { #expect(line.number("x1") <= width) }
    for bar in picture.all("rect") { #expect(bar.number("width") >= 0 && bar.number("width") <= width) }
  }

  @Test("A chart without groups has only its background and its title")
  func empty() throws {
    let picture = try Picture(BarChart(title: "Nothing").svg())
    #expect(picture.all("rect").count == 1)
    #expect(picture.all("text").map(\.text) == ["Nothing"])
  }
}
